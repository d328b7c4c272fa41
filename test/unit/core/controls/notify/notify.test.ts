/** Who is told what: every new outcome at least once, nothing that acts, and no secret in a file. */
import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { HistoryFolder } from '#core/controls/history/history-folder.ts';
import type { KnownOutcome, OutcomeChange } from '#core/controls/history/outcome-state.ts';
import { parseReceivers, webhookHeaders } from '#core/controls/notify/receivers.ts';
import {
  jsonMessage,
  slackMessage,
  teamsMessage,
  type RunMessage,
} from '#core/controls/notify/run-message.ts';
import { tellReceiver } from '#core/controls/notify/tell-receivers.ts';

const failed = (control: string, title = 'Title', message = '3 rows; expected: no rows.'): OutcomeChange => ({
  kind: 'failed',
  before: undefined,
  after: { control, connection: 'eu', outcome: 'fail', title, message, rows: 3, keys: ['aa', 'bb'] },
});
const messageOf = (changes: readonly OutcomeChange[]): RunMessage => ({
  head: {
    id: '20261128T000000000Z-aaaaaaaaaaaa',
    startedAt: '2026-11-28T00:00:00.000Z',
    connections: ['eu'],
    counts: { fail: changes.length },
  },
  changes,
});
const hostile = '<!channel> & <https://evil|x> [x](https://evil) **b** @here \u202e\u0007\n# h\n::error::x';

interface Slack {
  readonly text: string;
  readonly blocks: readonly { readonly text: { readonly type: string; readonly text: string } }[];
}

describe('messages about a run', () => {
  it('are signed as Standard Webhooks describe', () => {
    // The example of the specification's own libraries.
    const headers = webhookHeaders(
      {
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        body: '{"test": 2432232314}',
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      },
      new Date(1_614_265_330_000),
    );
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    assert.equal(
      webhookHeaders({ id: 'a', body: '', secret: undefined }, new Date())['webhook-signature'],
      undefined,
    );
  });

  it('do not call a failing control that is no longer there better', () => {
    const { after: before } = failed('A');
    const gone: OutcomeChange = { kind: 'gone', before, after: undefined };
    const passed: OutcomeChange = { kind: 'passed', before, after: undefined };
    const title = (...changes: readonly OutcomeChange[]) => (slackMessage(messageOf(changes)) as Slack).text;
    assert.equal(title(gone), 'Controls on eu: 1 no longer there');
    assert.equal(title(gone, failed('B')), 'Controls on eu: 1 new');
    assert.equal(title(gone, passed), 'Controls on eu: 1 better');
    assert.equal(title(gone, passed, failed('B')), 'Controls on eu: 1 new, 1 better');
  });

  it('hold no digest and no more than a receiver takes', () => {
    const text = JSON.stringify(
      jsonMessage(messageOf(Array.from({ length: 1_200 }, (_, at) => failed(`C-${at}`)))),
    );
    assert.doesNotMatch(text, /"aa"|"bb"|keys/);
    assert.match(text, /"omitted":200/);
    const large = Array.from({ length: 1_200 }, (_, at) => failed(`C-${at}`, 'ä'.repeat(3_000)));
    const cut = JSON.stringify(jsonMessage(messageOf(large)));
    assert.ok(Buffer.byteLength(cut) <= 250_000, String(Buffer.byteLength(cut)));
    assert.match(cut, /C-0".*"omitted":11\d\d/);
  });

  it('are inert and within the limits of Slack', () => {
    const small = slackMessage(messageOf([failed('A', hostile)])) as Slack;
    const all = JSON.stringify(small);
    assert.doesNotMatch(all, /<|>/);
    assert.doesNotMatch(all, /\u202e|\\u0007/);
    assert.deepEqual([...new Set(small.blocks.map(({ text }) => text.type))], ['plain_text']);
    const large = slackMessage(
      messageOf(Array.from({ length: 3_000 }, (_, at) => failed(`C-${at}`, '<&>'.repeat(900)))),
    ) as Slack;
    assert.ok(large.blocks.length <= 50);
    for (const { text } of large.blocks) assert.ok(text.text.length > 0 && text.text.length <= 3_000);
    // Slack refuses larger blocks together, whatever each of them is (slackapi/bolt-js issues 2509 and 2867).
    assert.ok(large.blocks.reduce((sum, { text }) => sum + text.text.length, 0) < 9_000);
    assert.match(large.blocks.at(-2)?.text.text ?? '', /^and [\d,]+ more$/);
  });

  it('are inert and within the limit of Teams', () => {
    const card = JSON.stringify(teamsMessage(messageOf([failed('A', hostile)])));
    assert.doesNotMatch(card, /"TextBlock"|\u202e/);
    assert.equal(card.match(/"type":"TextRun"/g)?.length, 3);
    for (const title of ['short', 'ä'.repeat(5_000), '\u{1f600}'.repeat(3_000)]) {
      const text = JSON.stringify(
        teamsMessage(messageOf(Array.from({ length: 500 }, (_, at) => failed(`C-${at}`, title)))),
      );
      assert.ok(Buffer.byteLength(text) <= 28_000, String(Buffer.byteLength(text)));
      assert.match(text, /and \d+ more/);
    }
  });
});

describe('the receivers of a file', () => {
  const environment = { HOOK: 'https://hooks.example/x', SIGN: 'whsec_AAAA' };
  const parse = (entry: unknown) => {
    try {
      return JSON.stringify(
        parseReceivers(JSON.stringify(entry), {
          file: 'notify.json',
          environment,
          secrets: new Set(['OWN_SECRET']),
        }),
      );
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };

  it('are refused if a member is written twice', () => {
    const text = '[{"name":"a","kind":"webhook",\n"url":"https://a.example",\n"url":"https://evil.example"}]';
    const options = { file: 'notify.json', environment, secrets: new Set<string>() };
    assert.throws(
      () => parseReceivers(text, options),
      /^Error: notify\.json:3: The member "url" is written twice\.$/,
    );
  });

  it('never take a secret of a connection or another credential', () => {
    for (const variable of [
      ...['IDENTITY_QUERIES_SECRET', 'IDENTITY_QUERIES_CLIENT_SECRET', 'IDENTITY_QUERIES_DIGEST_KEY'],
      ...['IDENTITY_QUERIES_COMMENT_TOKEN', 'IDENTITY_QUERIES_STATE_PASSWORD', 'identity_queries_secret'],
      ...['OWN_SECRET', 'Own_Secret'],
    ]) {
      const refused = new RegExp(`^notify\\.json\\[0\\]: ${variable} holds a secret of a connection`);
      const url = 'https://a.example';
      assert.match(parse([{ name: 'a', kind: 'webhook', url, secretVariable: variable }]), refused);
      assert.match(parse([{ name: 'a', kind: 'slack', urlVariable: ` ${variable} ` }]), refused);
    }
  });

  it('take secrets from variables', () => {
    assert.match(
      parse([{ name: 'a', kind: 'webhook', url: 'https://a.example', secretVariable: 'SIGN' }]),
      /"secret":"whsec_AAAA"/,
    );
    assert.match(parse([{ name: 'a', kind: 'slack', urlVariable: 'HOOK' }]), /hooks\.example/);
  });

  for (const [entry, words] of [
    [{}, /must contain a list/],
    [[], /must contain a list/],
    [['x'], /is not a receiver/],
    [[{ name: 'a', kind: 'mail', url: 'https://a.example' }], /needs a "name" and a "kind"/],
    [[{ name: 'a', kind: 'webhook' }], /needs either "url" or "urlVariable"/],
    [[{ name: 'a', kind: 'webhook', url: 'https://a.example', urlVariable: 'HOOK' }], /needs either/],
    [
      [{ name: 'a', kind: 'webhook', url: 'https://a.example', secret: 'hunter2' }],
      /contains a secret \(secret\)/,
    ],
    [[{ name: 'a', kind: 'webhook', url: 'https://a.example', colour: 'red' }], /there is no "colour"/],
    [[{ name: 'a', kind: 'slack', url: 'https://hooks.example/secret' }], /the address of slack is a secret/],
    [[{ name: 'a', kind: 'slack', urlVariable: 'constructor' }], /constructor is not set/],
    [[{ name: 'a', kind: 'webhook', url: 7 }], /"url" must be a text/],
    [
      [{ name: 'a', kind: 'webhook', url: 'https://a.example', allowPrivateAddress: 'yes' }],
      /must be true or false/,
    ],
    [
      [
        { name: 'a', kind: 'webhook', url: 'https://a.example' },
        { name: 'a', kind: 'webhook', url: 'https://b.example' },
      ],
      /used twice/,
    ],
  ] as const)
    it(`are refused: ${words.source}`, () => {
      const said = parse(entry);
      assert.match(said, words);
      assert.doesNotMatch(said, /hunter2|hooks\.example\/secret/);
    });
});

describe('telling what is new', () => {
  it('leaves out nothing for a receiver that was never reached, and tells no past', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'identity-queries-notify-'));
    try {
      const folder = new HistoryFolder(root);
      const add = async (outcome: KnownOutcome['outcome']) => {
        const outcomes = [{ control: 'A', connection: 'eu', outcome }];
        const run = { startedAt: new Date(), ms: 1, scope: '', connections: ['eu'], problems: 0, outcomes };
        return (await folder.add(run)).head.id;
      };
      const sent: string[] = [];
      const tell = async (run: string, problem?: string) =>
        await tellReceiver(folder, {
          receiver: 'ab',
          run,
          send: ({ changes }) => {
            if (problem === undefined) sent.push(...changes.map(({ kind }) => kind));
            return Promise.resolve(problem);
          },
        });
      await add('fail');
      await add('pass');
      await tell(await add('fail'), 'down');
      await tell(await add('pass'), 'down');
      await tell(await add('pass'));
      assert.deepEqual(sent, ['failed', 'passed']);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('tells a run that was written after a later one was told, also after a merge', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'identity-queries-notify-'));
    try {
      const folder = new HistoryFolder(root);
      const add = async (outcome: KnownOutcome['outcome']) => {
        const outcomes = [{ control: 'A', connection: 'eu', outcome }];
        const run = { startedAt: new Date(), ms: 1, scope: '', connections: ['eu'], problems: 0, outcomes };
        return (await folder.add(run)).head.id;
      };
      const sent: string[] = [];
      const tell = async (run: string, problem?: string) =>
        await tellReceiver(folder, {
          receiver: 'ab',
          run,
          send: ({ head }) => {
            if (problem === undefined) sent.push(head.id);
            return Promise.resolve(problem);
          },
        });
      await tell(await add('pass'));
      const [late, hidden] = [await add('fail'), path.join(root, 'late')];
      const file = path.join(root, `${late}.jsonl`);
      await rename(file, hidden);
      const later = await add('error');
      await tell(later);
      assert.deepEqual(sent, [later]);
      await rename(hidden, file);
      assert.deepEqual(await tell(late, 'down'), { sent: 0, problem: 'down' });
      const last = await add('pass');
      assert.deepEqual(await tell(last), { sent: 2 });
      assert.deepEqual(sent, [later, late, last]);
      assert.deepEqual(await tell(last), { sent: 0 });
      assert.deepEqual(await tell(late), { sent: 0 });
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('reaches a receiver at least once, in order, also after failures', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'identity-queries-notify-'));
    try {
      const folder = new HistoryFolder(root);
      const sent: string[] = [];
      let isDown = false;
      const add = async (outcome: KnownOutcome['outcome'], control = 'A') => {
        const { head } = await folder.add({
          startedAt: new Date(),
          ms: 1,
          scope: control,
          connections: ['eu'],
          problems: 0,
          outcomes: [{ control, connection: 'eu', outcome }],
        });
        return await tellReceiver(folder, {
          receiver: 'ab',
          run: head.id,
          send: ({ changes }) => {
            if (isDown) return Promise.resolve('it is down.');
            for (const { kind, after, before } of changes)
              sent.push(`${kind} ${(after ?? before)?.control ?? ''}`);
            return Promise.resolve(undefined);
          },
        });
      };
      await add('pass');
      assert.deepEqual(sent, [], 'nothing is new');
      await add('fail');
      assert.deepEqual(sent, ['failed A']);
      isDown = true;
      assert.deepEqual(await add('pass'), { sent: 0, problem: 'it is down.' });
      assert.deepEqual(await add('fail'), { sent: 0, problem: 'it is down.' });
      assert.equal((await add('fail', 'B')).problem, 'it is down.');
      isDown = false;
      assert.deepEqual(sent, ['failed A']);
      assert.deepEqual(await add('pass', 'B'), { sent: 4 });
      assert.deepEqual(sent, ['failed A', 'passed A', 'failed A', 'failed B', 'passed B']);
      assert.deepEqual(await add('pass', 'B'), { sent: 0 });
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
