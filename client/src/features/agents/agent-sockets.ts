/** The relays' sockets. Each one is a client of this window's single session. Does not depend on the editor. */
import type { Socket } from 'node:net';
import type { Logger } from '#base/logger.ts';
import type { AgentHost } from '#core/agents/agent-host.ts';
import type { Memory } from '#core/memory/memory.ts';

export interface AgentSocketsOptions {
  readonly host: AgentHost;
  readonly memory: Memory;
  readonly version: string;
  readonly log: Pick<Logger, 'debug' | 'error'>;
  /** Registers a listener for possible permission changes; returns a function that removes it. */
  readonly onDidChange: (listener: () => void) => () => void;
}

export class AgentSockets {
  readonly #options: AgentSocketsOptions;
  #started: ReturnType<typeof start> | undefined;

  constructor(options: AgentSocketsOptions) {
    this.#options = options;
  }

  serve(socket: Socket): void {
    const { log } = this.#options;
    this.#serve(socket).catch((error: unknown) => {
      log.error(`agents: ${error instanceof Error ? error.name : 'failed'}`);
      socket.destroy();
    });
  }

  dispose(): void {
    void this.#started?.then(({ checks }) => checks.dispose());
  }

  async #serve(socket: Socket): Promise<void> {
    const { host, memory, version, log, onDidChange } = this.#options;
    this.#started ??= start(host, memory);
    const { agents, session } = await this.#started;
    const served = await agents.serveAgents({
      session,
      version,
      input: socket,
      output: socket,
      onDidChange,
      onError: (error) => log.debug(`agents: ${error.name}`),
    });
    await served.ended;
    await served.close();
  }
}

/** Loaded when the first agent connects, since the protocol and the parser's analysis take half a megabyte. */
async function start(host: AgentHost, memory: Memory) {
  const agents = await import('#core/agents/mcp/serve.ts');
  return { agents, ...agents.createAgentSession(host, memory) };
}
