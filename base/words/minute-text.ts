/** Writes a time to the minute, in UTC. */

/** @param iso as `Date.toISOString` writes it. @returns `2026-01-31 08:00` */
export function minuteText(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
