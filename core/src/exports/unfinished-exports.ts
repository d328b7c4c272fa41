/** Exports whose file is still waited for, found again by what was asked for and where it is to be. No editor API in here. */
import { discardPart } from './export-parts.ts';
import type { ExportStore, KnownExport } from './export-store.ts';

/** An older one would bring data that nobody expects any more. */
const freshMs = 86_400_000;

/** What tells whether somebody asks for the same once more. */
export type SameExport = Pick<KnownExport, 'connectionKey' | 'context' | 'fileFormat'> & {
  readonly target: string;
};

/** The newest that can be gone on with. */
export async function findUnfinished(
  store: ExportStore,
  wanted: SameExport,
  now: number,
): Promise<KnownExport | undefined> {
  return (await store.list()).find(
    (known) =>
      known.connectionKey === wanted.connectionKey &&
      known.context === wanted.context &&
      known.fileFormat === wanted.fileFormat &&
      known.target === wanted.target &&
      known.status !== 'failed' &&
      now - known.createdAt < freshMs,
  );
}

/** Takes away what has arrived for this place, of whatever export. @throws PartInUseError. */
export async function leaveUnfinished(
  store: ExportStore,
  { connectionKey, target }: Pick<SameExport, 'connectionKey' | 'target'>,
): Promise<void> {
  for (const known of await store.list()) {
    if (known.connectionKey !== connectionKey || known.target !== target) continue;
    const parts = known.parts ?? [];
    for (const part of parts) if (part.target === target) await discardPart(store, known, part);
    await store.put(known, (before) => ({ ...(before ?? known), target: undefined }));
  }
}

/** The file is there, so nobody waits for it any more. */
export async function keepAsSaved(store: ExportStore, known: KnownExport, file: string): Promise<void> {
  await store.put(known, (before) => ({ ...(before ?? known), savedTo: file, target: undefined }));
}
