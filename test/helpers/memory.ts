/** What this machine remembers, in a folder of a test, which fails if a file is put aside. */
import assert from 'node:assert/strict';
import { Memory } from '#core/memory/memory.ts';

export function memoryAt(folder: string): Memory {
  return new Memory(folder, (message) => assert.fail(message));
}
