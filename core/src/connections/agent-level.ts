/** What an agent may do on a connection. A level holds those before it; whoever sets none gives nothing. */

export const agentLevels = ['off', 'schema', 'saved', 'select'] as const;
export type AgentLevel = (typeof agentLevels)[number];

export const isAgentLevel = (value: unknown): value is AgentLevel =>
  agentLevels.some((level) => level === value);

/** The lower of two. */
export const lowerLevel = (one: AgentLevel, other: AgentLevel): AgentLevel =>
  agentLevels[Math.min(agentLevels.indexOf(one), agentLevels.indexOf(other))] ?? 'off';

/** Whether `level` holds what is asked for. */
export const holds = (level: AgentLevel, asked: Exclude<AgentLevel, 'off'>): boolean =>
  agentLevels.indexOf(level) >= agentLevels.indexOf(asked);
