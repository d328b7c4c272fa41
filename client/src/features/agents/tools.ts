/**
 * Two tools for the editor's own models: one opens a query for the user, the other runs it and shows the rows to the
 * user. The model receives neither rows nor error messages, and the user sees each request first.
 */
import * as vscode from 'vscode';
import { showNewQuery } from '#client/ui/show-document.ts';
import { ShownMarkdown } from '#client/ui/shown/markdown.ts';
import type { AgentConnection } from '#core/agents/agent-host.ts';
import { holds } from '#core/connections/agent-level.ts';
import { languageId } from '#server/protocol.ts';
import type { LanguageFeature } from '../language/index.ts';
import type { RunsFeature } from '../runs/index.ts';
import { looksEnded, toolSqlMax } from './contributions.ts';

export interface QueryInput {
  readonly sql: string;
}

export interface ToolDependencies {
  readonly connection: () => AgentConnection | undefined;
  readonly statements: LanguageFeature['statements'];
  readonly run: RunsFeature['run'];
}

export function registerTools({ connection, statements, run }: ToolDependencies): vscode.Disposable {
  const open = vscode.lm.registerTool<QueryInput>('identityQueries_openQuery', {
    prepareInvocation: ({ input }) => prepared(vscode.l10n.t('Open a query?'), input, connection()),
    async invoke({ input }) {
      if (!allows(connection(), 'schema')) return told(refusal);
      if (!isShownWhole(input)) return told(notShown);
      await showNewQuery(languageId, input.sql);
      return told('The query is open in the editor, unsaved. It was not run.');
    },
  });
  const show = vscode.lm.registerTool<QueryInput>('identityQueries_showRows', {
    prepareInvocation: ({ input }) =>
      prepared(vscode.l10n.t('Run a query and show its rows only to you?'), input, connection()),
    async invoke({ input }) {
      if (!allows(connection(), 'select')) return told(refusal);
      if (!isShownWhole(input)) return told(notShown);
      const document = await showNewQuery(languageId, input.sql);
      const [statement, ...others] = (await statements(document))?.statements ?? [];
      // Refuse anything that would need confirmation: an agent must not trigger prompts.
      if (statement === undefined || others.length > 0 || statement.verdict !== 'read-only')
        return told(
          'Refused: it is not a single statement that is proven read-only. It is open in the editor and was not run.',
        );
      // A form for values is such a prompt, too, and rows on the disk are not shown only to the person.
      if (statement.parameters.length > 0 || /@keep\b/.test(input.sql))
        return told(
          'Refused: it has parameters, or keeps its rows (@keep). It is open in the editor and was not run. Write the values into the query, without @keep.',
        );
      await run(document);
      return told('The rows are shown to the person, if the query ran. They are not part of this response.');
    },
  });
  return vscode.Disposable.from(open, show);
}

const refusal =
  'Refused: the connection does not allow agents to do this. A person can allow it with "ai" in its entry.';

const allows = (connection: AgentConnection | undefined, level: 'schema' | 'select'): boolean =>
  connection !== undefined && holds(connection.level, level);

/** The editor does not enforce the schema, and nothing may run that the person is not shown whole. */
const isShownWhole = ({ sql }: QueryInput): boolean => sql.length <= toolSqlMax && !looksEnded(sql);

const notShown = `Refused: the person would not see all of it. Write at most ${toolSqlMax} characters, without long blank gaps.`;

function told(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** Shows the SQL, the connection and the limits before anything runs. */
function prepared(
  title: string,
  input: QueryInput,
  connection: AgentConnection | undefined,
): vscode.PreparedToolInvocation {
  const text = new ShownMarkdown().text(
    vscode.l10n.t('Connection: {0}', connection?.name ?? vscode.l10n.t('none')),
  );
  if (connection !== undefined)
    text.text(
      vscode.l10n.t('AI access: {0}. Rows are shown to you but not passed to the model.', connection.level),
    );
  return { confirmationMessages: { title, message: text.code(input.sql, 'sql').build() } };
}
