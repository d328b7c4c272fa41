/** Editing a connection in its form preserves members that the form does not show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersFrom, answersOf, editedEntry, settingOf } from '#core/connections/form/answers.ts';
import { profileOf, type ConnectionSetting } from '#core/connections/parse-connection.ts';

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
  clientAuthentication: 'body',
  execute: {
    values: 'literals',
    paging: {
      size: 'page_size',
      token: 'page_token',
      next: 'page.next',
      last: 'more=false',
    },
  },
};

test('editing without a change keeps every member', () => {
  const profile = profileOf(whole);
  assert.deepEqual(settingOf(answersFrom(answersOf(profile)), profile), whole);
});

test("editing the name keeps the agents' access", () => {
  const profile = profileOf(whole);
  const { ai, sensitiveColumns } = settingOf({ ...answersOf(profile), name: 'Reviews' }, profile);
  assert.deepEqual({ ai, sensitiveColumns }, { ai: whole.ai, sensitiveColumns: whole.sensitiveColumns });
});

test('a new connection requests both scopes, may not change data, and has no member without an answer', () => {
  const texts = {
    name: ' Reviews ',
    baseUrl: 'https://a.example.com',
    authUrl: 'https://b.example.com',
    clientId: 'me',
  };
  assert.deepEqual(settingOf(answersFrom({ ...answersOf(undefined), ...texts }), undefined), {
    ...texts,
    name: 'Reviews',
  });
});

test('unknown members, and those that a folder is not granted, stay as written', () => {
  const setting: ConnectionSetting = {
    name: 'New',
    baseUrl: 'b',
    authUrl: 'a',
    clientId: 'c',
    sensitiveColumns: ['x'],
  };
  const entry = {
    name: 'Old',
    label: 'OLD',
    allowChanges: true,
    ai: 'select',
    sensitiveColumns: ['!x'],
    'x-team': 7,
  };
  assert.deepEqual(editedEntry(entry, setting), {
    name: 'New',
    baseUrl: 'b',
    authUrl: 'a',
    clientId: 'c',
    ai: 'select',
    sensitiveColumns: ['!x'],
    'x-team': 7,
  });
  assert.equal(editedEntry('no entry', setting), setting);
});
