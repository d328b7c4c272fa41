/** What agents can access: a connection that a user opened to them, and a way to propose queries. */
import type { ServiceClient } from '#api/client/client.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import type { AgentLevel } from '../connections/agent-level.ts';
import type { AgentLimits } from '../policy/agent-levels.ts';

export type AgentService = Pick<ServiceClient, 'queries' | 'savedQueries'>;

export interface AgentConnection {
  readonly name: string;
  /** Identifies the service and the client. Equal values get equal tokens as long as the key stays the same. */
  readonly key: string;
  /** The folder that the agent works in; refusals are counted per connection and folder. */
  readonly folder: string;
  /** The effective level (see `agentLevelOf`). */
  readonly level: AgentLevel;
  readonly limits: AgentLimits;
  /** Patterns of sensitive columns in addition to the classes, in the order of their weight (see `sensitivityBy`). */
  readonly sensitivePatterns: readonly string[];
  /** @throws ApiError or another error if the service cannot be reached. */
  service(): Promise<AgentService>;
  /** Returns IDs of saved queries that were seen on this machine, for a service without a list. */
  knownQueryIds?(): Promise<readonly string[]>;
  /**
   * Returns the models with their tables and columns.
   * @throws the same errors as `service`.
   */
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
  /** Returns the open connection; undefined if there is none. */
  connection(): AgentConnection | undefined;
  /** Handles a proposal without saving it. Returns a description of the outcome. */
  propose(proposal: Proposal): Promise<string>;
}
