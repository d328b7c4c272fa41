/** Expiry of an export's download link, as far as it can be computed locally. */
import type { KnownExport } from './export-store.ts';

/** Returns milliseconds since 1970; undefined if there is no link, or if its lifetime is unknown. */
export function linkEndOf({
  status,
  completedAt,
  urlTtlMinutes,
}: Pick<KnownExport, 'status' | 'completedAt' | 'urlTtlMinutes'>): number | undefined {
  if (status !== 'completed' || completedAt === undefined || urlTtlMinutes === undefined) return undefined;
  return completedAt + urlTtlMinutes * 60_000;
}
