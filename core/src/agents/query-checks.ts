/** Checks an agent's query: the editor's proof that it is read-only, and the origin of each column. */
import { Analyser } from '#server/language/checks/analyser.ts';
import {
  defaultModel,
  modelNamedBy,
  type Analysis,
  type AnalysedStatement,
} from '#server/language/checks/analysis.ts';
import type { Finding } from '#server/language/checks/finding.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { backslashReading } from '#server/language/text/backslash-reading.ts';
import { replacePlaceholders, splitStatements, withoutComments } from '#server/language/text/statements.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { mayAgentRun, type AgentPermission } from '../policy/agent-query.ts';
import { readQueryOrigins, type QueryOrigins } from '../policy/masking/query-origins.ts';
import { sensitivityBy, type SensitivityOf } from '../policy/masking/sensitive-columns.ts';
import { tableOrigins } from '../policy/masking/table-origins.ts';
import type { AgentConnection } from './agent-host.ts';

/** Maximum length of a query in characters. Agents write far shorter ones, and checking takes time. */
const agentQueryLengthMax = 20_000;

export interface AgentQuestion {
  readonly text: string;
  /** The model to use if the text does not name one; undefined for the default model. */
  readonly model: string | undefined;
  readonly writer: 'agent' | 'person';
  /** Whether the text also contains the parameter values. */
  readonly hasOwnValues?: boolean;
  readonly catalogue: Catalogue;
  readonly sensitivityOf: SensitivityOf;
}

export interface CheckedForAgent {
  readonly permission: AgentPermission;
  readonly sql: string;
  readonly model: string;
  /** Parameter names without the colon, without duplicates. */
  readonly parameters: readonly string[];
  readonly findings: readonly Finding[];
  readonly text: string;
}

export class QueryChecks {
  readonly #parser: WorkerParser;
  readonly #analyser: Analyser;

  /** @param script path of the parser's worker; located automatically by default. */
  constructor(script?: string) {
    this.#parser = new WorkerParser({
      timeLimitsMs: [5_000, 10_000],
      ...(script === undefined ? {} : { script }),
    });
    this.#analyser = new Analyser(this.#parser);
  }

  /** Starts the parser in advance. */
  warmUp(): void {
    void this.#parser.warmUp();
  }

  async checkOn(
    connection: Pick<AgentConnection, 'catalogue' | 'sensitivePatterns'>,
    question: Omit<AgentQuestion, 'catalogue' | 'sensitivityOf'>,
  ): Promise<CheckedForAgent> {
    const sensitivityOf = sensitivityBy(connection.sensitivePatterns);
    return await this.check({ ...question, catalogue: await connection.catalogue(), sensitivityOf });
  }

  async check({
    text,
    model,
    writer,
    hasOwnValues = false,
    catalogue,
    sensitivityOf,
  }: AgentQuestion): Promise<CheckedForAgent> {
    const refused = (reason: string, advice: string): CheckedForAgent => ({
      permission: { kind: 'refused', code: 'not-proven', reason, advice },
      sql: text,
      model: model ?? defaultModel,
      parameters: [],
      findings: [],
      text,
    });
    if (writer === 'agent' && text.length > agentQueryLengthMax)
      return refused(
        `The query has more than ${agentQueryLengthMax} characters.`,
        'Split it into smaller ones.',
      );
    const options = { isSavedQuery: true, catalogue, ...(model === undefined ? {} : { model }) };
    const analysis = await this.#analyser.analyse(text, options);
    const statement = analysis?.statements[0];
    if (analysis === undefined || statement === undefined || analysis.statements.length !== 1)
      return refused('There must be exactly one statement.', 'Write one SELECT.');
    const own = modelNamedBy(analysis) ?? model ?? defaultModel;
    const origins = await this.#origins(analysis, statement, tableOrigins(catalogue, own, sensitivityOf));
    return {
      permission: mayAgentRun(statement, origins, { writer, hasOwnValues }),
      sql: text.slice(statement.start, statement.end),
      model: own,
      parameters: [...new Set(statement.placeholders.map(({ name }) => name))],
      findings: analysis.findings,
      text,
    };
  }

  async dispose(): Promise<void> {
    await this.#parser.dispose();
  }

  /** Returns the column origins of exactly the text that was proven read-only. Undefined if it cannot be parsed. */
  async #origins(
    { lexed }: Analysis,
    { verdict }: AnalysedStatement,
    tables: ReturnType<typeof tableOrigins>,
  ): Promise<QueryOrigins | undefined> {
    const [span, ...others] = splitStatements(lexed);
    if (verdict !== 'read-only' || span === undefined || others.length > 0) return undefined;
    // Either reading of the backslashes is harmless, but the server may use the other one, whose columns have different
    // origins.
    if (backslashReading(lexed, span) !== undefined) return undefined;
    const sent = replacePlaceholders(lexed, span);
    const bare = withoutComments(lexed, span, sent);
    const json =
      (await this.#parser.readTree(sent)) ??
      (bare === undefined ? undefined : await this.#parser.readTree(bare));
    return json === undefined ? undefined : readQueryOrigins(JSON.parse(json), tables);
  }
}
