/** A tool of agents: what it takes and gives, what a connection must allow for it, and what it does. */
import type { Static, TObject } from 'typebox';
import type { AgentLevel } from '../../connections/agent-level.ts';
import type { Masker } from '../../policy/masking/masker.ts';
import type { AuditEntry } from '../audit/audit-chain.ts';
import type { AgentConnection, AgentHost } from '../agent-host.ts';
import type { QueryChecks } from '../query-checks.ts';

/** The first member says how far it is to be trusted. */
export interface Answer {
  readonly status: 'complete' | 'truncated' | 'refused';
  /** A stable word, where it was refused. */
  readonly code?: string;
  readonly reason?: string;
  /** What to do instead. */
  readonly advice?: string;
}

export interface Outcome {
  readonly answer: Answer;
  /** What the log says of it besides. */
  readonly audit?: Pick<AuditEntry, 'sql' | 'subject' | 'rows' | 'masked'>;
}

export interface ToolContext {
  readonly connection: AgentConnection;
  readonly host: AgentHost;
  readonly checks: QueryChecks;
  readonly masker: Masker;
  readonly signal: AbortSignal;
}

export interface AgentTool<Input extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly level: Exclude<AgentLevel, 'off'>;
  /** Whether it sends a query to the service: then a client must ask before each call. */
  readonly isRun: boolean;
  readonly input: Input;
  readonly output: TObject;
  readonly run: (input: Static<Input>, context: ToolContext) => Promise<Outcome>;
}

/** Keeps the input's type where the tool is written, and forgets it where tools are listed. */
export function agentTool<Input extends TObject>(tool: AgentTool<Input>): AgentTool {
  return tool; // whoever calls it checks the input against its schema
}

export function refused(code: string, reason: string, advice?: string): Outcome {
  return { answer: { status: 'refused', code, reason, ...(advice === undefined ? {} : { advice }) } };
}
