/** Masking: tokens in place of values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExactNumber } from '#api/client/json.ts';
import { Masker, originsOfResult } from '#core/policy/masking/masker.ts';
import { unknownOrigin } from '#core/policy/masking/origin.ts';

const email = { kind: 'email', isExact: true };
const whole = { kind: 'email', isExact: false };

describe('a masker', () => {
  it('gives equal values the same token, and different values different tokens', () => {
    const masker = new Masker();
    const one = masker.mask('ada@corp.example', email);
    assert.match(String(one), /^email:[0-9a-f]{8}$/);
    assert.equal(masker.mask('ada@corp.example', email), one);
    assert.notEqual(masker.mask('bob@corp.example', email), one);
    assert.notEqual(
      masker.mask('ada@corp.example', { ...email, kind: 'name' }),
      String(one).replace('email', 'name'),
    );
    assert.notEqual(new Masker().mask('ada@corp.example', email), one);
  });

  it('reveals nothing about a value derived from others, missing or not', () => {
    const masker = new Masker();
    for (const value of ['a', '', 0, true, null, [], {}])
      assert.equal(masker.mask(value, whole), 'email:****');
  });

  it('leaves public and missing values unchanged', () => {
    const masker = new Masker();
    const value = { a: 1 };
    assert.equal(masker.mask(value, undefined), value);
    assert.equal(masker.mask(null, email), null);
  });

  it('distinguishes numbers and lists down to the last digit', () => {
    const masker = new Masker();
    const big = (text: string) => masker.mask([new ExactNumber(text)], email);
    assert.equal(big('12345678901234567890'), big('12345678901234567890'));
    assert.notEqual(big('12345678901234567890'), big('12345678901234567891'));
  });
});

describe('the columns of a response', () => {
  const list = [
    { name: 'id', origin: undefined },
    { name: 'email', origin: email },
  ];
  it('are those that the text promises', () => {
    assert.deepEqual(originsOfResult({ list }, ['id', 'email']), [undefined, email]);
  });

  it('are all masked if the service returns other columns', () => {
    for (const names of [['email', 'id'], ['id'], ['id', 'email', 'x'], ['ID', 'email']])
      assert.deepEqual(
        originsOfResult({ list }, names),
        names.map(() => unknownOrigin),
      );
  });

  it('are masked together if they have one name, by which the rows may hold one value', () => {
    const alike = (...origins: readonly (typeof email | undefined)[]) =>
      originsOfResult(
        { list: origins.map((origin) => ({ name: 'x', origin })) },
        origins.map(() => 'x'),
      );
    assert.deepEqual(alike(undefined, email), [whole, whole]);
    assert.deepEqual(alike(email, undefined), [whole, whole]);
    assert.deepEqual(alike(email, email), [email, email]);
    assert.deepEqual(alike(undefined, undefined), [undefined, undefined]);
  });

  it('are public if every value comes from public values, else all are masked', () => {
    assert.deepEqual(originsOfResult({ list: [], others: { origin: undefined } }, ['a']), [undefined]);
    assert.deepEqual(originsOfResult({ list: [], others: { origin: whole } }, ['a']), [unknownOrigin]);
    assert.deepEqual(originsOfResult({ list, others: { origin: undefined } }, ['id', 'email']), [
      unknownOrigin,
      unknownOrigin,
    ]);
  });
});
