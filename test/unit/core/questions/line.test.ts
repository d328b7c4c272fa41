/** A question channel: each question gets its own answer or failure. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Answering, type AnswerContext } from '#core/questions/answering.ts';
import { Asking } from '#core/questions/asking.ts';
import type { AnswerMessage } from '#core/questions/line-messages.ts';
import {
  answerWith,
  askThrough,
  type Answers,
  type Asked,
  type Question,
} from '#core/questions/question-map.ts';

interface Sums {
  readonly add: Question<readonly number[], number>;
  /** Resolves when the test releases it. */
  readonly wait: Question<{ readonly name: string }, string>;
  readonly fail: Question<undefined, never>;
}

/** Connects an asking and an answering side. */
function tie(answers: Answers<Sums, AnswerContext>) {
  const said: AnswerMessage[] = [];
  const failures: string[] = [];
  const answering = new Answering<Asked<Sums>>({
    post: (message) => {
      said.push(message);
      asking.receive(message);
    },
    answer: (asked, context) => answerWith(answers, asked, context),
    failed: (error, asked) => failures.push(`${asked.question}: ${String(error)}`),
  });
  const asking: Asking<Asked<Sums>> = new Asking({
    post: (message) => void answering.receive(message),
    errorOf: ({ name, message }) => Object.assign(new Error(message), { name }),
  });
  const ask = askThrough<Sums, Parameters<typeof asking.ask>[1]>((asked, options) =>
    asking.ask(asked, options),
  );
  return { ask, asking, answering, said, failures };
}

/** Creates answers whose `wait` resolves on demand, and rejects when aborted. */
function answersThatWait() {
  const goOn = new Map<string, () => void>();
  const answers: Answers<Sums, AnswerContext> = {
    add: (numbers) => numbers.reduce((sum, each) => sum + each, 0),
    wait: ({ name }, { signal, progress }) =>
      new Promise((resolve, reject) => {
        progress(1);
        signal.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')));
        goOn.set(name, () => resolve(`${name} is here`));
      }),
    fail: () => {
      throw new RangeError('Too far');
    },
  };
  return { answers, goOn };
}

suite('a channel of questions', () => {
  test('gives each question its own answer, in any order', async () => {
    const { answers, goOn } = answersThatWait();
    const { ask, asking } = tie(answers);
    const first = ask('wait', { name: 'first' });
    const second = ask('wait', { name: 'second' });
    assert.equal(await ask('add', [1, 2]), 3);
    assert.ok(asking.isWaiting);
    goOn.get('second')?.();
    assert.equal(await second, 'second is here');
    goOn.get('first')?.();
    assert.equal(await first, 'first is here');
    assert.ok(!asking.isWaiting);
  });

  test('answers immediately if the answer is known, before the next message', () => {
    const { ask, said } = tie(answersThatWait().answers);
    void ask('add', [1]);
    assert.deepEqual(said, [{ kind: 'answer', id: 1, value: 1 }]);
  });

  test('passes on a failure with its name, and reports it on the answering side', async () => {
    const { ask, failures } = tie(answersThatWait().answers);
    await assert.rejects(ask('fail', undefined), { name: 'RangeError', message: 'Too far' });
    assert.deepEqual(failures, ['fail: RangeError: Too far']);
  });

  test('stops only work that nothing waits for any longer', async () => {
    const { answers, goOn } = answersThatWait();
    const { ask } = tie(answers);
    const controller = new AbortController();
    const done: number[] = [];
    const onProgress = (count: number) => done.push(count);
    const stopped = ask('wait', { name: 'stopped' }, { signal: controller.signal, onProgress });
    const other = ask('wait', { name: 'other' });
    controller.abort();
    await assert.rejects(stopped, { name: 'AbortError' });
    goOn.get('other')?.();
    assert.equal(await other, 'other is here');
    assert.deepEqual(done, [1]);
    await assert.rejects(ask('add', [1], { signal: controller.signal }), { name: 'AbortError' });
  });

  test('sends no answer to a page that replaced the asking one', async () => {
    const { answers, goOn } = answersThatWait();
    const { ask, answering, said } = tie(answers);
    const lost = ask('wait', { name: 'lost' });
    let isSettled = false;
    void lost.then(
      () => (isSettled = true),
      () => (isSettled = true),
    );
    answering.forget();
    goOn.get('lost')?.();
    assert.equal(await ask('add', [2, 2]), 4);
    assert.ok(!isSettled);
    assert.deepEqual(
      said.map(({ kind }) => kind),
      ['progress', 'answer'],
    );
  });

  test('fails the affected questions if the other side is gone, and ignores later answers', async () => {
    const { answers, goOn } = answersThatWait();
    const { ask, asking } = tie(answers);
    const lost = ask('wait', { name: 'lost' });
    const kept = ask('wait', { name: 'kept' });
    asking.fail(new Error('Gone'), ({ request }) => JSON.stringify(request).includes('lost'));
    goOn.get('lost')?.();
    goOn.get('kept')?.();
    await assert.rejects(lost, { message: 'Gone' });
    assert.equal(await kept, 'kept is here');
  });
});
