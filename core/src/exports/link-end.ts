/** Expiry of an export's link, as far as this machine knows. */
import type { KnownExport } from './export-store.ts';

/** Milliseconds since 1970; undefined without a link, or if its lifetime is unknown. */
export function linkEndOf({
  status,
  completedAt,
  urlTtlMinutes,
}: Pick<KnownExport, 'status' | 'completedAt' | 'urlTtlMinutes'>): number | undefined {
  if (status !== 'completed' || completedAt === undefined || urlTtlMinutes === undefined) return undefined;
  return completedAt + urlTtlMinutes * 60_000;
}
