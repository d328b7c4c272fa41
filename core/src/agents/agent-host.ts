/** What agents are served from: a connection that a person opened to them, and what a proposal becomes. */
import type { ServiceClient } from '../../../api/client/client.ts';
import type { Catalogue } from '../../../server/src/language/names/catalogue.ts';
import type { AgentLevel } from '../connections/agent-level.ts';
import type { AgentLimits } from '../policy/agent-levels.ts';
import type { SensitivityOf } from '../policy/masking/sensitive-columns.ts';

export type AgentService = Pick<ServiceClient, 'queries' | 'savedQueries'>;

export interface AgentConnection {
  readonly name: string;
  /** The same for the same service and client: values have the same tokens as long as it is. */
  readonly key: string;
  /** What is in force (`agentLevelOf`). */
  readonly level: AgentLevel;
  readonly limits: AgentLimits;
  readonly sensitivityOf: SensitivityOf;
  /** @throws ApiError and the like when the service cannot be asked. */
  service(): Promise<AgentService>;
  /** Models with their tables and columns. @throws as `service`. */
  catalogue(): Promise<Catalogue>;
}

/** A query that an agent would like to have saved. */
export interface Proposal {
  readonly name: string;
  readonly sql: string;
  readonly model: string;
  readonly description: string | undefined;
}

export interface AgentHost {
  /** Undefined: there is none. */
  connection(): AgentConnection | undefined;
  /** What became of it, in words; nothing is saved. */
  propose(proposal: Proposal): Promise<string>;
}
