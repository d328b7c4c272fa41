/**
 * Handles the calls of one agent. Each call passes the same checks: the connection's level, the call rate, and the
 * input schema. Then the tool runs, and the call is logged. Without a log entry, there is no response.
 */
import { createHash } from 'node:crypto';
import { Value } from 'typebox/value';
import { cutEnd } from '#base/shown-text/cut.ts';
import { countedText } from '#base/words/counted-text.ts';
import { holds } from '../connections/agent-level.ts';
import { defaultAgentLimits } from '../policy/agent-levels.ts';
import type { AgentRefusal } from '../policy/agent-query.ts';
import { Masker } from '../policy/masking/masker.ts';
import type { AgentConnection, AgentHost } from './agent-host.ts';
import { fitAnswer } from './answers/fit-answer.ts';
import { fitName } from './answers/fit-values.ts';
import type { AuditEntry } from './audit/audit-chain.ts';
import { AuditFailure } from './audit/audit-log.ts';
import { CallRateFailure, type CallRate } from './call-rate.ts';
import { answerFailure } from './failure-answer.ts';
import type { QueryChecks } from './query-checks.ts';
import { refusalsMax, silenceMs, type Refusals } from './refusals.ts';
import { agentTools } from './tools/agent-tools.ts';
import { refused, type AgentTool, type Answer, type Outcome, type TextRefusal } from './tools/tool.ts';

export interface AgentSessionOptions {
  readonly host: AgentHost;
  readonly checks: QueryChecks;
  /** @throws AuditFailure */
  readonly audit: { add(entry: AuditEntry): Promise<void> };
  readonly rate: CallRate;
  readonly refusals: Refusals;
}

export interface Caller {
  /** The client's name, as reported by the client. */
  readonly client: string;
  readonly signal: AbortSignal;
}

/** Maximum number of SQL characters kept in the log. */
const loggedSqlMax = 20_000;

export class AgentSession {
  readonly #options: AgentSessionOptions;
  readonly #maskers = new Map<string, Masker>();

  constructor(options: AgentSessionOptions) {
    this.#options = options;
  }

  /** Returns the tools that the connection currently allows; empty if it allows none. */
  tools(): readonly AgentTool[] {
    const level = this.#options.host.connection()?.level ?? 'off';
    return agentTools.filter((tool) => holds(level, tool.level));
  }

  /** Describes the connection and its limits for tool descriptions, which editors show when they ask for permission. */
  bounds(): string {
    const connection = this.#options.host.connection();
    if (connection === undefined) return '';
    const { maxRows, maxBytes, callsPerMinute } = connection.limits;
    return `Connection: ${fitName(connection.name)}. At most ${countedText(maxRows, 'row')} and ${countedText(maxBytes, 'byte')} per response, and ${countedText(callsPerMinute, 'call')} per minute.`;
  }

  /** Runs a tool. Never rejects. */
  async call(name: string, input: unknown, caller: Caller): Promise<Answer> {
    const connection = this.#options.host.connection();
    const outcome = await this.#counted(await this.#outcome(name, input, connection, caller), connection);
    const { maxBytes } = connection?.limits ?? defaultAgentLimits;
    const answer = fitAnswer(outcome.answer, maxBytes);
    const { sql, ...rest } = outcome.audit ?? {};
    const told: unknown = Reflect.get(answer, 'rowCount');
    try {
      await this.#options.audit.add({
        at: new Date().toISOString(),
        client: fitName(caller.client),
        tool: fitName(name),
        connection: connection?.name ?? '',
        ...rest,
        ...(rest.rows === undefined || typeof told !== 'number' ? {} : { rows: told }),
        ...(sql === undefined
          ? {}
          : {
              sql: cutEnd(sql, loggedSqlMax),
              sqlDigest: createHash('sha256').update(sql).digest('hex'),
            }),
        status: answer.status === 'refused' && isFailure(answer) ? 'failed' : answer.status,
        ...(answer.code === undefined ? {} : { code: answer.code }),
      });
    } catch (error) {
      if (!(error instanceof AuditFailure)) throw error;
      return refused('not-logged', error.message, roomAdvice).answer;
    }
    return answer;
  }

  async #outcome(
    name: string,
    input: unknown,
    connection: AgentConnection | undefined,
    { signal }: Caller,
  ): Promise<Outcome> {
    const tool = agentTools.find((each) => each.name === name);
    if (connection === undefined || tool === undefined || !holds(connection.level, tool.level))
      return refused(
        'not-allowed',
        'The connection does not allow agents to do this.',
        'A person can allow more with "ai" in the entry of the connection.',
      );
    const overdrawn = await this.#takeCall(connection);
    if (overdrawn !== undefined) return overdrawn;
    if (!Value.Check(tool.input, input))
      return refused(
        'input',
        "The input does not match the tool's schema.",
        'Read the schema, and call again.',
      );
    const { host, checks } = this.#options;
    try {
      return await tool.run(input, { connection, host, checks, masker: this.#maskerOf(connection), signal });
    } catch (error) {
      return { ...answerFailure(error), audit: askedIn(input) };
    }
  }

  /** Counts a refusal of the gate. The one that begins a silence says so, in its answer and in the log. */
  async #counted(outcome: Outcome, connection: AgentConnection | undefined): Promise<Outcome> {
    const { status, code = '' } = outcome.answer;
    if (connection === undefined || status !== 'refused' || !Object.hasOwn(counted, code)) return outcome;
    try {
      return (await this.#options.refusals.count(placeOf(connection)))
        ? { ...silenced(silenceMs), audit: outcome.audit ?? {} }
        : outcome;
    } catch (error) {
      if (!(error instanceof CallRateFailure)) throw error;
      return refused('not-counted', error.message, roomAdvice);
    }
  }

  /** Counts the call. Returns undefined if it may proceed. */
  async #takeCall(connection: AgentConnection): Promise<Outcome | undefined> {
    const {
      key,
      limits: { callsPerMinute },
    } = connection;
    try {
      const silentMs = await this.#options.refusals.silence(placeOf(connection));
      if (silentMs !== undefined) return silenced(silentMs);
      const waitMs = await this.#options.rate.take(key, callsPerMinute);
      return waitMs === undefined
        ? undefined
        : refused(
            'too-many-calls',
            `There ${callsPerMinute === 1 ? 'was' : 'were'} ${countedText(callsPerMinute, 'call')} within a minute, across all of this user's programs.`,
            `Try again in ${countedText(Math.ceil(waitMs / 1_000), 'second')}.`,
          );
    } catch (error) {
      if (!(error instanceof CallRateFailure)) throw error;
      return refused('not-counted', error.message, roomAdvice);
    }
  }

  #maskerOf({ key }: AgentConnection): Masker {
    const known = this.#maskers.get(key) ?? new Masker();
    this.#maskers.set(key, known);
    return known;
  }
}

/** The refusals of what an agent asked, each of which tells something about the data or the checks. */
const counted: Readonly<Record<AgentRefusal['code'] | TextRefusal, true>> = {
  'not-read-only': true,
  'not-proven': true,
  'side-effects': true,
  'unknown-function': true,
  'syntax-error': true,
  'sensitive-column': true,
  'unknown-table': true,
  unlimited: true,
  'too-complex': true,
  'invalid-directive': true,
  parameters: true,
};

const placeOf = ({ key, folder }: AgentConnection): string =>
  createHash('sha256').update(`${key}\0${folder}`).digest('hex');

const silenced = (ms: number): Outcome =>
  refused(
    'silenced',
    `There were ${refusalsMax} refused calls on this connection from this folder, so none is answered for a while.`,
    `Ask a person. Calls are answered again in ${countedText(Math.ceil(ms / 60_000), 'minute')}.`,
  );

const roomAdvice = "Ask a person to free disk space, or to check this program's folder.";

const failures: ReadonlySet<string> = new Set(['service-error', 'failed', 'cancelled']);
const isFailure = ({ code = '' }: Answer): boolean => failures.has(code);

/** Returns the SQL or the subject of a request, for logging a call that failed early. */
function askedIn(input: unknown): Pick<AuditEntry, 'sql' | 'subject'> {
  const text = (name: string): string | undefined => {
    const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const sql = text('sql');
  const subject = text('id') ?? text('table') ?? text('search') ?? text('name');
  return { ...(sql === undefined ? {} : { sql }), ...(subject === undefined ? {} : { subject }) };
}
