/** Exports whose file is still expected, found by data set and target. Independent of the editor. */
import { discardPart } from './export-parts.ts';
import type { ExportStore, KnownExport } from './export-store.ts';

/** Older data would be a surprise. */
const freshMs = 86_400_000;

/** Identifies a repeated request for the same data. */
export type SameExport = Pick<KnownExport, 'connectionKey' | 'context' | 'fileFormat'> & {
  readonly target: string;
};

/** The newest export that can be resumed. */
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

/** Removes the partial file of this target, of any export. @throws PartInUseError. */
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

/** The file is complete, so nothing waits for it. */
export async function keepAsSaved(store: ExportStore, known: KnownExport, file: string): Promise<void> {
  await store.put(known, (before) => ({ ...(before ?? known), savedTo: file, target: undefined }));
}
