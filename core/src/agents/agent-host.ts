/**
 * The source of everything that agents see: a connection that a person opened to them, and the handling of their
 * proposals.
 */
import type { ServiceClient } from '../../../api/client/client.ts';
import type { Catalogue } from '../../../server/src/language/names/catalogue.ts';
import type { AgentLevel } from '../connections/agent-level.ts';
import type { AgentLimits } from '../policy/agent-levels.ts';
import type { SensitivityOf } from '../policy/masking/sensitive-columns.ts';

export type AgentService = Pick<ServiceClient, 'queries' | 'savedQueries'>;

export interface AgentConnection {
  readonly name: string;
  /** Stable for one service and client: equal values get equal tokens while it stays the same. */
  readonly key: string;
  /** The effective level (`agentLevelOf`). */
  readonly level: AgentLevel;
  readonly limits: AgentLimits;
  readonly sensitivityOf: SensitivityOf;
  /** @throws ApiError and others when the service cannot be reached. */
  service(): Promise<AgentService>;
  /** Models with their tables and columns. @throws the same errors as `service`. */
  catalogue(): Promise<Catalogue>;
}

/** A query that an agent proposes to save. */
export interface Proposal {
  readonly name: string;
  readonly sql: string;
  readonly model: string;
  readonly description: string | undefined;
}

export interface AgentHost {
  /** Undefined: there is none. */
  connection(): AgentConnection | undefined;
  /** Returns the outcome in words; saves nothing. */
  propose(proposal: Proposal): Promise<string>;
}
