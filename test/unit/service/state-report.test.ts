/** What the operator of a team's service is told where its state cannot be used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { unavailable } from '#service/errors.ts';
import { OwnDatabaseError } from '#service/own-data/database.ts';
import { StateError, stateIsAway } from '#service/state/state-database.ts';
import { StateReport } from '#service/team/state-report.ts';

const refused = (code: string, message: string): Error =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
const login = new OwnDatabaseError('The database d cannot be used: the user or the password is wrong.');

const told: readonly (readonly [what: string, error: unknown, reason: string])[] = [
  ['a login that is refused', unavailable(stateIsAway, login), login.message],
  ['a state that is not ours', new StateError('Name the primary.'), 'Name the primary.'],
  ['a right that is missing', refused('42501', 'permission denied for table instances'), 'The service cannot use its state: permission denied for table instances (42501).'],
  ['a server that stops', unavailable(stateIsAway, new Error('The connection to the state ended.', { cause: refused('57P01', 'terminating connection due to administrator command') })), 'The service cannot use its state: terminating connection due to administrator command (57P01).'],
  ['a file that is damaged', new Error('database disk image is malformed'), 'The service cannot use its state: database disk image is malformed.'],
]; // oxfmt-ignore

for (const [what, error, reason] of told)
  test(`says the reason of ${what}`, () => {
    const lines: string[] = [];
    new StateReport((line) => lines.push(line)).failed(error);
    assert.deepEqual(lines, [reason]);
  });

test('tells a reason once, until there is another one or the state worked', () => {
  const lines: string[] = [];
  const report = new StateReport((line) => lines.push(line));
  const fail = (word: string): void => report.failed(new StateError(word));
  assert.equal(report.isAway, false);
  for (const word of ['one', 'one', 'two', 'one']) fail(word);
  assert.equal(report.isAway, true);
  report.worked();
  assert.equal(report.isAway, false);
  fail('one');
  assert.deepEqual(lines, ['one', 'two', 'one', 'one']);
});
