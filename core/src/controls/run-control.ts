/**
 * Runs one control through the gate and returns its outcome. Reads no more rows than needed. An unknown outcome is an
 * error, never a pass. Independent of the editor and of files; the caller passes their content.
 */
import type { ServiceClient } from '#api/client/client.ts';
import { limits } from '#api/contract/limits.ts';
import { Deadline, TimeLimitError } from '#base/async/deadline.ts';
import { t } from '#base/texts.ts';
import type { CalledPart, StatementInfo } from '#server/protocol.ts';
import type { RunFailure } from '../failures/run-failure.ts';
import { parameterFields, readForm } from '../parameters/form.ts';
import type { EnteredValue } from '../parameters/parameter-field.ts';
import { areUnknownColumns, mayRun, type GateFacts, type Permission } from '../policy/may-run.ts';
import { permit, sendQuery, type Permit } from '../policy/send-query.ts';
import type { RowsWriter } from '../reading/rows-writer.ts';
import { timeLimitMsDefault } from '../reading/time-limit.ts';
import { compareDecimal } from '../rows/decimal.ts';
import { explainFailure } from '../runs/explain-failure.ts';
import { QueryRun } from '../runs/query-run.ts';
import { buildRequest } from '../runs/run-request.ts';
import type { ControlNote, ControlPlace, ControlResult, Outcome } from './control-result.ts';
import { ControlRows, UnknownOutcome, type ControlFacts, type RowsWanted } from './control-rows.ts';
import type { Control } from './control.ts';
import { withoutForeignQuotes } from './failure-messages.ts';
import { outcomeMessage } from './outcome-messages.ts';
import { SingleNumber } from './single-number.ts';

/** The result of checking a control's text. The checks are the same as for Run in the editor. */
export interface CheckedControl {
  readonly statements: readonly StatementInfo[];
  /** The statements of the population's query, if the control has one. */
  readonly population?: readonly StatementInfo[];
  readonly model: string;
}

export interface ControlRun {
  readonly control: Control;
  readonly place: ControlPlace;
  readonly text: string;
  readonly checked: CheckedControl;
  readonly facts: ControlFacts;
}

export interface RunControlOptions {
  readonly client: Pick<ServiceClient, 'queries'>;
  readonly signal: AbortSignal;
  /** Values that replace defaults, by name; unknown names are ignored. */
  readonly parameters?: readonly EnteredValue[];
  /** If undefined, only queries proven to be read-only are sent. */
  readonly gate?: GateFacts;
  /** Maximum number of rows to read. An outcome still unknown at that point is an error. */
  readonly rowsMax?: number;
  /** How long one control may take in all, from its first request to its last row. */
  readonly timeLimitMs?: number;
  /** Maximum number of rows kept for a report; none by default. */
  readonly sampleRows?: number;
  /** Whether to read all rows, as far as the limits allow, so that they can be compared with those of another run. */
  readonly isEveryRow?: boolean;
  readonly now?: () => Date;
}

const rowsMaxDefault = 100_000;
const strictGate: GateFacts = { isProofRequired: true, isKnownToRun: false, isAccepted: () => false };

/** @throws AbortError if cancelled; all other failures become outcomes. */
export async function runControl(run: ControlRun, options: RunControlOptions): Promise<ControlResult> {
  const now = options.now ?? (() => new Date());
  const startedAt = now();
  const started = performance.now();
  let population: ControlResult['population'];
  const { lines } = run.control;
  let line = lineOf(run.control);
  const end = (
    result: Pick<ControlResult, 'outcome' | 'message'> & Partial<ControlResult>,
  ): ControlResult => ({
    control: run.control,
    place: run.place,
    line,
    digests: [],
    hasBaseline: run.facts.baseline !== undefined,
    notes: run.facts.notes,
    ...(population === undefined ? {} : { population }),
    startedAt,
    ms: Math.round(performance.now() - started),
    ...result,
  });
  try {
    const prepared = prepare(run, options, startedAt);
    const limited = withDeadline(options);
    line = lines.population ?? line;
    population = await countPopulation(run, limited, startedAt);
    line = lineOf(run.control);
    const rows = await readRows(run, prepared, limited, {
      isEveryRow: options.isEveryRow === true,
      mayEndEarly: options.isEveryRow === true,
    });
    const { keys } = rows;
    const outcome = rows.outcome();
    if (outcome.outcome === 'warn') line = lines.warn ?? line;
    return end({
      ...outcome,
      message: outcomeMessage(run.control, { ...outcome, population: population?.count }),
      digests: rows.digests,
      notes: [...run.facts.notes, ...rows.notes()],
      ...(options.isEveryRow !== true || keys === undefined ? {} : { keys }),
      ...(rows.sample === undefined ? {} : { sample: rows.sample }),
    });
  } catch (error) {
    if (options.signal.aborted) throw new DOMException('Cancelled', 'AbortError');
    if (!(error instanceof UnknownOutcome)) throw error;
    return end({ outcome: 'error', message: error.message, code: error.code });
  }
}

/** Returns the outcome of a control that cannot run. */
export function notRun(
  { control, place }: Pick<ControlRun, 'control' | 'place'>,
  {
    message,
    code,
    notes = [],
  }: { readonly message: string; readonly code: string; readonly notes?: readonly ControlNote[] },
): ControlResult {
  const outcome: Outcome = 'error';
  return {
    control,
    place,
    outcome,
    message,
    code,
    line: lineOf(control),
    digests: [],
    hasBaseline: false,
    notes,
    startedAt: new Date(),
    ms: 0,
  };
}

function lineOf({ problems: [problem], lines }: Control): number {
  return problem?.line ?? lines.expect;
}

/**
 * Reads, counts and identifies every row of a control.
 * @throws UnknownOutcome, AbortError
 */
export async function readAllRows(run: ControlRun, options: RunControlOptions): Promise<ControlRows> {
  const prepared = prepare(run, options, new Date());
  return await readRows(run, prepared, withDeadline({ ...options, sampleRows: 0 }), { isEveryRow: true });
}

/**
 * Reads the rows of a control with their names, up to a limit.
 * @throws UnknownOutcome, AbortError
 */
export async function readNamedRows(
  run: ControlRun,
  { namedMax, ...options }: RunControlOptions & { readonly namedMax: number },
): Promise<ControlRows> {
  const prepared = prepare(run, options, new Date());
  return await readRows(run, prepared, withDeadline({ ...options, sampleRows: 0 }), { namedMax });
}

/** The options of a control, whose queries share one time limit. */
interface LimitedOptions extends RunControlOptions {
  readonly deadline: Deadline;
}

function withDeadline(options: RunControlOptions): LimitedOptions {
  return { ...options, deadline: new Deadline(options.timeLimitMs ?? timeLimitMsDefault) };
}

interface PreparedControl {
  readonly permit: Permit;
  readonly request: ConstructorParameters<typeof QueryRun>[0]['request'];
  readonly statement: StatementInfo;
}

/** @throws UnknownOutcome if the query must not or cannot be sent. */
function prepare(run: ControlRun, options: RunControlOptions, now: Date): PreparedControl {
  const { control, checked, facts } = run;
  const [problem] = control.problems;
  if (problem !== undefined) throw new UnknownOutcome('INVALID_DIRECTIVE', problem.message);
  if (facts.problem !== undefined) throw new UnknownOutcome(facts.problem.code, facts.problem.message);
  return prepareStatement(run, checked.statements, { ...options, startedAt: now });
}

/** @throws UnknownOutcome if the query must not or cannot be sent. */
function prepareStatement(
  { control, text, checked }: ControlRun,
  statements: readonly StatementInfo[],
  {
    parameters = [],
    gate = strictGate,
    client,
    startedAt,
  }: Pick<RunControlOptions, 'client' | 'parameters' | 'gate'> & { readonly startedAt: Date },
): PreparedControl {
  const [statement, ...others] = statements;
  if (statement === undefined || others.length > 0)
    throw new UnknownOutcome(
      statement === undefined ? 'EMPTY_QUERY' : 'MULTIPLE_STATEMENTS',
      t('A control is a single query, but this text contains {0}.', statements.length),
    );
  const permission = mayRun(statement, gate);
  if (permission.kind !== 'go') throw new UnknownOutcome('NOT_PROVEN', notSentWords(permission));
  const fields = parameterFields(statement, {
    declarations: new Map(control.parameters.map((one) => [one.name, one])),
    recent: () => [],
  }).map((field) => ({ ...field, text: '', isNull: false, isEmpty: false }));
  const outcome = readForm(fields, parameters, { now: startedAt, words: () => '-' });
  if (outcome.kind === 'invalid') {
    const names = outcome.fields.filter((field) => field.problem !== undefined).map(({ name }) => name);
    throw new UnknownOutcome(
      'PARAMETER_MISSING',
      t(
        'These parameters have no valid value: {0}. Give each a default: -- @param name type = value',
        names.join(', '),
      ),
    );
  }
  const { request } = buildRequest(statement, { ...outcome, sentAs: client.queries.values });
  // Never prompts, since controls run unattended or in large numbers.
  return {
    permit: permit(permission, 'not-asked'),
    request: { ...request, model: checked.model },
    statement: { ...statement, text },
  };
}

/**
 * Counts the population with the same proof, gate, parameters and time limit as the control's own query.
 * @throws UnknownOutcome if there is no such number, or if it is too small.
 */
async function countPopulation(
  run: ControlRun,
  options: LimitedOptions,
  startedAt: Date,
): Promise<ControlResult['population']> {
  const count = await populationOf(run.control, async (single) => {
    const prepared = prepareStatement(run, run.checked.population ?? [], { ...options, startedAt });
    await readInto(single, { run, prepared, options, pageSize: 2, rowsMax: 2 });
  });
  return count === undefined ? undefined : { count, countedAt: (options.now ?? (() => new Date()))() };
}

/**
 * Returns the number that the query of the population answers; undefined if the control has none.
 * @throws UnknownOutcome if there is no such number, or if it is too small.
 */
export async function populationOf(
  { population }: Pick<Control, 'population'>,
  read: (single: SingleNumber) => Promise<void>,
): Promise<string | undefined> {
  if (population === undefined) return undefined;
  let count: string;
  try {
    const single = new SingleNumber();
    await read(single);
    count = single.number();
  } catch (error) {
    throw error instanceof UnknownOutcome
      ? new UnknownOutcome(error.code, t('The population is unknown: {0}', error.message))
      : error;
  }
  if (compareDecimal(count, population.least) < 0)
    throw new UnknownOutcome(
      'POPULATION_TOO_SMALL',
      population.least === '1'
        ? t(
            'The population is empty, so the control looked at nothing. If that is as it should be, add: -- @population >= 0',
          )
        : t('The population is {0}, but must be {1} or more.', count, population.least),
    );
  return count;
}

const namesOf = (parts: readonly CalledPart[]): string => parts.map(({ name }) => name).join(', ');

function notSentWords(permission: Exclude<Permission, { kind: 'go' }>): string {
  if (permission.kind === 'refuse') return t('The query was not sent: it may change data.');
  switch (permission.reason) {
    case 'syntax-error':
      return t('The query was not sent: PostgreSQL cannot parse it.');
    case 'unverified':
      return t('The query was not sent: the checks could not finish, so it is not proven read-only.');
    case 'side-effects':
    case 'unknown-function':
      if (areUnknownColumns(permission.parts))
        return t(
          'The query was not sent: it names columns that their tables lack: {0}.',
          namesOf(permission.parts),
        );
      return t(
        'The query was not sent: it is not proven read-only. It calls {0}.',
        namesOf(permission.parts),
      );
    default:
      return permission.reason satisfies never;
  }
}

async function readRows(
  run: ControlRun,
  prepared: PreparedControl,
  options: LimitedOptions,
  reading: Omit<RowsWanted, 'sampleRows'> = {},
): Promise<ControlRows> {
  const { sampleRows = 0, rowsMax = rowsMaxDefault } = options;
  const rows = new ControlRows(run.control, run.facts, { sampleRows, ...reading });
  const pageSize = Math.min(limits.executePageSizeMax, Math.max(1, rows.rowsWanted));
  await readInto(rows, { run, prepared, options, pageSize, rowsMax });
  return rows;
}

/** Takes the rows of a query, until it has what it needs. */
interface RowsTaker extends RowsWriter {
  readonly read: number;
  readonly isDone: boolean;
  /** Whether the outcome is known, although rows that were wanted for a comparison are missing. */
  readonly isKnownEarly?: boolean;
  readonly failure: RunFailure | undefined;
}

/** @throws UnknownOutcome, AbortError */
async function readInto(
  rows: RowsTaker,
  {
    run: { text },
    prepared: { permit: allowed, request },
    options: { client, signal, deadline },
    pageSize,
    rowsMax,
  }: {
    readonly run: Pick<ControlRun, 'text'>;
    readonly prepared: PreparedControl;
    readonly options: LimitedOptions;
    readonly pageSize: number;
    readonly rowsMax: number;
  },
): Promise<void> {
  const query = new QueryRun({
    ...{ signal, deadline, request, pageSize, writer: rows, rowLimit: rowsMax },
    execute: (asked, options) => sendQuery(client, allowed, asked, options),
    explain: failureIn,
  });
  const outcome = await query.readUntil(() => rows.isDone);
  signal.throwIfAborted();
  // Rows that are only wanted for a comparison must not turn a known outcome into an unknown one.
  if (rows.isKnownEarly === true) return;
  // An unexpected failure of this program must not count as a pass either.
  if (outcome.kind === 'failed') {
    const { code = 'FAILED', message, hint, fault } = outcome.failure;
    const words = hint === undefined ? message : `${message.replace(/(?<![.!?])$/, '.')} ${hint}`;
    // A sign-in that is refused says nothing of rows.
    throw new UnknownOutcome(code, fault === 'sign-in' ? words : withoutForeignQuotes(words, text));
  }
  if (!rows.isDone)
    throw new UnknownOutcome(
      'ROW_LIMIT',
      t('The query returns more than {0} rows, so its outcome is unknown.', rowsMax),
    );
}

function failureIn(error: unknown): RunFailure {
  if (error instanceof UnknownOutcome) return { message: error.message, code: error.code, reasons: [] };
  if (error instanceof TimeLimitError)
    return {
      message: t('The control was stopped after {0} s, so its outcome is unknown.', error.limitMs / 1_000),
      code: 'TIME_LIMIT',
      reasons: [],
    };
  return explainFailure(error, () => undefined);
}
