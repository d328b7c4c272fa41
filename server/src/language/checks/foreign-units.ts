/** Units of time as other databases spell them: `day`, `dd`, `'day'`, `SQL_TSI_DAY`. */

export interface Unit {
  /** How many of the unit that an interval names. */
  readonly count: number;
  /** The unit of an interval, in the singular. */
  readonly name: string;
  /** The field of `extract`; undefined if its value differs from the other databases'. */
  readonly field?: string;
}

const units: Readonly<Record<string, { readonly unit: Unit; readonly spellings: string }>> = {
  year: { unit: { count: 1, name: 'year', field: 'YEAR' }, spellings: 'year years yy yyyy' },
  quarter: { unit: { count: 3, name: 'month', field: 'QUARTER' }, spellings: 'quarter quarters qq q' },
  month: { unit: { count: 1, name: 'month', field: 'MONTH' }, spellings: 'month months mm' },
  week: { unit: { count: 1, name: 'week' }, spellings: 'week weeks wk ww' },
  day: { unit: { count: 1, name: 'day', field: 'DAY' }, spellings: 'day days dd d' },
  hour: { unit: { count: 1, name: 'hour', field: 'HOUR' }, spellings: 'hour hours hh' },
  minute: { unit: { count: 1, name: 'minute', field: 'MINUTE' }, spellings: 'minute minutes mi n' },
  second: { unit: { count: 1, name: 'second' }, spellings: 'second seconds ss s' },
  millisecond: { unit: { count: 1, name: 'millisecond' }, spellings: 'millisecond milliseconds ms' },
};

const bySpelling: ReadonlyMap<string, Unit> = new Map(
  Object.values(units).flatMap(({ unit, spellings }) =>
    spellings.split(' ').map((spelling) => [spelling, unit] as const),
  ),
);

/** Returns the unit that an argument names, with or without quotes. */
export const unitOf = (written: string): Unit | undefined =>
  bySpelling.get(
    written
      .toLowerCase()
      .replace(/^'(.*)'$/, '$1')
      .replace(/^sql_tsi_/, ''),
  );
