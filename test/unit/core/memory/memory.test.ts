/** What this machine remembers survives other programs, killed ones, full and closed disks, and damage. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { diskWords } from '#base/files/disk-messages.ts';
import { Facts } from '#core/memory/facts.ts';
import { Memory } from '#core/memory/memory.ts';
import { countInProcess, counters, countOnce } from '#test/helpers/memory-process.ts';
import { memoryAt } from '#test/helpers/memory.ts';
import { kill } from '#test/helpers/save-export-process.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'identity-queries-memory-')), 'data');
  file = path.join(folder, 'memory.db');
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

const anything = (value: unknown): unknown => value;
const factsIn = (memory: Memory, scope = '') => new Facts(memory, { noun: 'things', scope, parse: anything });

suite('what this machine remembers', () => {
  test('is nothing at first, and reading makes no file', async () => {
    assert.deepEqual(await factsIn(memoryAt(folder)).all(), new Map());
    await assert.rejects(stat(folder), /ENOENT/);
  });

  test('is kept by noun, scope and key, in the order of writing, for its owner only', async () => {
    const facts = factsIn(memoryAt(folder));
    await facts.change((rows) => {
      for (const key of ['a', '__proto__', 'b', "it's"]) rows.put(key, { key });
      rows.put('a', [1, null, '\u0000']);
      rows.delete('b');
    });
    await factsIn(memoryAt(folder), 'other').change((rows) => rows.put('a', 1));
    assert.deepEqual(
      [...(await factsIn(memoryAt(folder)).all())],
      [
        ['__proto__', { key: '__proto__' }],
        ["it's", { key: "it's" }],
        ['a', [1, null, '\u0000']],
      ],
    );
    await facts.change((rows) => rows.keepNewest(1));
    assert.deepEqual([...(await facts.all()).keys()], ['a']);
    assert.equal((await factsIn(memoryAt(folder), 'other').all()).get('a'), 1);
    assert.deepEqual(await readdir(folder), ['memory.db']);
    if (process.platform === 'win32') return;
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  test('is not changed by work that fails', async () => {
    const facts = counters(folder);
    await countOnce(facts);
    const failing = facts.change((rows) => {
      rows.put('one', 7);
      throw new RangeError('no');
    });
    await assert.rejects(failing, RangeError);
    assert.deepEqual([...(await facts.all()).values()], [1, 1]);
  });

  test('leaves nothing on the disk of what was forgotten', async () => {
    const facts = factsIn(memoryAt(folder));
    const secret = 'forget me '.repeat(1_000);
    await facts.change((rows) => rows.put('a', secret));
    assert.match(await readFile(file, 'latin1'), /forget me/);
    await facts.change((rows) => rows.delete('a'));
    assert.doesNotMatch(await readFile(file, 'latin1'), /forget me/);
    assert.deepEqual(await readdir(folder), ['memory.db']);
  });

  test('loses nothing if several programs write at the same time', async () => {
    const ends = await Promise.all([1, 2, 3].map(() => countInProcess(folder, 40)));
    const facts = counters(folder);
    await Promise.all(Array.from({ length: 40 }, () => countOnce(facts)));
    for (const child of ends) if (child.exitCode === null) await once(child, 'exit');
    assert.deepEqual([...(await facts.all()).values()], [160, 160]);
  });

  test('is whole after a program was killed while it wrote', async () => {
    const facts = counters(folder);
    let before = 0;
    for (let round = 0; round < 5; round++) {
      await kill(await countInProcess(folder));
      const [one = 0, other] = (await facts.all()).values();
      assert.equal(one, other);
      assert.ok(one > before);
      await countOnce(facts);
      before = one;
    }
  });

  test('is brought back from the journal of a program that was killed', async () => {
    const facts = counters(folder);
    await countOnce(facts);
    const writer = new DatabaseSync(file);
    // More than the cache holds, so that half of it is in the file.
    writer.exec(`PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE fact SET value = '9';
      INSERT INTO fact SELECT 'n', 's', value, hex(zeroblob(5000)) FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 50) SELECT value FROM n)`);
    const left = path.join(path.dirname(folder), 'left');
    for (const ending of ['', '-journal']) await copyFile(`${file}${ending}`, `${left}${ending}`);
    writer.close();
    for (const ending of ['', '-journal']) await copyFile(`${left}${ending}`, `${file}${ending}`);
    assert.deepEqual([...(await facts.all()).values()], [1, 1]);
    assert.deepEqual(await readdir(folder), ['memory.db']);
  });
});

suite('what this machine remembers, and cannot write', () => {
  const wordsOf = async (work: Promise<unknown>) =>
    await work.then(
      () => assert.fail('it was written'),
      (error: unknown) => diskWords(error),
    );

  test('is said to be so on a full disk, and stays as it was', async () => {
    const facts = factsIn(memoryAt(folder));
    await facts.change((rows) => rows.put('a', 1));
    const memory = memoryAt(folder);
    const full = memory.change((database) => {
      database.exec('PRAGMA max_page_count = 4');
      database.exec("INSERT INTO fact VALUES ('n', 's', 'k', hex(zeroblob(50000)))");
    });
    assert.equal(await wordsOf(full), 'the disk is full');
    assert.deepEqual(await facts.all(), new Map([['a', 1]]));
    await facts.change((rows) => rows.put('a', 2));
  });

  test('is said to be so in a folder that is closed, or is a file', async () => {
    await writeFile(folder, '');
    assert.ok(await wordsOf(factsIn(memoryAt(folder)).change((rows) => rows.put('a', 1))));
    await rm(folder);
    await factsIn(memoryAt(folder)).change((rows) => rows.put('a', 1));
    await rm(file);
    await factsIn(memoryAt(file)).change((rows) => rows.put('a', 1)); // a folder in place of the file
    const words = await wordsOf(factsIn(memoryAt(folder)).change((rows) => rows.put('a', 1)));
    assert.equal(words, 'you have no permission to write there');
  });

  test('is still read where nothing can be written', async () => {
    const facts = factsIn(memoryAt(folder));
    await facts.change((rows) => rows.put('a', 1));
    const isRoot = process.geteuid?.() === 0; // may write anywhere
    if (isRoot) for (const each of [path.dirname(folder), folder, file]) await chown(each, 65_534, 65_534);
    await chmod(file, 0o400);
    await chmod(folder, 0o500);
    if (isRoot) process.seteuid?.(65_534);
    try {
      assert.deepEqual(await facts.all(), new Map([['a', 1]]));
      assert.equal(
        await wordsOf(facts.change((rows) => rows.put('a', 2))),
        'you have no permission to write there',
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(folder, 0o700);
    }
  });
});

suite('what this machine remembers, and cannot read', () => {
  const damages: Readonly<Record<string, (whole: Buffer) => Buffer>> = {
    'no database': () => Buffer.from('no database at all'),
    'only a head': (whole) => Buffer.concat([whole.subarray(0, 16), Buffer.alloc(5_000, 'x')]),
    'cut in the middle': (whole) => whole.subarray(0, 6_000),
    'with pages overwritten': (whole) => Buffer.from(whole).fill('x', 4_096, 12_000),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`${name}: it is put aside and said, once for all programs, and starts again`, async () => {
      const first = factsIn(memoryAt(folder));
      await first.change((rows) => {
        for (let each = 0; each < 100; each++) rows.put(`k${each}`, 'x'.repeat(500));
      });
      const bytes = damage(await readFile(file));
      await writeFile(file, bytes);
      await writeFile(`${file}-journal`, '');
      const said: string[] = [];
      const programs = [1, 2, 3].map(() => factsIn(new Memory(folder, (message) => said.push(message))));
      await Promise.all(programs.map((facts, index) => facts.change((rows) => rows.put(`n${index}`, index))));
      for (const facts of programs) assert.deepEqual([...(await facts.all()).values()].sort(), [0, 1, 2]);
      const [aside, ...others] = (await readdir(folder)).filter((each) =>
        /^memory\.damaged-.*\.db$/.test(each),
      );
      assert.deepEqual(others, []);
      assert.deepEqual(await readFile(path.join(folder, aside ?? '')), bytes);
      assert.equal(said.length, 1);
      assert.ok(said[0]?.includes(path.join(folder, aside ?? '')), said[0]);
    });
  }

  test('of a newer version: it is left alone, and said', async () => {
    const facts = factsIn(memoryAt(folder));
    await facts.change((rows) => rows.put('a', 1));
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 1001');
    assert.deepEqual(await facts.all(), new Map([['a', 1]]), 'a newer minor version');
    newer.exec('PRAGMA user_version = 2000');
    newer.close();
    const bytes = await readFile(file);
    for (const work of [facts.all(), facts.change((rows) => rows.put('a', 2))])
      await assert.rejects(work, /memory\.db" was written by a newer version of Identity Queries/);
    assert.deepEqual(await readFile(file), bytes);
  });

  test('a fact that is no such value counts as missing, and stays until it is written anew', async () => {
    await countOnce(counters(folder));
    const database = new DatabaseSync(file);
    database.exec(
      "UPDATE fact SET value = '{' WHERE key = 'one'; UPDATE fact SET value = '[]' WHERE key = 'other'",
    );
    assert.deepEqual(await counters(folder).all(), new Map());
    assert.equal(database.prepare('SELECT count(*) AS count FROM fact').get()?.['count'], 2);
    database.close();
    await countOnce(counters(folder));
    assert.deepEqual([...(await counters(folder).all()).values()], [1, 1]);
  });

  test('a program that holds the file is waited for', async () => {
    const facts = factsIn(memoryAt(folder));
    await facts.change((rows) => rows.put('a', 1));
    const other = new DatabaseSync(file);
    other.exec('BEGIN EXCLUSIVE');
    let isOver = false;
    const waiting = [facts.all(), facts.change((rows) => rows.put('a', 2))].map((work) =>
      work.finally(() => {
        assert.ok(isOver);
      }),
    );
    await readdir(folder); // both have tried, and wait
    isOver = true;
    other.exec('COMMIT');
    other.close();
    await Promise.all(waiting);
    assert.equal((await facts.all()).get('a'), 2);
  });
});
