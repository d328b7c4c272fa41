/** Agent access levels for a connection. Each level includes the previous ones; the default is `off`. */

export const agentLevels = ['off', 'schema', 'saved', 'select'] as const;
export type AgentLevel = (typeof agentLevels)[number];

export const isAgentLevel = (value: unknown): value is AgentLevel =>
  agentLevels.some((level) => level === value);

export const lowerLevel = (one: AgentLevel, other: AgentLevel): AgentLevel =>
  agentLevels[Math.min(agentLevels.indexOf(one), agentLevels.indexOf(other))] ?? 'off';

/** Returns whether `level` includes the requested level. */
export const holds = (level: AgentLevel, asked: Exclude<AgentLevel, 'off'>): boolean =>
  agentLevels.indexOf(level) >= agentLevels.indexOf(asked);
