/** The access level of agents on a connection, and their limits. */
import { lowerLevel, type AgentLevel } from '../connections/agent-level.ts';
import type { ConnectionProfile } from '../connections/connection-profile.ts';

/**
 * Returns the effective level. Agents never send their own SQL to a protected connection, whatever the configured
 * level.
 */
export function agentLevelOf({
  ai,
  protected: isProtected,
}: Pick<ConnectionProfile, 'ai' | 'protected'>): AgentLevel {
  const level = ai ?? 'off';
  return isProtected ? lowerLevel(level, 'saved') : level;
}

/** Limits on the size of a response and the rate of calls. */
export interface AgentLimits {
  readonly maxRows: number;
  /** Maximum size of a whole response in bytes, as JSON or text in UTF-8. */
  readonly maxBytes: number;
  readonly callsPerMinute: number;
}

export const defaultAgentLimits: AgentLimits = { maxRows: 100, maxBytes: 16_000, callsPerMinute: 20 };

/** The highest values that can be configured. */
const most: AgentLimits = { maxRows: 1_000, maxBytes: 200_000, callsPerMinute: 120 };

/** Clamps each limit to the range from 1 to its maximum; invalid values fall back to the default. */
export function agentLimitsFrom(wanted: Partial<Readonly<Record<keyof AgentLimits, unknown>>>): AgentLimits {
  const within = (name: keyof AgentLimits): number => {
    const value = wanted[name];
    return typeof value === 'number' && Number.isFinite(value)
      ? Math.min(most[name], Math.max(1, Math.floor(value)))
      : defaultAgentLimits[name];
  };
  return {
    maxRows: within('maxRows'),
    maxBytes: within('maxBytes'),
    callsPerMinute: within('callsPerMinute'),
  };
}
