/** What an agent may do on a connection, and how much of it. */
import { lowerLevel, type AgentLevel } from '../connections/agent-level.ts';
import type { ConnectionProfile } from '../connections/connection-profile.ts';

/** What is in force: free SQL never reaches a protected connection, whatever its entry says. */
export function agentLevelOf({
  ai,
  protected: isProtected,
}: Pick<ConnectionProfile, 'ai' | 'protected'>): AgentLevel {
  const level = ai ?? 'off';
  return isProtected ? lowerLevel(level, 'saved') : level;
}

/** How much an answer may hold, and how often one is asked for. */
export interface AgentLimits {
  readonly maxRows: number;
  /** Of the rows of an answer, as JSON in UTF-8. */
  readonly maxBytes: number;
  readonly callsPerMinute: number;
}

export const defaultAgentLimits: AgentLimits = { maxRows: 100, maxBytes: 16_000, callsPerMinute: 20 };

/** What nobody may ask for more of. */
const most: AgentLimits = { maxRows: 1_000, maxBytes: 200_000, callsPerMinute: 120 };

/** Each at least one, and at most what is sensible; what is no number is the default. */
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
