/** A history of outcomes: nothing lost, nothing half, nothing damaged that is not told. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { controlTimeline } from '#core/controls/history/control-timeline.ts';
import { HistoryFolder, type NewRun } from '#core/controls/history/history-folder.ts';
import { changesBetween, type KnownOutcome } from '#core/controls/history/outcome-state.ts';

let root: string;
let folder: string;
let number = 0;

before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-history-'));
});
beforeEach(() => {
  number += 1;
  folder = path.join(root, String(number));
});
after(() => rm(root, { recursive: true }));

const one = (
  control: string,
  outcome: KnownOutcome['outcome'],
  more: Partial<KnownOutcome> = {},
): KnownOutcome => ({
  control,
  connection: 'eu',
  outcome,
  ...more,
});

const startedAt = new Date('2026-11-01T00:00:00Z');
async function add(outcomes: readonly KnownOutcome[], over: Partial<NewRun> = {}, now?: Date) {
  const run = { startedAt, ms: 5, scope: 'all', connections: ['eu'], problems: 0, keyId: 'k', outcomes };
  return await new HistoryFolder(folder).add({ ...run, ...over }, now);
}
const kinds = (added: Awaited<ReturnType<typeof add>>) =>
  changesBetween(added.before, added.state).map(({ kind, before, after, added: rows }) =>
    [kind, (after ?? before)?.control, ...(rows === undefined ? [] : [rows])].join(' '),
  );
const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();

describe('a history of outcomes', () => {
  it('tells what is new: failures, errors, more rows, back to pass, and what is gone', async () => {
    const keys = (...all: readonly string[]) => ({ rows: all.length, keys: all });
    assert.deepEqual(
      kinds(await add([one('A', 'pass'), one('B', 'fail', keys('1')), one('C', 'error', { code: 'X' })])),
      ['failed B 1', 'failed C'],
    );
    assert.deepEqual(
      kinds(await add([one('A', 'pass'), one('B', 'fail', keys('1')), one('C', 'error', { code: 'X' })])),
      [],
    );
    assert.deepEqual(
      kinds(
        await add([
          one('A', 'fail', keys('9')),
          one('B', 'fail', keys('1', '2', '3')),
          one('C', 'error', { code: 'Y' }),
        ]),
      ),
      ['failed A', 'more-rows B 2', 'failed C'],
    );
    assert.deepEqual(kinds(await add([one('A', 'waived'), one('B', 'fail', keys('2'))])), [
      'passed A',
      'gone C',
    ]);
    assert.deepEqual(kinds(await add([one('A', 'warn'), one('B', 'fail', keys('4'))])), ['more-rows B 1']);
  });

  it('tells the worst first, since a receiver may be told only the first ones', async () => {
    const many = ['a', 'b', 'c'].map((id) => one(id, 'fail'));
    await add([...many, one('gone', 'error'), one('low', 'pass'), one('high', 'pass'), one('odd', 'pass')]);
    const better = ['a', 'b', 'c'].map((id) => one(id, 'pass'));
    const worse = [
      one('odd', 'error', { severity: 'of another program' }),
      one('low', 'fail', { severity: 'low' }),
      one('high', 'error', { severity: 'critical' }),
    ];
    assert.deepEqual(kinds(await add([...better, ...worse])), [
      'failed high',
      'failed low',
      'failed odd',
      'passed a',
      'passed b',
      'passed c',
      'gone gone',
    ]);
  });

  it('knows what two runs at once found, so that each failure that was told also ends', async () => {
    const on = (connection: string) => (control: string, outcome: KnownOutcome['outcome']) =>
      one(control, outcome, { connection });
    const [eu, us] = [on('eu'), on('us')];
    const both = { connections: ['eu', 'us'] };
    await add([eu('P', 'pass'), us('Q', 'pass')], both);
    const atOnce = () =>
      Promise.all([
        add([eu('P', 'fail')], { connections: ['eu'] }),
        add([us('Q', 'fail')], { connections: ['us'] }),
      ]);
    assert.deepEqual((await atOnce()).map(kinds), [['failed P'], ['failed Q']]);
    const better = await add([eu('P', 'pass'), us('Q', 'pass')], both);
    assert.deepEqual(kinds(better).sort(), ['passed P', 'passed Q']);
    // A receiver that could not be reached is told the same.
    const news = await new HistoryFolder(folder).newsOf(better.head.id);
    assert.deepEqual(
      news?.changes.map(({ kind }) => kind),
      ['passed', 'passed'],
    );
    await atOnce();
    assert.deepEqual(kinds(await add([eu('P', 'fail'), us('Q', 'fail')], both)), []);
    const { latest } = await new HistoryFolder(folder).latest();
    assert.deepEqual(
      [...(latest?.state.values() ?? [])].map(({ outcome }) => outcome),
      ['fail', 'fail'],
    );
  });

  it('knows the runs of a merged branch, whenever they began', async () => {
    const at = (hour: number) => new Date(startedAt.getTime() + hour * 3_600_000);
    const us = (outcome: KnownOutcome['outcome']) => one('Q', outcome, { connection: 'us' });
    const onUs = { scope: 'us', connections: ['us'] };
    const main = folder;
    for (const [name, hours] of Object.entries({ before: [2, 3, 4], between: [3, 2, 4], after: [4, 2, 3] })) {
      const [fixed, first, second] = hours;
      folder = path.join(main, name);
      await add([one('P', 'fail')], {}, at(1));
      const branch = `${folder}-branch`;
      await cp(folder, branch, { recursive: true });
      const passed = await add([one('P', 'pass')], {}, at(fixed ?? 0));
      assert.deepEqual(kinds(passed), ['passed P']);
      folder = branch;
      await add([us('pass')], onUs, at(first ?? 0));
      await add([us('fail')], onUs, at(second ?? 0));
      await cp(branch, path.join(main, name), { recursive: true });
      folder = path.join(main, name);
      const again = await add([one('P', 'fail')], {}, at(5));
      assert.deepEqual(kinds(again), ['failed P'], name);
      const news = await new HistoryFolder(folder).newsOf(again.head.id);
      assert.deepEqual(
        news?.changes.map(({ kind }) => kind),
        ['failed'],
      );
      assert.deepEqual(kinds(await add([us('fail')], onUs, at(6))), []);
      assert.deepEqual(kinds(await add([one('P', 'fail')], {}, at(7))), []);
    }
  });

  it('takes nothing as new that a whole run of a merged branch repeats', async () => {
    const at = (hour: number) => new Date(startedAt.getTime() + hour * 3_600_000);
    for (let run = 0; run < 30; run += 1) await add([one('P', 'fail')], {}, at(run));
    const main = folder;
    folder = `${main}-branch`;
    await cp(main, folder, { recursive: true });
    assert.equal((await add([one('P', 'fail')], {}, at(31))).head.isWhole, true);
    const branch = folder;
    folder = main;
    await add([one('P', 'pass')], {}, at(30));
    await add([one('P', 'pass')], {}, at(32));
    await cp(branch, main, { recursive: true });
    assert.deepEqual(kinds(await add([one('P', 'fail')], {}, at(33))), ['failed P']);
  });

  it('keeps only what changed, and everything in every thirtieth run', async () => {
    const many = (outcome: KnownOutcome['outcome']) =>
      Array.from({ length: 200 }, (_, index) =>
        one(`C-${index}`, index === 7 ? outcome : 'pass', { population: String(Math.random()) }),
      );
    for (let run = 0; run < 65; run += 1) await add(many(run % 2 === 0 ? 'pass' : 'fail'));
    const { heads } = await new HistoryFolder(folder).heads();
    assert.deepEqual(
      heads.flatMap(({ isWhole }, index) => (isWhole ? [index] : [])),
      [0, 30, 60],
    );
    assert.deepEqual(
      [...new Set(heads.filter(({ isWhole }) => !isWhole).map(({ records }) => records))],
      [1],
    );
    const { latest } = await new HistoryFolder(folder).latest();
    assert.equal(latest?.state.size, 200);
    assert.equal(latest.state.get('["eu","C-7"]')?.outcome, 'pass');
    const { entries } = await controlTimeline(new HistoryFolder(folder), 'C-7');
    assert.equal(entries.length, 65, 'a whole run does not hide or repeat a change');
    assert.equal((await controlTimeline(new HistoryFolder(folder), 'C-8')).entries.length, 1);
  });

  it('says in the timeline that a control is gone, also in a whole run', async () => {
    for (let run = 0; run < 30; run += 1) await add([one('A', 'fail'), one('B', 'pass')]);
    const { head } = await add([one('B', 'pass')]);
    assert.deepEqual([head.isWhole, head.news.gone], [true, 1]);
    await add([one('B', 'pass')]);
    const outcomes = async () =>
      (await controlTimeline(new HistoryFolder(folder), 'A')).entries.map(({ outcome }) => outcome);
    assert.deepEqual(await outcomes(), ['fail', undefined]);
    await add([one('A', 'pass'), one('B', 'pass')]);
    assert.deepEqual(await outcomes(), ['fail', undefined, 'pass']);
  });

  it('leaves rows out rather than write a file that it would not read', async () => {
    const history = new HistoryFolder(folder, { bytesMax: 200_000 });
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => String(index).padStart(32, '0'));
    const large = Array.from({ length: 9 }, (_, index) =>
      one(`L-${index}`, 'fail', { rows: 900, keys: keys(900) }),
    );
    const outcomes = [...large, one('S', 'fail', { rows: 2, keys: keys(2) })];
    const run = { startedAt, ms: 5, scope: 'all', connections: ['eu'], problems: 0, keyId: 'k' };
    assert.equal((await history.add({ ...run, outcomes })).head.news.bad, 10);
    assert.deepEqual((await history.add({ ...run, outcomes })).head.news, { bad: 0, good: 0, gone: 0 });
    const more = [...large, one('S', 'fail', { rows: 3, keys: keys(3) })];
    const { head, before } = await history.add({ ...run, outcomes: more });
    assert.equal(head.news.bad, 1);
    assert.equal(before.get('["eu","S"]')?.keys?.length, 2, 'those of few rows stay');
    assert.deepEqual((await history.latest()).problems, []);
  });

  it('keeps what another choice of controls knows, and lets go of what the same one no longer has', async () => {
    await add([one('A', 'fail'), one('B', 'fail')]);
    assert.deepEqual(kinds(await add([one('A', 'fail')], { scope: 'some' })), []);
    assert.deepEqual(kinds(await add([one('A', 'fail')], { scope: 'some' })), [], 'B is of the other choice');
    assert.deepEqual(kinds(await add([one('A', 'fail')])), ['gone B']);
    assert.deepEqual(kinds(await add([], { scope: 'some' })), []);
  });

  it('keeps what a run did not look at since it stopped', async () => {
    await add([one('A', 'pass'), one('B', 'fail'), one('C', 'pass')]);
    const stopped = await add([one('A', 'error')], { isStopped: true });
    assert.deepEqual(kinds(stopped), ['failed A']);
    const after = await add([one('A', 'pass'), one('B', 'fail'), one('C', 'pass')]);
    assert.deepEqual(kinds(after), ['passed A']);
    assert.equal(
      [...after.state.values()].find(({ control }) => control === 'B')?.since,
      startedAt.toISOString(),
    );
  });

  it('lets go of what another choice of controls saw first', async () => {
    await add([one('A', 'fail', { rows: 2, keys: ['1', '2'] })], { scope: 'one file' });
    assert.equal((await add([one('A', 'fail', { rows: 2, keys: ['1', '2'] })])).head.records, 1);
    assert.equal((await add([one('A', 'fail', { rows: 2, keys: ['1', '2'] })])).head.records, 0);
    const history = new HistoryFolder(folder);
    assert.equal((await history.latest()).latest?.state.get('["eu","A"]')?.keys?.length, 2);
    const gone = await add([]);
    assert.deepEqual(kinds(gone), ['gone A']);
    assert.equal((await history.newsOf(gone.head.id))?.changes.length, 1);
    const { entries } = await controlTimeline(history, 'A');
    assert.deepEqual(
      entries.map(({ outcome }) => outcome),
      ['fail', undefined],
    );
  });

  it('lets nothing go while a file could not be read: its outcome is unknown, which is no pass', async () => {
    const title = { title: 'Admins without MFA', severity: 'high', owner: 'Access team' };
    await add([
      one('A', 'pass'),
      one('B', 'fail', { ...title, rows: 2, keys: ['1', '2'] }),
      one('C', 'pass'),
    ]);
    const hidden = await add([one('A', 'pass')], { problems: 1 });
    assert.deepEqual(kinds(hidden), ['failed B', 'failed C']);
    assert.deepEqual(hidden.head.news, { bad: 2, good: 0, gone: 0 });
    assert.deepEqual(hidden.head.counts, { pass: 1, error: 2 });
    const { outcome, severity, owner, rows } = hidden.state.get('["eu","B"]') ?? {};
    assert.deepEqual([outcome, severity, owner, rows], ['error', 'high', 'Access team', undefined]);
    assert.deepEqual(kinds(await add([one('A', 'pass')], { problems: 1 })), [], 'told once');
    assert.deepEqual(kinds(await add([one('A', 'pass'), one('B', 'fail', title)], { problems: 1 })), [
      'failed B',
    ]);
    const gone = await add([one('A', 'pass'), one('B', 'fail', title)]);
    assert.deepEqual(kinds(gone), ['gone C']);
    assert.deepEqual(gone.head.news, { bad: 0, good: 0, gone: 1 }, 'no alarm, but nothing better either');
  });

  it('keeps what it knows of a connection that the same choice no longer has', async () => {
    const us = one('A', 'fail', { connection: 'us' });
    await add([one('A', 'pass'), us], { connections: ['eu', 'us'] });
    const next = await add([one('A', 'pass')]);
    assert.deepEqual(kinds(next), []);
    assert.equal(next.state.get('["us","A"]')?.outcome, 'fail');
    assert.deepEqual(kinds(await add([one('A', 'pass')], { connections: ['eu', 'us'] })), ['gone A']);
  });

  it('compares digests of one key only', async () => {
    await add([one('A', 'fail', { rows: 1, keys: ['1'] })]);
    const other = await add([one('A', 'fail', { rows: 1, keys: ['x'] })], { keyId: 'other' });
    assert.deepEqual(kinds(other), [], 'the same number of rows, whose digests say nothing');
  });

  it('puts a run after the one that it continues, whatever the clock says', async () => {
    const first = await add([], {}, new Date('2026-11-28T00:00:00Z'));
    const second = await add([], {}, new Date('2020-01-01T00:00:00Z'));
    assert.ok(second.head.id > first.head.id);
    assert.equal(second.head.base, first.head.id);
  });

  for (const id of ['99991231T235959999Z-ffffffffffff', '99999999T999999999Z-ffffffffffff'])
    it(`goes on beside a file of the end of time: ${id}`, async () => {
      const { head } = await add([one('A', 'fail')]);
      const target = path.join(folder, `${head.id}.jsonl`);
      const text = await readFile(target, 'utf8');
      await writeFile(path.join(folder, `${id}.jsonl`), text.replace(head.id, id));
      for (let run = 0; run < 3; run += 1) {
        const { head: next } = await add([one('A', 'pass')]);
        assert.ok((await new HistoryFolder(folder).ids()).includes(next.id), next.id);
      }
      assert.deepEqual(kinds(await add([one('A', 'fail')])), ['failed A']);
    });

  it('tells a damaged line, counts the others, and starts anew', async () => {
    await add([one('A', 'fail'), one('B', 'pass')]);
    const [file = ''] = await files();
    const target = path.join(folder, file);
    await writeFile(target, (await readFile(target, 'utf8')).replace('"control":"A"', '"contr'));
    const next = await add([one('A', 'fail'), one('B', 'pass')]);
    assert.deepEqual(
      next.told.map((problem) => [problem.line, problem.file]),
      [[2, file]],
    );
    assert.deepEqual(kinds(next), ['failed A'], 'told again rather than never');
    assert.ok(next.head.isWhole);
    assert.deepEqual((await add([one('A', 'fail'), one('B', 'pass')])).told, []);
  });

  it('takes no other text for the time since when an outcome is so', async () => {
    const { head } = await add([one('A', 'fail')]);
    const target = path.join(folder, `${head.id}.jsonl`);
    const text = await readFile(target, 'utf8');
    await writeFile(target, text.replace(/"since":"[^"]*"/, '"since":"(<!--) 1 Jan 2026"'));
    const run = await new HistoryFolder(folder).run(head.id);
    assert.ok('problems' in run);
    assert.deepEqual([run.records, run.problems.length], [[], 1]);
  });

  it('says how many lines a file has in place of how many, also where one is damaged', async () => {
    const { head } = await add([one('A', 'fail')]);
    await appendFile(path.join(folder, `${head.id}.jsonl`), 'garbage\n');
    const run = await new HistoryFolder(folder).run(head.id);
    assert.ok('problems' in run);
    const [damaged, counted] = run.problems;
    assert.match(damaged?.message ?? '', /damaged/);
    assert.match(counted?.message ?? '', / 2 in place of 1/);
  });

  const damages: Readonly<Record<string, (target: string, text: string) => Promise<void>>> = {
    'an empty file': (target) => writeFile(target, ''),
    'a cut file': (target, text) => writeFile(target, text.slice(0, 40)),
    'a head of another version': (target, text) =>
      writeFile(target, text.replace('"version":1', '"version":2')),
    'a head of another run': (target, text) => writeFile(target, text.replace(/T\d{6}/, 'T000000')),
    'a head with strange counts': (target, text) =>
      writeFile(target, text.replace('"counts":{', '"counts":{"constructor":1,')),
    'a head whose time is another text': (target, text) =>
      writeFile(target, text.replace(/"startedAt":"[^"]*"/, '"startedAt":"<!-- 1 Jan 2026"')),
    'no UTF-8': (target) => writeFile(target, Buffer.from([0xff, 0xfe, 0])),
    'a link': async (target) => {
      await rm(target);
      await symlink('/etc/passwd', target);
    },
  };
  for (const [name, damage] of Object.entries(damages))
    it(`goes on after ${name}, which is told`, async () => {
      await add([one('A', 'pass')]);
      const first = (await add([one('A', 'fail')])).head.id;
      const target = path.join(folder, `${first}.jsonl`);
      await damage(target, await readFile(target, 'utf8'));
      const { heads, problems } = await new HistoryFolder(folder).heads();
      assert.equal(heads.length, 1);
      assert.equal(problems.length, 1);
      const next = await add([one('A', 'fail')]);
      assert.deepEqual(kinds(next), ['failed A']);
      assert.equal(next.told.length, 1);
    });

  it('is whole if a run that it continues is missing', async () => {
    await add([one('A', 'fail')]);
    await add([one('A', 'fail'), one('B', 'pass')]);
    const [first = ''] = await files();
    await rm(path.join(folder, first));
    const next = await add([one('A', 'fail'), one('B', 'pass')]);
    assert.ok(next.head.isWhole);
    assert.equal(next.told.length, 1);
  });

  it('does not follow bases in a circle', async () => {
    const { head } = await add([one('A', 'pass')]);
    const target = path.join(folder, `${head.id}.jsonl`);
    const text = await readFile(target, 'utf8');
    await writeFile(target, text.replace('"isWhole":true', `"base":"${head.id}","isWhole":false`));
    assert.equal((await new HistoryFolder(folder).latest()).latest?.state.size, 1);
  });

  it('refuses a file in place of a folder', async () => {
    await writeFile(folder, '');
    await assert.rejects(add([]), /it is not a folder/);
  });

  it('ignores other files, and is empty without a folder', async () => {
    assert.deepEqual(await new HistoryFolder(folder).ids(), []);
    await add([]);
    await writeFile(path.join(folder, 'README.md'), '');
    await writeFile(path.join(folder, 'x.jsonl'), '');
    await cp(folder, path.join(folder, 'copy'), {
      recursive: true,
      filter: (name) => !name.endsWith('copy'),
    }).catch(() => undefined);
    assert.equal((await new HistoryFolder(folder).ids()).length, 1);
  });

  it('removes what a killed writer left, but not what one is writing', async () => {
    await add([]);
    const left = (digit: string) => path.join(folder, `.${digit.repeat(18)}.part`);
    for (const digit of ['a', 'b']) await writeFile(left(digit), 'x');
    await utimes(left('a'), new Date('2020-01-01'), new Date('2020-01-01'));
    await add([]);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.part')),
      [path.basename(left('b'))],
    );
  });

  it('remembers what a receiver was told', async () => {
    const history = new HistoryFolder(folder);
    const ids = [(await add([])).head.id, (await add([])).head.id];
    assert.equal(await history.toldTo('ab'), undefined);
    const told = async (receiver: string) => [...((await history.toldTo(receiver))?.ids ?? [])];
    for (const id of ids.toReversed()) await history.markTold('ab', id);
    assert.deepEqual(await told('ab'), ids);
    assert.equal(await history.toldTo('cd'), undefined);
    const marks = async () => (await readdir(folder)).filter((name) => name.includes('.told-'));
    assert.deepEqual(await marks(), [`${ids[1]}.told-ab`]);
    const more = Array.from(
      { length: 600 },
      (_, at) => `20300101T000000${String(at).padStart(3, '0')}Z-aaaaaaaaaaaa`,
    );
    for (const id of more) await history.markTold('ab', id);
    assert.equal((await history.toldTo('ab'))?.until, more[100]);
    assert.deepEqual(await told('ab'), more.slice(101));
    await writeFile(path.join(folder, `${ids[0]}.told-ef`), '');
    assert.equal((await history.toldTo('ef'))?.until, ids[0], 'as an older program wrote it');
  });

  it('loses nothing and keeps nothing half when two writers are killed', async () => {
    const program = path.join(import.meta.dirname, '../../../../helpers/history-process.ts');
    const roots = path.join(import.meta.dirname, '../../../../..');
    let written = 0;
    for (let round = 0; round < 4; round += 1) {
      const writers = ['one', 'two'].map((name) =>
        spawn(process.execPath, [program, folder, name], {
          stdio: ['ignore', 'pipe', 'inherit'],
          cwd: roots,
        }),
      );
      const ended = writers.map((writer) => once(writer, 'exit'));
      await Promise.all(
        writers.map(async (writer) => {
          let told = 0;
          for await (const chunk of writer.stdout) {
            told += String(chunk).length;
            if (told >= 5 + round) writer.kill('SIGKILL');
          }
          written += told;
        }),
      );
      await Promise.all(ended);
    }
    const history = new HistoryFolder(folder);
    const ids = await history.ids();
    assert.ok(ids.length >= written, `${ids.length} of ${written}`);
    for (const id of ids) {
      const run = await history.run(id);
      assert.ok('head' in run && run.problems.length === 0, id);
    }
    assert.deepEqual((await add([])).told, []);
    assert.ok((await stat(folder)).isDirectory());
  });
});
