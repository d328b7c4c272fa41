/**
 * The table of docs/performance.md, from the JSON lines of one run of benchmarks. A row is text only from figures of
 * that run; a figure that is missing stops the table.
 */

/** @typedef {Readonly<Record<string, unknown>>} Line */
/** @typedef {{ readonly item: string, readonly cell: (lines: Lines) => string }} Row */

/** Benchmarks that the table needs, with their arguments. */
export const tableBenchmarks = [
  ['language', '--quick'],
  ['growth'],
  ['results'],
  ['first-rows'],
  ['command-line'],
  ['records'],
  ['service'],
  ['sandbox'],
  ['saved-queries'],
  ['activation'],
  ['command-start'],
];

/** Figures by what they measure. */
class Lines {
  /** @readonly @type {readonly Line[]} */
  #lines;

  /** @param {readonly Line[]} lines */
  constructor(lines) {
    this.#lines = lines;
  }

  /**
   * Returns the lines whose members have these values.
   * @param {Line} of
   */
  all(of) {
    const found = this.#lines.filter((line) =>
      Object.entries(of).every(([key, value]) => line[key] === value),
    );
    if (found.length === 0) throw new Error(`no benchmark printed ${JSON.stringify(of)}`);
    return found;
  }

  /**
   * @param {Line} of
   * @param {string} member
   */
  number(of, member) {
    return numberIn(this.all(of)[0] ?? {}, member);
  }
}

/**
 * @param {Line} line
 * @param {string} member
 */
function numberIn(line, member) {
  const value = line[member];
  if (typeof value !== 'number') throw new Error(`${member} is no number in ${JSON.stringify(line)}`);
  return value;
}

/** @param {number} value */
const short = (value) =>
  value >= 10_000
    ? `${(value / 1_000).toFixed(0)} s`
    : value >= 1_000
      ? `${(value / 1_000).toFixed(1)} s`
      : `${Math.round(value)} ms`;

/** @param {readonly number[]} values @param {(value: number) => string} [write] */
function range(values, write = (value) => value.toFixed(2)) {
  const [least, most] = [write(Math.min(...values)), write(Math.max(...values))];
  return least === most ? least : `${least} to ${most}`;
}

/**
 * The ratio to squawk's server, shape by shape.
 * @param {Lines} lines
 * @param {string} server
 * @param {string} member
 */
function toSquawk(lines, server, member) {
  return lines.all({ bench: 'keystrokes', server, sizeKb: 100 }).flatMap((own) => {
    const [peer] = lines
      .all({ bench: 'keystrokes', shape: own['shape'], sizeKb: 100 })
      .filter((line) => String(line['server']).startsWith('squawk') && typeof line[member] === 'number');
    return peer === undefined ? [] : [numberIn(own, member) / numberIn(peer, member)];
  });
}

/**
 * @param {string} server
 * @returns {(lines: Lines) => string}
 */
const keystrokes = (server) => (lines) => {
  const times = lines.all({ bench: 'keystrokes', server, sizeKb: 100 });
  /** @param {string} member */
  const at = (member) =>
    range(
      times.map((line) => numberIn(line, member)),
      short,
    );
  const ratios = /** @type {const} */ (['p50Ms', 'p95Ms']).map((member) => toSquawk(lines, server, member));
  const beside = ratios.some((all) => all.length === 0)
    ? 'squawk could not be installed'
    : `${ratios.map((all) => range(all)).join(' and ')} times squawk`;
  return `${beside}; median ${at('p50Ms')}, 95th percentile ${at('p95Ms')}`;
};

/**
 * @param {string} bench
 * @param {string} name
 * @param {string} [member]
 * @returns {(lines: Lines) => string}
 */
const named =
  (bench, name, member = 'value') =>
  (lines) =>
    short(lines.number({ bench, name }, member));

/** @type {readonly Row[]} */
const rows = [
  { item: 'keystroke to findings, 100 KB, six shapes of queries, pushed', cell: keystrokes('ours') },
  { item: 'the same, pulled', cell: keystrokes('ours, pulled') },
  {
    item: 'completion at 100 KB, six shapes of queries',
    cell: (lines) => {
      const times = lines
        .all({ bench: 'keystrokes', server: 'ours', sizeKb: 100 })
        .map(({ completion }) => /** @type {Line} */ (completion));
      const [median, high] = ['p50Ms', 'p95Ms'].map((member) =>
        range(
          times.map((line) => numberIn(line, member)),
          short,
        ),
      );
      return `median ${median}, 95th percentile ${high}`;
    },
  },
  {
    item: 'first findings of 100 KB in a new process',
    cell: (lines) => {
      const own = lines.number(
        { bench: 'start to first diagnostics', sizeKb: 100, server: 'ours' },
        'medianMs',
      );
      const peers = lines
        .all({ bench: 'start to first diagnostics', sizeKb: 100 })
        .filter((line) => String(line['server']).startsWith('squawk') && line['problem'] === undefined);
      return `${peers.map((line) => `${(own / numberIn(line, 'medianMs')).toFixed(1)} times squawk; `).join('')}${short(own)}`;
    },
  },
  {
    item: 'memory of the language server after 100 KB typed',
    cell: (lines) =>
      range(
        lines
          .all({ bench: 'keystrokes', server: 'ours', sizeKb: 100 })
          .map((line) => numberIn(line, 'memoryMb')),
        (mb) => `${Math.round(mb)} MB`,
      ),
  },
  {
    item: '1,000,000 rows x 20: first rows, a far row, frames a second while scrolling',
    cell: (lines) =>
      [
        named('results', 'first rows painted after first data, 1,000 x 20')(lines),
        named('results', 'jump to a far row until its cells are painted')(lines),
        Math.round(lines.number({ bench: 'results', name: 'frames a second while scrolling 5 s' }, 'value')),
      ].join(', '),
  },
  {
    item: 'the same: sort numbers, sort texts, filter, find, compare',
    cell: (lines) =>
      [
        'sort 1,000,000 numbers',
        'sort 1,000,000 texts',
        'filter 1,000,000 rows by text',
        'find in 1,000,000 x 20',
        'compare 1,000,000 x 20 with 1,000,000 x 20',
      ]
        .map((name) => named('results', name)(lines))
        .join(', '),
  },
  {
    item: '`run` of 1,000,000 rows x 10 to CSV, to Parquet',
    cell: (lines) => {
      const both = ['csv', 'parquet'].map((ending) => ({ bench: `run to ${ending}` }));
      const [csv, parquet] = both.map((of) => (1 / lines.number(of, 'shareOfParsed')).toFixed(2));
      const memory = both.map((of) => `${lines.number(of, 'peakMb')} MB`).join(' and ');
      return `${csv} and ${parquet} times undici with JSON.parse and a plain CSV writer; ${memory}`;
    },
  },
  {
    item: 'the same rows to CSV from 10 connections',
    cell: (lines) => {
      const of = { bench: 'run on 10 connections to csv' };
      return `${lines.number(of, 'ratioToOne').toFixed(2)} times one connection; ${lines.number(of, 'peakMb')} MB`;
    },
  },
  {
    item: '100,000 records to a file',
    cell: (lines) => {
      const of = { bench: 'stream 100,000 accounts to a file' };
      return `${lines.number(of, 'ratio').toFixed(2)} times undici; ${lines.number(of, 'rssPeakMb')} MB`;
    },
  },
  {
    item: 'your own PostgreSQL, 1,000,000 rows: first page, all',
    cell: (lines) => {
      const [first, all] = ['first page', 'all rows'].map((what) => {
        const [line] = lines.all({}).filter(({ bench }) => String(bench).startsWith(`service: ${what}`));
        return line ?? {};
      });
      return `${numberIn(first ?? {}, 'ratio').toFixed(2)} and ${numberIn(all ?? {}, 'ratio').toFixed(2)} times the raw protocol; ${numberIn(all ?? {}, 'servicePeakMb')} MB`;
    },
  },
  {
    item: 'sandbox: start, first rows',
    cell: (lines) =>
      ['listeningMs', 'queryableMs']
        .map((member) => short(lines.number({ bench: 'sandbox start' }, member)))
        .join(', '),
  },
  {
    item: '10,000 saved queries: first list, second list, Ctrl+S until its row shows it',
    cell: (lines) =>
      [
        'view opened until all 10,000 are known',
        'read again, nothing changed',
        'Ctrl+S until its row shows the next version',
      ]
        .map((name) => named('saved-queries', name, 'median')(lines))
        .join(', '),
  },
  {
    item: 'start of a window after installation, later; `check` of a short query at first, later',
    cell: (lines) =>
      [
        ...['after installation', 'later starts'].map((start) =>
          lines.number({ bench: 'activation', start }, 'median'),
        ),
        ...lines.all({ bench: 'start of check' }).map((line) => numberIn(line, 'medianMs')),
      ]
        .map((ms) => short(ms))
        .join(', '),
  },
  {
    item: 'how cost grows over five sizes (1 is linear)',
    cell: (lines) => {
      const all = lines.all({ bench: 'growth' });
      const most = all.reduce((one, other) =>
        numberIn(other, 'exponent') > numberIn(one, 'exponent') ? other : one,
      );
      return `exponent at most ${numberIn(most, 'exponent').toFixed(2)} (${String(most['name'])}) of ${all.length} kinds of work`;
    },
  },
];

/** The heading of what stays of the page as it was. */
const byHand = '## Editing help';

/**
 * @param {readonly Line[]} lines
 * @param {{ readonly machine: string, readonly date: string, readonly isAgain: boolean, readonly before: string }} where
 *   `before`: the page so far
 * @returns {string} the whole document
 */
export function performanceDocument(lines, { machine, date, isAgain, before }) {
  const found = new Lines(lines);
  const cells = rows.map(({ item, cell }) => /** @type {const} */ ([item, cell(found)]));
  return [
    '# Performance',
    '',
    `\`npm run bench -- --table\` wrote this table on ${date}, from ${isAgain ? 'benchmarks of that day' : 'one run'} on ${machine}. Ratios to another program are of the same run as its figures. Machines differ, so compare ratios, not times.`,
    '',
    '| item | measured |',
    '| --- | --- |',
    ...cells.map(([item, cell]) => `| ${item} | ${cell} |`),
    '',
    '`npm run bench -- language` runs a single benchmark. Each prints JSON Lines.',
    '',
    // What fuzz runs and other tools' editions say is written by hand.
    before.slice(before.includes(byHand) ? before.indexOf(byHand) : before.length),
  ].join('\n');
}
