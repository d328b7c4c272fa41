/** Finds exports whose files are not yet saved, by data set and target. Independent of the editor. */
import { discardPart } from './export-parts.ts';
import type { ExportStore, KnownExport } from './export-store.ts';

/** Users expect recent data, so older exports are not resumed. */
const freshMs = 86_400_000;

/** The facts that identify a repeated request for the same data. */
export type SameExport = Pick<KnownExport, 'connectionKey' | 'context' | 'fileFormat'> & {
  readonly target: string;
};

/** Returns the newest matching export that can be resumed. */
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

/** Discards the partial files for this target, whichever export they belong to. @throws PartInUseError. */
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

/** Records that the file was saved, so it is no longer unfinished. */
export async function keepAsSaved(store: ExportStore, known: KnownExport, file: string): Promise<void> {
  await store.put(known, (before) => ({ ...(before ?? known), savedTo: file, target: undefined }));
}
