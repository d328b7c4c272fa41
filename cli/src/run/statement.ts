/** Finds the single statement in a query's text, with the verdict of the checks. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { findStatements } from '#server/handlers/statements.ts';
import { defaultModel } from '#server/language/checks/analysis.ts';
import { languageId, type CatalogueModel, type StatementInfo } from '#server/protocol.ts';
import { createState } from '#server/state.ts';
import { sharedAnalyser } from '../checks.ts';
import { CliError } from '../context.ts';

export interface QueryText {
  readonly text: string;
  /** Display name of the query in messages. */
  readonly title: string;
  /** The model if the text does not name one. */
  readonly model?: string | undefined;
}

export interface CheckedQuery {
  readonly statement: StatementInfo;
  readonly model: string;
}

const uri = 'file:///query.identity.sql';

/** @throws CliError unless there is exactly one statement. */
export async function checkQuery(
  { text, title, model }: QueryText,
  models: readonly CatalogueModel[] | undefined,
): Promise<CheckedQuery> {
  const state = createState();
  if (models !== undefined) state.catalogues.set('', { models });
  if (model !== undefined) state.documentModels.set(uri, model);
  const document = TextDocument.create(uri, languageId, 1, text);
  const deps = { analyser: sharedAnalyser(), state };
  const found = await findStatements(deps, document, { textDocument: { uri } }, () => false);
  const statements = found?.statements ?? [];
  const [statement, ...others] = statements;
  if (statement === undefined) throw new CliError(`${title} contains no statement.`);
  if (others.length > 0)
    throw new CliError(`${title} contains ${statements.length} statements. Only one can be run at a time.`);
  return { statement, model: found?.modelDirective ?? model ?? defaultModel };
}
