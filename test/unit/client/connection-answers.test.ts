/** A connection through its form: members that no step asks about must stay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, named, settingOf } from '../../../client/src/features/connection/connection-answers.ts';
import { profileOf, type ConnectionSetting } from '../../../core/src/connections/parse-connection.ts';

const whole: Required<Omit<ConnectionSetting, 'secretVariable'>> = {
  name: 'Production',
  baseUrl: 'http://identity.example.com',
  authUrl: 'https://sign-in.example.com/token',
  environment: 'eu-1',
  clientId: 'reviews',
  scopes: 'read',
  label: 'PROD',
  colour: 'red',
  protected: true,
  allowChanges: true,
  allowPlainHttp: true,
  secretCommand: ['pass', 'show', 'identity secret'],
  ai: 'select',
  sensitiveColumns: ['salary*', '!salary_band'],
};

test('an edit without a change keeps every member', () => {
  const profile = profileOf(whole);
  assert.deepEqual(settingOf(named(answersOf(profile)), profile), whole);
});

test('an edit of the name keeps what agents may see', () => {
  const profile = profileOf(whole);
  const { ai, sensitiveColumns } = settingOf({ ...named(answersOf(profile)), name: 'Reviews' }, profile);
  assert.deepEqual({ ai, sensitiveColumns }, { ai: whole.ai, sensitiveColumns: whole.sensitiveColumns });
});
