/** A single execution of a statement with its values on one connection: the request, header, facts and record. */
import * as vscode from 'vscode';
import type { ParameterValue } from '#api/contract/execute.ts';
import { Deadline } from '#base/async/deadline.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import type { ResultWriter } from '#client/features/results/index.ts';
import type { ConnectionState } from '#client/session/session.ts';
import { connectionOfRows } from '#client/ui/connection-labels.ts';
import { connectionKeyOf, serviceKeyOf } from '#core/connections/connection-profile.ts';
import type { RunFailure } from '#core/failures/run-failure.ts';
import type { RunRecord } from '#core/history/run-record.ts';
import type { ParameterField } from '#core/parameters/parameter-field.ts';
import { sendQueryPacked, type Permit } from '#core/policy/send-query.ts';
import type { ReadOutcome } from '#core/reading/page-reader.ts';
import { preparingWords } from '#core/records/page-messages.ts';
import type { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { describeColumns } from '#core/runs/describe-columns.ts';
import { QueryRun } from '#core/runs/query-run.ts';
import type { RunFacts } from '#core/runs/run-facts.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import { buildRequest } from '#core/runs/run-request.ts';
import type { CatalogueTable } from '#server/protocol.ts';
import { readRunSettings } from '../run-settings.ts';
import { factsOf } from './facts-of.ts';
import type { Prepared } from './prepared-run.ts';
import { recordOf } from './run-record.ts';

/** Maps a position in the sent text to the statement. */
export type Locate = ReturnType<typeof buildRequest>['locate'];

export interface SentRunInput {
  readonly prepared: Prepared;
  readonly permit: Permit;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly fields: readonly ParameterField[];
  /** The current connection, which may differ from that of the first run. */
  readonly connection: Extract<ConnectionState, { kind: 'connected' }>;
  /** The connection that the query belongs to, if it is another one. */
  readonly home: string | undefined;
  /** Aborts when no more rows are wanted, whatever is still called. */
  readonly closing: AbortSignal;
  /** Returns the known tables and columns of a model. */
  readonly tablesOf: (model: string) => readonly CatalogueTable[];
}

export class SentRun {
  readonly header: RunHeader;
  readonly facts: RunFacts;
  readonly #input: SentRunInput;
  readonly #startedAt = Date.now();

  constructor(input: SentRunInput) {
    this.#input = input;
    const { prepared, fields, parameters, connection } = input;
    this.header = {
      ...prepared.header,
      ...connectionOfRows(connection.profile),
      ...elsewhereOf(prepared, input.home),
      parameters: fields.map(shownParameter),
    };
    const service = serviceKeyOf(connection.profile);
    this.facts = factsOf({ prepared, service, startedAt: this.#startedAt, fields, parameters });
  }

  /**
   * Creates the run that writes the rows, without starting it. @param explain receives `locate` once the request is
   * built.
   * @throws if the values are invalid.
   */
  open(writer: ResultWriter, explain: (error: unknown, locate: Locate | undefined) => RunFailure): QueryRun {
    const { prepared, permit, parameters, fields, connection, closing, tablesOf } = this.#input;
    const { timeLimitMs, pageSize, rowLimit } = readRunSettings();
    const { request: sent, locate } = buildRequest(prepared.statement, {
      parameters,
      fields,
      sentAs: connection.client.queries.values,
    });
    let scanner: PageScanner | undefined;
    return new QueryRun({
      signal: closing,
      preparing: preparingWords(),
      pausing: pauseWords,
      execute: async (request, options) => {
        if (scanner === undefined) {
          const packed = await import('#core/rows/scan/page-scanner.ts');
          scanner = new packed.PageScanner('doubles');
        }
        return await sendQueryPacked(connection.client, permit, { request, scanner, options });
      },
      request: { ...sent, model: prepared.model },
      writer,
      expected: prepared.statement.columns,
      describe: (columns) =>
        describeColumns(columns, {
          statement: prepared.statement.text,
          tables: tablesOf(prepared.model),
        }),
      pageSize,
      rowLimit,
      // A person asks for each load, so each has the whole time.
      deadline: new Deadline(timeLimitMs, { isEachTime: true }),
      explain: (error) => explain(error, locate),
    });
  }

  recordOf(outcome: ReadOutcome): RunRecord {
    const { prepared, fields, connection } = this.#input;
    return recordOf({
      prepared,
      header: this.header,
      fields,
      outcome,
      startedAt: this.#startedAt,
      connectionKey: connectionKeyOf(connection.profile),
    });
  }
}

/** Says that the text is another connection's, wherever the rows go. */
function elsewhereOf(
  { savedQuery, header }: Prepared,
  home: string | undefined,
): Pick<RunHeader, 'home' | 'facts'> {
  if (home === undefined) return {};
  const text = savedQuery === undefined ? home : `${home} v${savedQuery.version}`;
  return { home, facts: [...(header.facts ?? []), { label: vscode.l10n.t('Text of'), text }] };
}

/** Returns what a header shows of a parameter: the default that was sent, and never a secret. */
export function shownParameter({ name, text, isNull, isEmpty, isSecret, defaultText }: ParameterField) {
  const isDefault = text === '' && !isNull && !isEmpty && defaultText !== undefined;
  return { name, text: isSecret ? '' : isDefault ? defaultText : text, isNull, isEmpty, isSecret };
}
