/** Colors text on a terminal, unless NO_COLOR is set (no-color.org). */
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { isTerminal } from '../output.ts';

export type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

export function styleFor(stream: Writable, environment: NodeJS.ProcessEnv): Style {
  const isPlain =
    !isTerminal(stream) || (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return isPlain
    ? (_format, text) => text
    : (format, text) => styleText(format, text, { validateStream: false });
}
