/** Until when the link of an export works, as far as this machine knows. */
import type { KnownExport } from './export-store.ts';

/** Milliseconds since 1970; undefined while there is no link, or where its life is not known. */
export function linkEndOf({
  status,
  completedAt,
  urlTtlMinutes,
}: Pick<KnownExport, 'status' | 'completedAt' | 'urlTtlMinutes'>): number | undefined {
  if (status !== 'completed' || completedAt === undefined || urlTtlMinutes === undefined) return undefined;
  return completedAt + urlTtlMinutes * 60_000;
}
