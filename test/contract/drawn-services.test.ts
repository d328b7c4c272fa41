/**
 * A session against services drawn from what the specification leaves open (test/service/drawn). Each fault that was
 * found has the service that showed it, reduced to what it needs; then come drawn ones. `npm run fuzz -- services`
 * plays a thousand.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { breachesOf, lineOf, steps, type Step } from '../helpers/drawn-session.ts';
import { shortenPauses } from '../helpers/fast-clock.ts';
import { drawService } from '../service/drawn/draw.ts';
import { serviceWith, type Service } from '../service/drawn/space.ts';

let restore: () => void = () => undefined;
before(() => {
  restore = shortenPauses(200);
});
after(() => restore());

async function requireNoBreach(service: Service, steps?: readonly Step[]): Promise<void> {
  const breaches = await breachesOf(service, steps);
  assert.deepEqual(breaches, [], lineOf(service, breaches));
}

/** What a fault showed, the service that showed it, and the steps of the session that met it. */
const found: Readonly<Record<string, readonly [Readonly<Record<string, string>>, ...Step[]]>> = {
  'a control passed on one page of a snake_case service': [{ paging: 'snake' }, 'controls'],
  'a control passed, since rowCount is of the page': [
    { paging: 'link-header', rowCount: 'of-page' },
    'controls',
  ],
  'a page that came again, for a token of another name, was read without end': [
    { paging: 'renamed' },
    'runs',
    'controls',
  ],
  'no result of several pages was complete that says where a page starts': [
    { paging: 'snake', flags: 'place' },
    'controls',
  ],
  'no row was found, since the values of parameters were ignored': [{ boundValues: 'ignored' }, 'runs'],
  'a control passed on a part of a list of values': [{ boundValues: 'first-of-list' }, 'runs', 'controls'],
  'a control passed where nothing shows that values are ignored': [
    { boundValues: 'ignored-unseen' },
    'runs',
    'controls',
  ],
  'no result was complete that is prepared at first': [{ resultPages: 'empty-first' }, 'runs', 'controls'],
  'doctor blamed the secret for a token that had ended': [{ tokenLifetime: 'early' }, 'doctor'],
  'the result of the only statement was one row': [{ rowsName: 'in-list' }, 'runs', 'controls'],
  'a list was walked back by the token of the page before': [{ otherPaging: 'prev-and-next' }, 'saved'],
  'no result was complete beside the token of the page before': [{ paging: 'relay' }, 'controls'],
  'a deletion that was denied in words was told as done': [{ deletes: 'denied' }, 'sync'],
  'versions that cannot be read were left out without a word': [{ versionLists: 'without-texts' }, 'sync'],
  'an agent got a cut result that was called complete': [{ paging: 'truncated' }, 'agent'],
  'a result cut without a word was called complete': [{ paging: 'silent' }, 'runs'],
  'a run whose rows are surely missing did not say how to examine the pages': [
    { paging: 'silent', rowCount: 'whole' },
    'runs',
  ],
  'a cursor that stays on the last page': [{ paging: 'cursor-always' }, 'runs'],
  'a strict service refused the names of the request': [{ paging: 'nested', strictBody: 'strict' }, 'runs'],
  'a strict service that runs no query with two rows': [
    { paging: 'snake', strictBody: 'strict', values: 'not-parsed' },
    'runs',
    'agent',
  ],
  'doctor asked a strict list for a size that it does not know': [
    { otherPaging: 'next-token', strictList: 'strict' },
    'doctor',
  ],
  'no query was run where a page size was too large': [
    { pageSize: 'refused-above-200', paging: 'snake' },
    'runs',
    'controls',
    'agent',
  ],
  'doctor held what it cannot see': [{ paging: 'offset' }, 'doctor'],
  'without a list, no query was found by its ID': [{ savedList: 'absent' }, 'saved'],
  'a gateway hides what is not offered': [
    { savedList: 'absent', otherLists: 'absent', absence: '403', errorBody: 'message' },
    'saved',
    'records',
  ],
  'one entry without a version failed the list': [
    { savedEntry: 'without-version', emptyPages: 'between' },
    'saved',
  ],
  'check was silent where the names are not known': [{ schema: 'refused' }, 'models'],
  'models without execute': [{ execute: 'absent', errorBody: 'html' }, 'models'],
  'one model that cannot be read failed all': [{ schema: 'one-model-refused' }, 'models'],
  'a model that is none was left out without a word': [{ models: 'one-bad' }, 'models'],
  'a scroll ID ended a list after two pages': [{ listToken: 'same-for-a-walk' }, 'records'],
  'the write scope was refused in other words': [
    { writeScope: 'access-denied', tokenType: 'absent' },
    'creates',
  ],
  'a granted scope was not read': [{ writeScope: 'left-out' }, 'creates', 'sync', 'changes'],
  'one draft became two queries': [{ storedText: 'composed', lostCreate: 'once' }, 'creates'],
  'a job that has ended was followed for a day': [{ jobWords: 'timed-out' }, 'changes'],
  'a service without jobs was told to lack this job': [{ jobs: 'absent', absence: '405' }, 'changes'],
  'a push called a query deleted that is still there': [{ deletes: 'absent' }, 'sync'],
  'a push to a service without updates said that the query may have been deleted': [
    { updates: 'absent', versionLists: 'absent' },
    'sync',
  ],
  'a pull was silent about queries that nothing lists': [
    { savedList: 'absent', emptyPages: 'three' },
    'sync',
  ],
  'a list cut at its first page was called complete': [
    { otherPaging: 'total-alone' },
    'saved',
    'agent',
    'sync',
  ],
  'a list with links in a header was called complete': [{ otherPaging: 'link-header' }, 'saved'],
  'further pages of a list under other names were not read': [
    { otherPaging: 'nested', strictList: 'strict', emptyPages: 'first' },
    'saved',
  ],
  'columns that count from 0 were told as they are': [{ positions: 'column-zero' }, 'runs'],
  'a service that says when it is back was not waited for': [{ limits: '503-seconds' }, 'records'],
  'facts of a job were dropped': [{ jobWords: 'reflected-in-graph' }, 'changes'],
  'a redirected link counted as expired': [{ exportLink: 'redirected', hiccup: '502' }, 'exports'],
  'an export without a link was prepared for ever': [{ exportLink: 'gone' }, 'exports'],
};

suite('services that showed a fault', () => {
  for (const [fault, [ways, ...played]] of Object.entries(found))
    test(fault, async () => {
      await requireNoBreach(serviceWith(ways), played);
    });
});

suite('services drawn by lot', () => {
  for (let seed = 1; seed <= 30; seed += 1)
    test(`seed ${seed}`, async () => {
      // A third of the steps for each, since checking SQL and Git's processes take most of the time; the fuzz run plays all.
      const some = steps.filter((step, at) => (step === 'sync' ? seed % 10 === 0 : at % 3 === seed % 3));
      await requireNoBreach(drawService(seed), some);
    });
});
