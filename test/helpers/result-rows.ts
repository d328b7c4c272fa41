/** Sample rows of an identity service, with every kind of cell value. Each index always produces the same row. */
import { ExactNumber } from '#api/client/json.ts';

export const sampleColumns = [
  { name: 'id', type: 'int8' },
  { name: 'alias', type: 'text' },
  { name: 'email', type: 'text' },
  { name: 'department', type: 'text' },
  { name: 'enabled', type: 'bool' },
  { name: 'is_admin', type: 'bool' },
  { name: 'risk_score', type: 'numeric' },
  { name: 'last_activity', type: 'timestamptz' },
  { name: 'mfa_status', type: 'text' },
  { name: 'manager', type: 'text' },
  { name: 'attributes', type: 'jsonb' },
] as const;

const departments = ['Finance', 'Sales', 'People', 'Engineering', 'Legal', ''];
const first = ['mara', 'jonas', 'amina', 'lee', 'sofia', 'tariq', 'ines', 'noah'];
const last = ['keller', 'brandt', 'okafor', 'chen', 'moreau', 'haddad', 'silva', 'lind'];

export function sampleRow(index: number): unknown[] {
  const alias = `${first[index % 8] ?? ''}.${last[Math.floor(index / 8) % 8] ?? ''}${index}`;
  const like = index % attributesOfRows.length;
  return [
    // Above 2^53, where doubles represent only every second integer.
    new ExactNumber((9_007_199_254_740_993n + BigInt(index)).toString()),
    alias,
    `${alias}@example.com`,
    ...(attributesOfRows[like] ??= attributesOf(like)),
  ];
}

/** Attributes repeat after this many rows, so that creating a million rows takes only about a second. */
const attributesOfRows = Array.from<readonly unknown[] | undefined>({ length: 10_000 });

function attributesOf(index: number): readonly unknown[] {
  const day = new Date(Date.UTC(2026, 0, 1) + index * 3_600_000 * 7).toISOString();
  return [
    departments[index % 6],
    index % 3 !== 0,
    index % 11 === 0,
    new ExactNumber(`${index % 100}.10`),
    index % 9 === 4 ? null : day.replace('T', ' ').replace('.000Z', '+00'),
    index % 4 === 0 ? 'NONE' : 'ENROLLED',
    index % 5 === 2 ? null : `${first[(index + 3) % 8] ?? ''}@example.com`,
    {
      location: { country: 'DE', site: `B${index % 7}` },
      groups: ['all-staff', `team-${index % 13}`],
      level: index % 5,
    },
  ];
}

export function sampleRows(from: number, count: number): unknown[][] {
  return Array.from({ length: count }, (_, index) => sampleRow(from + index));
}
