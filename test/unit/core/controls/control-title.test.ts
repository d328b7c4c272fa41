/** The fast parser for a control's name agrees with the full parser. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controlTitleOf } from '#core/controls/control-title.ts';
import { readControl } from '#core/controls/control.ts';

describe('the name of a control', () => {
  for (const [text, expected] of [
    ['-- @control AC-07 Admins without MFA\n-- @expect no rows\nSELECT 1', 'AC-07 Admins without MFA'],
    ['-- Why it matters\r\n\r\n--@control\tAC-07  Two  words \r\nSELECT 1', 'AC-07 Two words'],
    ['-- @control AC-07\nSELECT 1', 'AC-07'],
    ['-- @controls AC-07 Another word\nSELECT 1', undefined],
    ['SELECT 1', undefined],
    ['', undefined],
  ] as const)
    it(`is ${String(expected)} in ${JSON.stringify(text)}`, () => {
      assert.equal(controlTitleOf(text), expected);
      const control = readControl(text);
      assert.equal(control?.id, expected?.split(' ')[0]);
      if (expected !== undefined) assert.ok(expected.endsWith(control?.title ?? '?'));
    });
});
