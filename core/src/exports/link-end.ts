/** Expiry of an export's download link, as far as it can be computed locally. */
import type { KnownExport } from './export-store.ts';

/** Returns milliseconds since 1970; undefined if it has none yet, or if its lifetime is unknown. */
export function linkEndOf({
  status,
  completedAt,
  urlTtlMinutes,
  linkGoneAt,
}: Pick<KnownExport, 'status' | 'completedAt' | 'urlTtlMinutes' | 'linkGoneAt'>): number | undefined {
  if (status === 'completed' && linkGoneAt !== undefined) return linkGoneAt;
  if (status !== 'completed' || completedAt === undefined || urlTtlMinutes === undefined) return undefined;
  return completedAt + urlTtlMinutes * 60_000;
}
