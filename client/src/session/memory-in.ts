/** What this machine remembers in a folder. A damaged file is put aside, which a notification says. */
import { Memory } from '#core/memory/memory.ts';
import { showWarningMessage } from '../ui/shown/notifications.ts';

export function memoryIn(folder: string): Memory {
  return new Memory(folder, (message) => void showWarningMessage(message));
}
