/** An agent tool: its input and output, the level it needs, and its implementation. */
import type { Static, TObject } from 'typebox';
import type { AgentLevel } from '#core/connections/agent-level.ts';
import type { Masker } from '#core/policy/masking/masker.ts';
import type { AgentConnection, AgentHost } from '../agent-host.ts';
import { fitText, textLengths } from '../answers/fit-values.ts';
import type { AuditEntry } from '../audit/audit-chain.ts';
import type { QueryChecks } from '../query-checks.ts';

/** A tool's response. `status` comes first, since it determines how far to trust the rest. */
export interface Answer {
  readonly status: 'complete' | 'truncated' | 'refused';
  /** A stable code for a refusal. */
  readonly code?: string;
  readonly reason?: string;
  /** Advice on what to do instead. */
  readonly advice?: string;
  /** What a refusal is about: data, unlike the members before it. */
  readonly what?: string;
}

export interface Outcome {
  readonly answer: Answer;
  /** Additional fields for the log. */
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
  /** Whether the tool sends a query to the service. If so, a client must ask for permission before each call. */
  readonly isRun: boolean;
  readonly input: Input;
  readonly output: TObject;
  readonly run: (input: Static<Input>, context: ToolContext) => Promise<Outcome>;
}

/** Checks a tool's definition against its input type, and erases that type for the list of tools. */
export function agentTool<Input extends TObject>(tool: AgentTool<Input>): AgentTool {
  return tool; // callers check the input against its schema
}

/** What is refused about a text beside the gate's reasons. */
export type TextRefusal = 'invalid-directive' | 'parameters';

export function refused(code: string, reason: string, advice?: string): Outcome {
  return { answer: { status: 'refused', code, reason, ...(advice === undefined ? {} : { advice }) } };
}

/** @param what names, which may be anybody's text and are therefore data, as a reason is not. */
export function refusedFor(
  what: string | undefined,
  { code, reason, advice }: { readonly code: string; readonly reason: string; readonly advice?: string },
): Outcome {
  const { answer } = refused(code, reason, advice);
  return {
    answer: { ...answer, ...(what === undefined ? {} : { what: fitText(what, textLengths.description) }) },
  };
}
