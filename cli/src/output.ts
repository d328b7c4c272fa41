/** The process' standard streams, injectable for tests. */
import type { Readable, Writable } from 'node:stream';
import { once } from 'node:events';
import { jsonForTerminal } from '../../core/src/shown-text/for-terminal.ts';

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Exit codes: success; findings, failed controls or differences; wrong usage, invalid input,
 * or an unreachable service.
 */
export const exitCodes = { clean: 0, errorsFound: 1, badInput: 2 } as const;

/** Waits for a slow reader, so that memory stays bounded. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) {
    await once(stream, 'drain');
  }
}

/** One machine-readable result. */
export async function writeJson(stream: Writable, value: unknown): Promise<void> {
  await write(stream, `${jsonForTerminal(JSON.stringify(value, undefined, 2))}\n`);
}

/** Whether a person is watching, for colours and progress. */
export function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}
