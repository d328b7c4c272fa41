/**
 * Serves agents over two streams until the client ends them. A separate bundle, so only this loads the protocol
 * library.
 */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { AgentHost } from '../agent-host.ts';
import { AgentSession } from '../agent-session.ts';
import { auditFileIn } from '../audit/audit-file.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { callRateIn } from '../call-rate.ts';
import { QueryChecks } from '../query-checks.ts';
import { createAgentServer, type AgentServerOptions } from './agent-server.ts';

export { AgentSession, AuditLog, QueryChecks };

export interface ServeOptions extends Omit<AgentServerOptions, 'session'> {
  readonly session: AgentSession;
  readonly input: Readable;
  readonly output: Writable;
  /** Protocol version and similar facts; never the content of a request. */
  readonly onError: (error: Error) => void;
}

/** Maximum bytes of a message: far more than a call needs. */
const messageBytesMax = 1_048_576;

/** Resolves when the client disconnects. `close` ends it from here. */
export function serveAgents({ input, output, onError, ...server }: ServeOptions): {
  readonly ended: Promise<void>;
  close(): Promise<void>;
} {
  // A paused socket stays paused until it is piped or resumed: adding a listener, as the transport does, is not enough.
  const transport = new StdioServerTransport(input.pipe(new PassThrough()), output, {
    maxBufferSize: messageBytesMax,
  });
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve).once('close', resolve);
  });
  const handle = serveStdio(() => createAgentServer(server), { transport, onerror: onError });
  return { ended, close: () => handle.close() };
}

export function createAgentSession(
  host: AgentHost,
  /** The folder where this person's programs share a log and count calls. */
  dataFolder: string,
): { readonly session: AgentSession; readonly checks: QueryChecks; readonly audit: AuditLog } {
  const checks = new QueryChecks();
  const audit = new AuditLog(auditFileIn(dataFolder));
  return { session: new AgentSession({ host, checks, audit, rate: callRateIn(dataFolder) }), checks, audit };
}
