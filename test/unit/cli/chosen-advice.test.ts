/** Advice after a command is about the connection that it chose. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typedText } from '#base/advice.ts';
import { advice } from '#cli/advice.ts';
import { adviceAbout, choiceOf } from '#cli/run/failure-text.ts';

describe('advice about a chosen connection', () => {
  for (const [args, connection, connections] of [
    ['models', undefined, undefined],
    ['models --connection a', 'a', undefined],
    ['models --connection a --connection b', 'b', undefined],
    ['models --connection=a --connection b', 'b', undefined],
    ['models --connection a --connection=b', 'b', undefined],
    ['models --connections a.json --connection=b=c --connections=b.json', 'b=c', 'b.json'],
  ] as const)
    it(`is read from ${args}`, () => {
      assert.deepEqual(choiceOf(args.split(' ')), { connection, connections });
    });

  for (const typed of [
    ...[advice.examine(), advice.listModels(), advice.listSaved()],
    ...[advice.showPlan(), advice.showStatus(), advice.writePlan('my plan.json')],
  ])
    it(`chooses it: ${typedText(typed)}`, () => {
      const line = `Look: ${typedText(typed)}`;
      const choice = { connection: 'prod eu', connections: 'c.json' };
      assert.deepEqual(adviceAbout(choice, [line, 'x']), [
        `${line} --connection "prod eu" --connections c.json`,
        'x',
      ]);
      assert.deepEqual(adviceAbout({}, [line]), [line]);
    });

  for (const line of [
    `List them with: ${typedText(advice.listControls())}`,
    `${typedText(advice.listModels())} is a command.`,
    'The model: identity-queries modelsx',
  ])
    it(`leaves other lines: ${line}`, () => {
      assert.deepEqual(adviceAbout({ connection: 'a' }, [line]), [line]);
    });
});
