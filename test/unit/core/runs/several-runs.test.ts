/** One query on several connections: what is missing never looks like a complete result. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResultPage } from '#core/reading/feeds.ts';
import { cellText, packRows } from '#core/rows/chunk.ts';
import type { PageRows } from '#core/rows/packed-rows.ts';
import { isPacked } from '#core/rows/page-rows.ts';
import { QueryRun } from '#core/runs/query-run.ts';
import { outcomeWords, shapeNotes } from '#core/runs/several/several-messages.ts';
import { SeveralRuns, type SeveralOptions, type SeveralPart } from '#core/runs/several/several-runs.ts';

type Columns = readonly (readonly [name: string, type: string])[];

interface Scripted {
  readonly columns?: Columns;
  readonly pages?: readonly (readonly (readonly unknown[])[])[];
  readonly total?: number;
  /** What happens in place of the page of this number. */
  readonly at?: Readonly<Record<number, Error | 'hang' | Columns>>;
  readonly isPacked?: boolean;
  readonly isPerhapsPartial?: boolean;
  readonly areValuesUnknown?: true;
}

const account: Columns = [
  ['id', 'int4'],
  ['name', 'text'],
];

/** How many requests are pending, at most. */
interface Load {
  now: number;
  most: number;
}

function part(connection: string, scripted: Scripted, load: Load = { now: 0, most: 0 }): SeveralPart {
  const { columns = account, pages = [[]], total, at = {}, isPerhapsPartial, areValuesUnknown } = scripted;
  const page = async (number: number, signal: AbortSignal): Promise<ResultPage> => {
    load.now += 1;
    load.most = Math.max(load.most, load.now);
    await new Promise((resolve) => setImmediate(resolve));
    const event = at[number];
    if (event === 'hang')
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    load.now -= 1;
    if (event instanceof Error) throw event;
    const shown = Array.isArray(event) ? (event as Columns) : columns;
    const rows = pages[number] ?? [];
    const answer = {
      columns: shown.map(([name, type]) => ({ name, type })),
      rows:
        scripted.isPacked === true
          ? packRows(
              rows,
              shown.map(() => ({ isJson: false })),
            )
          : rows,
      ...(total === undefined ? {} : { rowCount: total }),
      ...(isPerhapsPartial === undefined ? {} : { isPerhapsPartial }),
      areValuesUnknown,
      ...(number + 1 < pages.length ? { nextPageToken: String(number + 1) } : {}),
    };
    return answer as ResultPage; // the token is a text of the service
  };
  const explain = (error: unknown) => ({ message: String(error), reasons: [] });
  return {
    connection,
    explain,
    prepare: (reading) =>
      Promise.resolve(
        new QueryRun({
          ...reading,
          request: { query_string: 'SELECT 1' },
          pageSize: 100,
          execute: (request, options) => page(Number(request.pageToken ?? 0), options.signal),
        }),
      ),
  };
}

async function read(parts: readonly SeveralPart[], over: Partial<SeveralOptions> = {}) {
  const states: string[] = [];
  const several = new SeveralRuns(parts, {
    signal: new AbortController().signal,
    atATime: 4,
    timeLimitMs: Infinity,
    rowLimit: Number.MAX_SAFE_INTEGER,
    isFailFast: false,
    onState: ({ connection, state }) => states.push(`${connection} ${state.kind}`),
    ...over,
  });
  const rows: unknown[][] = [];
  let columns: readonly string[] = [];
  for await (const page of several.pages()) {
    columns = page.columns.map(({ name, type }) => `${name} ${type}`);
    rows.push(...valuesOf(page.rows));
  }
  return { several, rows, columns, states };
}

function valuesOf(rows: PageRows): unknown[][] {
  if (!isPacked(rows)) return rows.map((row) => [...row]);
  return Array.from({ length: rows.rowCount }, (_, row) =>
    rows.columns.map((column) => cellText(column, row) ?? null),
  );
}

const two = [[[1, 'a']], [[2, 'b']]];

describe('a query on several connections', () => {
  it('is one result, in the order of the connections, each as its service sent it', async () => {
    const { rows, columns, several } = await read([
      part('eu', { pages: two }),
      part('us', { pages: [[[9, 'z']]] }),
      part('none', {}),
    ]);
    assert.deepEqual(columns, ['connection text', 'id int4', 'name text']);
    assert.deepEqual(rows, [
      ['eu', 1, 'a'],
      ['eu', 2, 'b'],
      ['us', 9, 'z'],
    ]);
    assert.equal(several.whole, 'complete');
  });

  it('asks as many connections at a time as allowed', async () => {
    const load = { now: 0, most: 0 };
    const parts = Array.from({ length: 10 }, (_, index) => part(`c${index}`, { pages: two }, load));
    const { rows } = await read(parts, { atATime: 3 });
    assert.equal(rows.length, 20);
    assert.equal(load.most, 3);
  });

  for (const isPackedPage of [false, true])
    it(`matches columns by name, ${isPackedPage ? 'packed' : 'as values'}`, async () => {
      const isPacked = isPackedPage;
      const { rows, columns, several } = await read([
        part('eu', { isPacked, pages: [[[1, 'a']]] }),
        part('us', {
          isPacked,
          columns: [
            ['name', 'text'],
            ['mfa', 'bool'],
            ['id', 'text'],
          ],
          pages: [[['b', true, 'x']]],
        }),
      ]);
      assert.deepEqual(columns, ['connection text', 'id text', 'name text', 'mfa bool']);
      assert.deepEqual(rows, [
        ['eu', '1', 'a', null],
        ['us', 'x', 'b', isPacked ? 'true' : true],
      ]);
      assert.deepEqual(several.missing, [{ column: 'mfa', connections: ['eu'] }]);
      assert.equal(several.whole, undefined, 'a column that was not asked everywhere');
      assert.deepEqual(shapeNotes(several), [
        'No column "mfa" on eu: NULL there means that it was not asked.',
        'The column "id" is text here, since its types differ: eu int4, us text.',
      ]);
    });

  it('keeps a column named connection, and columns of the same name apart', async () => {
    const columns: Columns = [
      ['connection', 'text'],
      ['id', 'int4'],
      ['id', 'int8'],
      ['connection_2', 'text'],
    ];
    const read1 = await read([part('eu', { columns, pages: [[['own', 1, 2, 'second']]] })]);
    assert.deepEqual(read1.columns, [
      'connection text',
      'connection_3 text',
      'id int4',
      'id int8',
      'connection_2 text',
    ]);
    assert.deepEqual(read1.rows, [['eu', 'own', 1, 2, 'second']]);
  });

  it('widens whole numbers, and leaves the type of an empty result to the others', async () => {
    const { columns, several } = await read([
      part('eu', { columns: [['id', 'int4']], pages: [[[1]]] }),
      part('us', { columns: [['id', 'int8']], pages: [[[2]]] }),
      part('none', { columns: [['id', 'unknown']], pages: [[]] }),
    ]);
    assert.deepEqual(columns, ['connection text', 'id int8']);
    assert.equal(several.whole, 'complete');
  });

  it('takes the columns of later pages', async () => {
    const more: Columns = [...account, ['email', 'text']];
    const { rows, columns, several } = await read([
      part('eu', { pages: [[[1, 'a']], [[2, 'b', 'b@x']]], at: { 1: more } }),
    ]);
    assert.deepEqual(columns, ['connection text', 'id int4', 'name text', 'email text']);
    assert.equal(rows.length, 2);
    assert.equal(several.whole, 'complete');
  });

  const faults: Readonly<Record<string, { readonly scripted: Scripted; readonly words: RegExp }>> = {
    'that fails at once': { scripted: { at: { 0: new Error('refused') } }, words: /^failed$/ },
    'that fails later': {
      scripted: { pages: two, at: { 1: new Error('died') } },
      words: /^failed after 1 row$/,
    },
    'that hangs': { scripted: { at: { 0: 'hang' } }, words: /^failed$/ },
    'that hangs later': { scripted: { pages: two, at: { 1: 'hang' } }, words: /^failed after 1 row$/ },
    'that sends fewer rows than it reports': {
      scripted: { pages: two, total: 3 },
      words: /^2 rows, and the service reports more$/,
    },
    'that does not tell whether it is done': {
      scripted: { pages: two, isPerhapsPartial: true },
      words: /does not tell whether there are more$/,
    },
    'that does not show whether it uses values': {
      scripted: { pages: two, isPerhapsPartial: true, areValuesUnknown: true },
      words: /does not show whether it uses the values of parameters$/,
    },
  };
  for (const [name, { scripted, words }] of Object.entries(faults))
    it(`is not complete with a connection ${name}, and keeps the rows of the others`, async () => {
      const { rows, several } = await read([part('bad', scripted), part('eu', { pages: two })], {
        timeLimitMs: JSON.stringify(scripted).includes('hang') ? 1_000 : Infinity,
      });
      assert.equal(several.whole, undefined);
      assert.match(several.outcomes.map(outcomeWords)[0] ?? '', words);
      assert.equal(rows.filter(([connection]) => connection === 'eu').length, 2);
    });

  it('is whole but not complete at the limit that the person set', async () => {
    const { several } = await read([part('eu', { pages: two })], { rowLimit: 1 });
    assert.equal(several.whole, 'at-limit');
  });

  it('stops the others at the first failure if asked', async () => {
    const { several, rows } = await read(
      [
        part('hangs', { at: { 0: 'hang' } }),
        part('bad', { at: { 0: new Error('refused') } }),
        part('late', {}),
      ],
      { isFailFast: true, atATime: 2 },
    );
    assert.deepEqual(rows, []);
    assert.deepEqual(
      several.outcomes.map(({ state }) => state.kind),
      ['stopped', 'failed', 'stopped'],
    );
  });

  it('ends all when cancelled', async () => {
    const controller = new AbortController();
    const several = read([part('hangs', { at: { 0: 'hang' } }), part('eu', { at: { 0: 'hang' } })], {
      signal: controller.signal,
      onState: ({ connection, state }) => {
        if (connection === 'eu' && state.kind === 'reading') setImmediate(() => controller.abort());
      },
    });
    const { outcomes, whole } = (await several).several;
    assert.deepEqual(
      outcomes.map(({ state }) => state.kind),
      ['stopped', 'stopped'],
    );
    assert.equal(whole, undefined);
  });

  it('ends the runs when its reader stops', async () => {
    const several = new SeveralRuns([part('eu', { pages: two }), part('us', { pages: two })], {
      signal: new AbortController().signal,
      atATime: 1,
      timeLimitMs: Infinity,
      rowLimit: Infinity,
      isFailFast: false,
    });
    for await (const page of several.pages()) {
      assert.equal(page.columns.length, 3);
      break;
    }
    assert.equal(several.whole, undefined);
  });
});
