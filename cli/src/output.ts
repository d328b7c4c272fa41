/** The process' standard streams as the commands see them, so that a test can give its own. */
import type { Readable, Writable } from 'node:stream';
import { once } from 'node:events';
import { jsonForTerminal } from '../../core/src/shown-text/for-terminal.ts';

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * What a command ends with: as asked; findings, failed controls or differences; a wrong call, input that cannot be read
 * or understood, or a service that could not be asked.
 */
export const exitCodes = { clean: 0, errorsFound: 1, badInput: 2 } as const;

/** Waits while the reader of the output is slower than we are, so that memory stays constant. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) {
    await once(stream, 'drain');
  }
}

/** One answer for machines. */
export async function writeJson(stream: Writable, value: unknown): Promise<void> {
  await write(stream, `${jsonForTerminal(JSON.stringify(value, undefined, 2))}\n`);
}

/** Whether a person is looking, who is shown colours and progress. */
export function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}
