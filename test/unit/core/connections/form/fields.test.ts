/** Rules of the connection form: visible fields, and validation of the input. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { answersFrom, answersOf, settingOf } from '#core/connections/form/answers.ts';
import {
  askedFields,
  connectionSections,
  hintsOf,
  problemsOf,
  type FormFacts,
} from '#core/connections/form/fields.ts';
import { answerNames } from '#core/connections/form/form-types.ts';
import { profileOf } from '#core/connections/parse-connection.ts';

const right = {
  ...answersOf(undefined),
  name: 'Reviews',
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com/token',
  clientId: 'reviews',
};
const facts: FormFacts = { others: [], hasSecret: true, keepsSecret: false };
const other = profileOf({
  ...settingOf(right, undefined),
  name: 'Production',
  baseUrl: 'https://api.example.com/',
});

function problems(change: Readonly<Record<string, string>>, more: Partial<FormFacts> = {}) {
  return problemsOf(answersFrom({ ...right, ...change }), { ...facts, ...more });
}

suite('the rules of the connection form', () => {
  test('every hint is a sentence', () => {
    const fields = connectionSections().flatMap((section) => section.fields);
    const hints = fields.flatMap(({ hint, choices = [] }) => [
      hint,
      ...choices.map(({ description }) => description),
    ]);
    const said = hints.filter((hint) => hint !== undefined);
    assert.ok(said.length > 10);
    assert.deepEqual(
      said.filter((hint) => !/^[A-Z{].*\.$/.test(hint)),
      [],
    );
  });

  test('valid answers have no problem', () => {
    assert.deepEqual(problems({}), {});
  });

  test('an empty form lists what is missing, field by field', () => {
    assert.deepEqual(Object.keys(problemsOf(answersOf(undefined), { ...facts, hasSecret: false })), [
      'name',
      'baseUrl',
      'authUrl',
      'clientId',
      'secret',
    ]);
  });

  const wrong: readonly (readonly [field: string, text: string, words: RegExp])[] = [
    ['name', '  ', /Enter a name/],
    ['name', 'Production', /Another connection has this name/],
    ['baseUrl', 'api.example.com', /address|URL/i],
    ['baseUrl', 'ftp://api.example.com', /http/],
    ['baseUrl', 'https://me:word@api.example.com', /./],
    ['authUrl', '', /^Enter an address\.$/],
    ['environment', 'a/b', /Letters, digits and hyphens/],
    ['environment', '-a', /Letters, digits and hyphens/],
    ['clientId', ' ', /Enter a client ID/],
    ['label', 'x'.repeat(21), /At most 20 characters/],
  ];
  for (const [field, text, words] of wrong)
    test(`${field} may not be "${text}"`, () => {
      const found = problems({ [field]: text }, { others: [other] });
      assert.deepEqual(Object.keys(found), [field]);
      assert.match(Object.values(found)[0] ?? '', words);
    });

  test('a problem never repeats the input, which may be a secret', () => {
    const found = problems({ baseUrl: 'https://me:hidden-word@api.example.com' });
    assert.doesNotMatch(JSON.stringify(found), /hidden-word/);
  });

  test('http:// outside this machine needs a separate tick for each address', () => {
    const plain = { baseUrl: 'http://api.example.com', authUrl: 'http://auth.example.com' };
    assert.deepEqual(Object.keys(problems(plain)), ['basePlain', 'authPlain']);
    assert.deepEqual(Object.keys(problems({ ...plain, basePlain: 'yes' })), ['authPlain']);
    assert.deepEqual(problems({ ...plain, basePlain: 'yes', authPlain: 'yes' }), {});
    assert.deepEqual(problems({ baseUrl: 'http://localhost:8080', authUrl: 'http://127.0.0.1/token' }), {});
    assert.ok(!askedFields(right).includes('basePlain'));
  });

  test('only one source of the secret is shown, and its problem is reported', () => {
    const sources = ['secret', 'variable', 'command'];
    const asked = (secretFrom: string) =>
      askedFields(answersFrom({ ...right, secretFrom })).filter((name) => sources.includes(name));
    assert.deepEqual(asked('storage'), ['secret']);
    assert.deepEqual(asked('variable'), ['variable']);
    assert.deepEqual(asked('command'), ['command']);
    const none = { hasSecret: false };
    assert.deepEqual(Object.keys(problems({}, none)), ['secret']);
    assert.deepEqual(problems({}, { ...none, keepsSecret: true }), {});
    for (const variable of ['', 'A B', 'A=B'])
      assert.deepEqual(Object.keys(problems({ secretFrom: 'variable', variable }, none)), ['variable']);
    for (const command of ['', 'vault "read'])
      assert.deepEqual(Object.keys(problems({ secretFrom: 'command', command }, none)), ['command']);
    assert.deepEqual(problems({ secretFrom: 'variable', variable: 'IDENTITY_SECRET' }, none), {});
    assert.deepEqual(problems({ secretFrom: 'command', command: 'vault read "a b"' }, none), {});
  });

  test('permission to change data is not shown if only reading is requested', () => {
    assert.ok(askedFields(right).includes('changes'));
    assert.ok(!askedFields({ ...right, scopes: 'read' }).includes('changes'));
  });

  test('another connection to the same service with the same client is named, whatever its name and trailing slashes', () => {
    const secretHint = 'It is stored.';
    assert.deepEqual(hintsOf(right, { others: [], secretHint }), { secret: secretHint });
    assert.deepEqual(hintsOf(right, { others: [other], secretHint }), {
      secret: secretHint,
      clientId: 'Production has the same addresses and client ID.',
    });
    assert.deepEqual(hintsOf({ ...right, environment: 'test' }, { others: [other], secretHint }), {
      secret: secretHint,
      clientId: 'Production has the same addresses and client ID.',
    });
    assert.equal(
      hintsOf({ ...right, clientId: 'else' }, { others: [other], secretHint }).clientId,
      undefined,
    );
    const sandbox = { ...other, source: 'sandbox' } as const;
    assert.equal(hintsOf(right, { others: [sandbox], secretHint }).clientId, undefined);
  });

  test('each field is in one section, and each choice includes the answer of a new form', () => {
    const fields = connectionSections().flatMap((section) => section.fields);
    assert.deepEqual(fields.map(({ name }) => name).toSorted(), [...answerNames, 'secret'].toSorted());
    const start: Readonly<Record<string, string>> = answersOf(undefined);
    for (const { name, control, choices } of fields)
      if (control === 'choice')
        assert.ok(
          choices?.some(({ value }) => value === start[name]),
          `${name} begins with no choice`,
        );
  });
});
