/** What this machine remembers for the user. A damaged file is put aside, which the terminal says. */
import { dataFolder } from '#base/files/data-folder.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { Memory } from '#core/memory/memory.ts';
import type { CliContext } from './context.ts';
import { write } from './output.ts';

export function memoryOf({ environment, stderr }: Pick<CliContext, 'environment' | 'stderr'>): Memory {
  return new Memory(dataFolder(environment), (message) => void write(stderr, `${forTerminal(message)}\n`));
}
