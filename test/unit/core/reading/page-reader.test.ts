/** What the reader says of the rows: whatever happens while they are read, and if they could not be written. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deadline, TimeLimitError } from '#base/async/deadline.ts';
import { IterationFeed } from '#core/reading/feeds.ts';
import { PageReader, type PageFeed } from '#core/reading/page-reader.ts';
import type { RowsProgress, RowsWriter } from '#core/reading/rows-writer.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { extentOf } from '#test/helpers/query-pages.ts';

const columns = [{ name: 'n', type: 'int4' }];

async function* pages() {
  for (const n of [1, 2, 3]) {
    await Promise.resolve();
    yield { columns, rows: [[n]], isLast: n === 3 };
  }
}

/** Fails once, at a page. */
function readerThatFails(at: number) {
  const written: unknown[] = [];
  const told: RowsProgress[] = [];
  let asked = 0;
  const writer: RowsWriter = {
    set: () => undefined,
    open: () => undefined,
    grow: () => undefined,
    append: (rows) => {
      asked += 1;
      if (asked === at) return Promise.reject(new Error('the disk is full'));
      written.push(rows);
      return Promise.resolve({ rowCount: written.length });
    },
    setRows: (progress) => void told.push(progress),
  };
  return {
    reader: new PageReader({
      feed: new IterationFeed(pages()),
      writer,
      signal: undefined,
      rowLimit: 100,
      deadline: limitedByCaller(),
    }),
    written,
    told,
  };
}

describe('rows that could not be written', () => {
  for (const at of [1, 2, 3])
    for (const all of [false, true])
      it(`never count as complete: page ${at}, ${all ? 'all at once' : 'one by one'}`, async () => {
        const { reader, written, told } = readerThatFails(at);
        let failures = (await reader.start()).kind === 'failed' ? 1 : 0;
        for (let load = 0; load < 4; load++) {
          const outcome = await reader.load(all);
          if (outcome.kind === 'failed') failures += 1;
          if (failures > 0) assert.notEqual(extentOf(outcome), 'complete');
        }
        assert.equal(failures, 1);
        assert.equal(written.length, at - 1, 'no page after the lost one');
        assert.ok(told.every(({ extent }) => extent === 'more' || extent === 'lost'));
      });

  it('are the only ones: a whole result is complete', async () => {
    const { reader, written } = readerThatFails(99);
    assert.equal(extentOf(await reader.readAll()), 'complete');
    assert.equal(written.length, 3);
  });
});

/** What the source does with the next request for a page. */
type Step = 'page' | 'empty' | 'preparing' | 'fails';

/** Numbers from 0 to 1, the same ones for a seed. */
function numbersFrom(seed: number): () => number {
  let at = seed;
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return at / 2 ** 32;
  };
}

describe('any sequence of pages, failures, pauses and loads', () => {
  for (let seed = 1; seed <= 300; seed += 1)
    it(`writes each row once, in order, and says how much there is: ${seed}`, async () => {
      const random = numbersFrom(seed);
      const below = (most: number) => Math.floor(random() * most);
      const rowLimit = 1 + below(12);
      const steps = Array.from({ length: below(8) }, (): Step => {
        return (['page', 'page', 'empty', 'preparing', 'fails'] as const)[below(5)] ?? 'page';
      });
      const sizes = steps.map((step) => (step === 'page' ? 1 + below(4) : 0));
      const sent = sizes.reduce((sum, size) => sum + size, 0);
      const reported = [undefined, sent, sent + 1, Math.floor(sent / 2)][below(4)];
      const end = ([undefined, 'perhaps-short', 'at-limit'] as const)[below(3)];
      let at = 0;
      let row = 0;
      const feed: PageFeed = {
        get hasMore() {
          return at < steps.length;
        },
        next: async (signal) => {
          await Promise.resolve();
          signal.throwIfAborted();
          const step = steps[at];
          if (step === undefined) return undefined;
          const size = sizes[at] ?? 0;
          if (step === 'fails') {
            // Once: the next request gets the same page.
            steps[at] = 'empty';
            throw new Error('away');
          }
          at += 1;
          const rows = Array.from({ length: size }, () => [row++]);
          return {
            columns,
            rows,
            totalRows: reported,
            end,
            isPreparing: step === 'preparing' && at < steps.length,
          };
        },
      };
      const written: unknown[] = [];
      const pausesAt = below(10);
      let asked = 0;
      let told: RowsProgress | undefined;
      const writer: RowsWriter = {
        set: () => undefined,
        open: () => undefined,
        grow: () => undefined,
        append: async (rows) => {
          await Promise.resolve();
          if ((asked += 1) === pausesAt) reader.cancel();
          for (const [n] of rows as readonly (readonly unknown[])[]) written.push(n); // this feed sends values
          return { rowCount: written.length };
        },
        setRows: (progress) => (told = progress),
      };
      const reader = new PageReader({
        feed,
        writer,
        signal: undefined,
        rowLimit,
        deadline: limitedByCaller(),
      });
      let outcome = await reader.readAll();
      // A failure or a pause stops a load, and the next one goes on: a person asks again, also at the limit.
      for (let load = 0; load < 60; load += 1) {
        assert.deepEqual(
          written,
          written.map((_, index) => index),
        );
        const isAll = outcome.kind === 'rows' && outcome.extent !== 'more' && outcome.extent !== 'at-limit';
        if (outcome.kind === 'rows') {
          const { extent, rowCount, totalRows } = outcome;
          assert.equal(rowCount, written.length);
          assert.deepEqual([told?.extent, told?.totalRows], [extent, totalRows]);
          if (extent === 'more') assert.ok(rowCount < rowLimit);
          if (extent === 'complete') assert.deepEqual([rowCount, totalRows], [sent, sent]);
          else assert.ok(totalRows === undefined || totalRows > rowCount);
        }
        if (isAll || (at === steps.length && written.length === sent && outcome.kind === 'rows')) break;
        outcome = reader.isOpen ? await reader.load(random() < 0.5) : await reader.readAll();
      }
      assert.equal(written.length, sent, 'every row');
      const lacksRows = steps.length > 0 && (reported ?? 0) > sent;
      if (lacksRows && outcome.kind === 'rows' && outcome.extent === 'at-limit') {
        assert.equal(sent, rowLimit, 'only the limit stands for rows that were not sent');
        outcome = await reader.load(false);
        assert.equal(told?.extent, extentOf(outcome));
      }
      // Without a page, nothing is reported.
      const says = steps.length === 0 ? undefined : lacksRows ? 'short' : end;
      assert.equal(extentOf(outcome), says ?? 'complete');
    });
});

describe('a reading that ends early', () => {
  for (const how of ['ended', 'out of time', 'not written'] as const)
    for (let seed = 1; seed <= 60; seed += 1)
      it(`asks for nothing more, and never counts as complete: ${how}, ${seed}`, async () => {
        const random = numbersFrom(seed);
        const below = (most: number) => Math.floor(random() * most);
        const pageCount = 2 + below(5);
        // In a page before the last one, so that rows are left.
        const endsAt = below(pageCount - 1);
        const whileWriting = how === 'not written' || (how === 'ended' && random() < 0.5);
        let at = 0;
        let asked = 0;
        let ended = 0;
        const feed: PageFeed = {
          get hasMore() {
            return at < pageCount;
          },
          next: async (signal) => {
            asked += 1;
            if (at === endsAt && how === 'out of time') await aborted(signal);
            if (at === endsAt && how === 'ended' && !whileWriting) reader.end();
            signal.throwIfAborted();
            return await Promise.resolve({ columns, rows: [[at++]], totalRows: pageCount });
          },
          end: () => void (ended += 1),
        };
        const written: unknown[] = [];
        const writer: RowsWriter = {
          set: () => undefined,
          open: () => undefined,
          grow: () => undefined,
          append: async (rows) => {
            await Promise.resolve();
            for (const [n] of rows as readonly (readonly unknown[])[]) {
              if (whileWriting && n === endsAt) {
                if (how === 'not written') throw new Error('the disk is full');
                reader.end();
              }
              written.push(n);
            }
            return { rowCount: written.length };
          },
          setRows: () => undefined,
        };
        const deadline = how === 'out of time' ? new Deadline(1) : limitedByCaller();
        const reader = new PageReader({ feed, writer, signal: undefined, rowLimit: 100, deadline });
        let outcome = await (random() < 0.5 ? reader.readAll() : reader.start());
        for (let load = 0; load < 2 * pageCount && outcome.kind === 'rows'; load += 1)
          outcome = await reader.load(random() < 0.5);
        // A page that was received is written, also if the reading ended meanwhile.
        if (outcome.kind === 'rows') assert.deepEqual([how, outcome.extent], ['ended', 'more']);
        else assert.equal(outcome.kind, how === 'ended' ? 'cancelled' : 'failed');
        if (outcome.kind === 'failed')
          assert.equal(outcome.error instanceof TimeLimitError, how === 'out of time');

        const before = asked;
        for (const all of [true, false]) assert.notEqual(extentOf(await reader.load(all)), 'complete');
        if (how !== 'out of time') assert.equal(asked, before);
        assert.ok(asked <= endsAt + 4, 'one page ahead');
        assert.deepEqual(
          written,
          written.map((_, index) => index),
        );
        assert.ok(written.length <= endsAt + 1);
        reader.end();
        assert.ok(ended > 0);
      });
});

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
