import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareDecimal, decimalKey } from '#core/rows/decimal.ts';

const digits = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.nat({ max: 9 }).map(String), minLength, maxLength });
/** The key changes its form at 1,000 digits. */
const numbers = fc.record({
  sign: fc.constantFrom('', '-'),
  whole: fc.oneof(digits(5), digits(1_005, 990)),
  fraction: fc.oneof(digits(5), digits(1_005, 990)),
});

test('every spelling of a number has the same key', () => {
  fc.assert(
    fc.property(numbers, fc.nat({ max: 1_010 }), ({ sign, whole, fraction }, places) => {
      const plain = `${sign}${whole}1.${fraction}`;
      const moved = `${sign}00${whole}1${fraction}${'0'.repeat(places)}e-${fraction.length + places}`;
      assert.ok(compareDecimal(plain, moved) === 0);
      assert.equal(decimalKey(moved), decimalKey(plain));
      assert.equal(decimalKey(`${plain}0`), decimalKey(plain));
      assert.equal(decimalKey(decimalKey(plain)), decimalKey(plain));
    }),
    { numRuns: 300 },
  );
});

test('only equal numbers have the same key', () => {
  const some = fc
    .tuple(fc.constantFrom('', '-', '0'), digits(3), digits(3))
    .map(([sign, a, b]) => `${sign}${a}1.${b}`);
  fc.assert(
    fc.property(some, some, (a, b) => {
      assert.equal(decimalKey(a) === decimalKey(b), compareDecimal(a, b) === 0);
    }),
  );
});
