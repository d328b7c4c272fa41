/** What the terminal says about parameters can be typed in a terminal. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CliError } from '#cli/context.ts';
import { bindParameters } from '#cli/run/parameters.ts';
import type { StatementInfo } from '#server/protocol.ts';

const range = { start: { line: 1, character: 7 }, end: { line: 1, character: 9 } };
const statement = {
  text: 'SELECT :p',
  placeholders: [{ name: 'p', range }],
  parameters: [],
} as unknown as StatementInfo; // nothing else is read

function refusal(declared: string, entries: readonly string[]): string {
  try {
    bindParameters(statement, `-- @param ${declared}\nSELECT :p`, { entries, nulls: [], now: new Date(0) });
  } catch (error) {
    assert.ok(error instanceof CliError);
    return [error.message, ...error.help].join('\n');
  }
  return '';
}

describe('a parameter', () => {
  for (const [declared, entry] of [
    ['p date', 'p='],
    ['p integer', 'p= '],
    ['p text[]', 'p=,'],
  ] as const)
    it(`without a value names what a terminal has: ${declared} ${entry}`, () => {
      const words = refusal(declared, [entry]);
      assert.match(words, /--null/);
      assert.doesNotMatch(words, /tick/);
    });

  it('with an unclear default says why it is not used, and takes a value', () => {
    const declared = 'p integer = 7 days of history';
    assert.match(refusal(declared, []), /--param p=\.\.\.[^]*It is not clear where this default ends/);
    assert.equal(refusal(declared, ['p=7']), '');
  });
});
