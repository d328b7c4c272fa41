/**
 * The parameter form in a real browser with its own content security policy: filled in by keyboard alone, problems next
 * to their fields, no typed text lost, and accessible in each theme.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ResultWriter } from '#client/features/results/result.ts';
import type { ParameterFormState } from '#panel-protocol/messages.ts';
import { inspect } from '../helpers/inspect-page.ts';
import { field, parameterFields } from '../helpers/parameter-fields.ts';
import { recordedActions } from '../helpers/recorded-actions.ts';
import type { ResultsPage } from '../helpers/results-page.ts';
import { openResultsForEach } from '../helpers/results-suite.ts';

const fields = parameterFields;

suite('parameter form', () => {
  let shown: ResultsPage;
  let page: Page;
  let until: ReturnType<typeof inspect>['until'];
  let look: ReturnType<typeof inspect>['look'];
  let calls: string[];
  let writer: ResultWriter;

  openResultsForEach({ useWorker: false, width: 1_000, height: 760 }, (opened) => {
    ({ shown, page, calls } = opened);
    ({ until, look } = inspect(shown));
    const result = shown.newResult({ connection: 'Sandbox', model: 'platform_identity' });
    writer = result.begin(result.header, recordedActions(calls));
  });

  function show(change: Partial<ParameterFormState> = {}): void {
    writer.set({ kind: 'parameters', revision: 1, fields, valueSets: [], ...change });
  }
  const control = (name: string) => page.getByLabel(name, { exact: true });
  async function sent(start: string): Promise<unknown> {
    await until(() => calls.some((call) => call.startsWith(start)));
    const call = calls.findLast((one) => one.startsWith(start)) ?? '';
    return JSON.parse(call.slice(call.indexOf(' ') + 1));
  }

  test('is filled in and sent with the keyboard; problems are shown beside their fields', async () => {
    show({ valueSets: ['Contractors DE', 'Staff'] });
    await control('min_score').waitFor();
    shown.panel.focus();
    // The first field that needs attention has focus.
    await page.waitForFunction(() => document.activeElement?.id === 'parameter-1');
    assert.match((await control('min_score').getAttribute('aria-describedby')) ?? '', /parameter-1-problem/);
    await look('form');
    await page.keyboard.type('5');
    await page.getByLabel('manager is NULL').uncheck();
    await page.keyboard.type('mara@example.com');
    await page.keyboard.press('Enter');
    assert.deepEqual(await sent('submit'), [
      { name: 'since', text: 'today - 30 days', isNull: false, isEmpty: false },
      { name: 'min_score', text: '5', isNull: false, isEmpty: false },
      { name: 'enabled', text: 'false', isNull: false, isEmpty: false },
      { name: 'kind', text: 'Custom', isNull: false, isEmpty: false },
      { name: 'teams', text: 'Sales\nLegal', isNull: false, isEmpty: false },
      { name: 'manager', text: 'mara@example.com', isNull: false, isEmpty: false },
    ]);
    await page.keyboard.press('Escape');
    await until(() => calls.at(-1) === 'cancel');
  });

  test('a date is chosen from a calendar with the keyboard, and relative dates show their meaning', async () => {
    show();
    await control('since').waitFor();
    assert.match((await page.locator('#parameter-0-meaning').textContent()) ?? '', /^= \d{4}-\d\d-\d\d$/);
    await control('since').fill('2026-01-31');
    await page.getByRole('button', { name: 'Choose a value for since' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await look('form-calendar');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Enter');
    assert.equal(await control('since').inputValue(), '2026-01-07');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: 'Choose a value for since' }).click();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.ok(!calls.includes('cancel'), 'Escape closed the calendar only');
    await page.getByRole('button', { name: 'Choose a value for since' }).click();
    await page.getByRole('button', { name: 'start of quarter' }).click();
    assert.equal(await control('since').inputValue(), 'start of quarter');
  });

  test('NULL and empty exclude each other; lists are counted, and accept known and earlier values', async () => {
    show();
    await control('teams').fill('a,"b, c"\nd');
    await page.getByText('3 values', { exact: true }).waitFor();
    await page.getByLabel('Recent values of teams').selectOption({ label: 'People' });
    assert.equal(await control('teams').inputValue(), 'People');
    await page.getByLabel('teams is Empty list').check();
    assert.ok(await control('teams').isDisabled());
    await page.getByLabel('teams is NULL').check();
    assert.ok(!(await page.getByLabel('teams is Empty list').isChecked()));
    await page
      .getByRole('group', { name: 'Known values of kind' })
      .getByRole('button', { name: 'Modeled' })
      .click();
    assert.equal(await control('kind').inputValue(), 'Modeled');
  });

  test('values that the data turns out to have are offered while a person types', async () => {
    show();
    await control('teams').fill('Sales');
    const offered = fields.map((field) =>
      field.name === 'teams' ? { ...field, choices: ['Legal', 'People, all'] } : field,
    );
    show({ fields: offered });
    const group = page.getByRole('group', { name: 'Known values of teams' });
    await group.getByRole('button').nth(1).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
    await look('form-values');
    await group.getByRole('button', { name: 'People, all' }).click();
    assert.equal(await control('teams').inputValue(), 'Sales\n"People, all"');
    show({ fields: offered.map((field) => ({ ...field, choices: [] })) });
    await group.waitFor({ state: 'hidden' });
  });

  test('input survives hiding the panel, and a redraw by the host', async () => {
    show();
    await control('kind').fill('typed on');
    const draft = (await sent('form')) as { kind: string; values: { name: string; text: string }[] };
    assert.equal(draft.kind, 'draft');
    assert.equal(draft.values.find((one) => one.name === 'kind')?.text, 'typed on');
    // A message from the host with the same revision does not replace the text that is being typed.
    await control('kind').fill('typed on and on');
    show({ fields: fields.map((one) => (one.name === 'kind' ? { ...one, text: 'typed on' } : one)) });
    assert.equal(await control('kind').inputValue(), 'typed on and on');
    show({ revision: 2, valueSets: ['Staff'], valueSet: 'Staff' });
    await page.getByLabel('Value set').waitFor();
    assert.equal(await control('kind').inputValue(), 'Custom');
    await page.getByLabel('Value set').selectOption('Staff');
    await page.getByLabel('Value set').selectOption('');
  });

  test('a list opens with the cursor behind its values, so that Enter adds one; F5 runs', async () => {
    show({ fields: fields.filter(({ name }) => name === 'teams') });
    await control('teams').waitFor();
    shown.panel.focus();
    await page.waitForFunction(() => document.activeElement?.id === 'parameter-0');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Support');
    await page.keyboard.press('F5');
    assert.deepEqual(await sent('submit'), [
      { name: 'teams', text: 'Sales\nLegal\nSupport', isNull: false, isEmpty: false },
    ]);
  });

  test('a letter typed before the editor has focused the form twice is kept', async () => {
    show();
    await control('min_score').waitFor();
    shown.panel.focus();
    await page.waitForFunction(() => document.activeElement?.id === 'parameter-1');
    await page.keyboard.type('4');
    shown.panel.focus();
    // Messages arrive in order, so the second one has arrived when the problem is shown.
    show({ fields: fields.map((one) => (one.name === 'kind' ? { ...one, problem: 'after it' } : one)) });
    await page.getByText('after it').waitFor();
    await page.keyboard.type('2');
    assert.equal(await control('min_score').inputValue(), '42');
  });

  test('a problem goes and comes with the value, without a redraw', async () => {
    show();
    await control('min_score').fill('42');
    const change = (text: string, problem?: string) =>
      show({ fields: fields.map((one) => (one.name === 'min_score' ? { ...one, text, problem } : one)) });
    // An answer about an earlier value says nothing about this one.
    change('4.7');
    assert.equal(await control('min_score').getAttribute('aria-invalid'), 'true');
    change('42');
    await page.locator('.field-problem').waitFor({ state: 'detached' });
    assert.equal(await control('min_score').getAttribute('aria-invalid'), null);
    assert.doesNotMatch((await control('min_score').getAttribute('aria-describedby')) ?? '', /problem/);
    await control('min_score').fill('4.2');
    change('4.2', 'Enter a whole number, for example 42.');
    await page.getByRole('alert').getByText('Enter a whole number').waitFor();
    assert.match((await control('min_score').getAttribute('aria-describedby')) ?? '', /parameter-1-problem/);
  });

  test('a truth value is always chosen, so it is not called required', async () => {
    show();
    await control('enabled').waitFor();
    const required = (name: string) =>
      page.locator(`.field[data-parameter="${name}"] .field-required`).allTextContents();
    assert.deepEqual(
      [await required('enabled'), await required('min_score'), await required('since')],
      [[], ['required'], ['default today - 90 days']],
    );
    assert.equal(await control('enabled').getAttribute('aria-required'), null);
  });

  test('a secret is not shown, a closed enumeration is a choice', async () => {
    show({
      fields: [
        field('pin', { isSecret: true, type: 'secret' }),
        field('state', {
          type: 'enum(active,locked)',
          choices: ['active', 'locked'],
          isClosed: true,
          mayBeEmpty: false,
        }),
      ],
    });
    assert.equal(await control('pin').getAttribute('type'), 'password');
    await control('state').selectOption('locked');
    await control('pin').fill('1234');
    await look('form-secret');
    await control('pin').press('Enter');
    assert.deepEqual(await sent('submit'), [
      { name: 'pin', text: '1234', isNull: false, isEmpty: false },
      { name: 'state', text: 'locked', isNull: false, isEmpty: false },
    ]);
  });
});
