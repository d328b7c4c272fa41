/** Serves agents over two streams until the client disconnects. */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Memory } from '../../memory/memory.ts';
import type { AgentHost } from '../agent-host.ts';
import { AgentSession } from '../agent-session.ts';
import { auditFileIn } from '../audit/audit-file.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { callRateIn } from '../call-rate.ts';
import { QueryChecks } from '../query-checks.ts';
import { refusalsIn } from '../refusals.ts';
import { createAgentServer, type AgentServerOptions } from './agent-server.ts';

export interface ServeOptions extends Omit<AgentServerOptions, 'library'> {
  readonly input: Readable;
  readonly output: Writable;
  /** Called with protocol errors, which never contain the content of a request. */
  readonly onError: (error: Error) => void;
}

/** Maximum size of a message in bytes, far more than any call needs. */
const messageBytesMax = 1_048_576;

/**
 * Starts a server. `ended` resolves when the client disconnects, and also if its messages cannot be read further or no
 * answer reaches it; `close` disconnects from this side.
 */
export async function serveAgents({
  input,
  output,
  onError,
  ...server
}: ServeOptions): Promise<{ readonly ended: Promise<void>; close(): Promise<void> }> {
  // Before any wait, so that an early end is not missed.
  const ended = Promise.withResolvers<undefined>();
  const end = (): void => ended.resolve(undefined);
  input.once('end', end).once('close', end);
  const library = await import('./protocol-library.ts');
  // A paused socket stays paused until it is piped or resumed: adding a listener, as the transport does, is not enough.
  const transport = new library.StdioServerTransport(input.pipe(new PassThrough()), output, {
    maxBufferSize: messageBytesMax,
  });
  const handle = library.serveStdio(() => createAgentServer({ library, ...server }), {
    transport,
    onerror: onError,
  });
  // The library closes a transport after a message that is too long, or when output is no longer read, without a word.
  const closed = transport.onclose;
  transport.onclose = () => {
    closed?.();
    end();
  };
  return { ended: ended.promise, close: () => handle.close() };
}

export function createAgentSession(
  host: AgentHost,
  /** With the log beside it: shared by all of the user's programs. */
  memory: Memory,
): { readonly session: AgentSession; readonly checks: QueryChecks; readonly audit: AuditLog } {
  const checks = new QueryChecks();
  const audit = new AuditLog(auditFileIn(memory.folder));
  return {
    session: new AgentSession({
      host,
      checks,
      audit,
      rate: callRateIn(memory),
      refusals: refusalsIn(memory),
    }),
    checks,
    audit,
  };
}
