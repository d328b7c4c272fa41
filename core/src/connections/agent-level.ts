/** The level of agents on a connection. Each level includes those before it; without a setting it is `off`. */

export const agentLevels = ['off', 'schema', 'saved', 'select'] as const;
export type AgentLevel = (typeof agentLevels)[number];

export const isAgentLevel = (value: unknown): value is AgentLevel =>
  agentLevels.some((level) => level === value);

/** The lower of two. */
export const lowerLevel = (one: AgentLevel, other: AgentLevel): AgentLevel =>
  agentLevels[Math.min(agentLevels.indexOf(one), agentLevels.indexOf(other))] ?? 'off';

/** Whether `level` includes the requested one. */
export const holds = (level: AgentLevel, asked: Exclude<AgentLevel, 'off'>): boolean =>
  agentLevels.indexOf(level) >= agentLevels.indexOf(asked);
