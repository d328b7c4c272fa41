/** The host's side of the result panel, whose page is unloaded while it is hidden. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PanelServices } from '#client/features/results/panel/panel-services.ts';
import { ResultsPanel } from '#client/features/results/panel/results-panel.ts';

const services: PanelServices = {
  copy: () => Promise.resolve(),
  failed: (what) => assert.fail(what),
  copiesNames: () => false,
  textOptions: () => ({ nullText: '', guardFormulas: true, tableName: '' }),
  export: () => undefined,
  savePicture: () => Promise.resolve(),
  addToQuery: () => Promise.resolve(),
  group: () => Promise.resolve(),
  identify: () => Promise.resolve(undefined),
  openRecord: () => undefined,
  whatChanged: () => undefined,
  maximize: () => undefined,
  focused: () => undefined,
  showDetails: () => undefined,
  language: 'en',
  translate: (text) => text,
};

async function loadedPanel() {
  const posted: string[] = [];
  const panel = new ResultsPanel(services);
  panel.attach(({ kind }) => posted.push(kind));
  await panel.receive({ kind: 'ready' });
  return { panel, newlyPosted: () => posted.splice(0) };
}

suite('a hidden result panel', () => {
  test('gets the focus once its page has loaded again, and only once', async () => {
    const { panel, newlyPosted } = await loadedPanel();
    newlyPosted();
    panel.unload();
    panel.focus();
    panel.focus();
    assert.deepEqual(newlyPosted(), []);
    await panel.receive({ kind: 'ready' });
    assert.deepEqual(newlyPosted(), ['show', 'focus']);
    await panel.receive({ kind: 'ready' });
    assert.deepEqual(newlyPosted(), ['show']);
  });

  test('opens the requested tool once its page has loaded again', async () => {
    const { panel, newlyPosted } = await loadedPanel();
    newlyPosted();
    panel.unload();
    panel.showTool('filter');
    await panel.receive({ kind: 'ready' });
    assert.deepEqual(newlyPosted(), ['show', 'focus', 'show-tool']);
  });

  test('does not take the focus later if it was hidden again before its page had loaded', async () => {
    const { panel, newlyPosted } = await loadedPanel();
    newlyPosted();
    panel.unload();
    panel.showTool('find');
    panel.unload();
    await panel.receive({ kind: 'ready' });
    assert.deepEqual(newlyPosted(), ['show']);
  });

  test('does not take the focus from a query that is opened before its page has loaded', async () => {
    const { panel, newlyPosted } = await loadedPanel();
    newlyPosted();
    panel.unload();
    panel.showTool('find');
    panel.copySelection('csv', false);
    panel.leave();
    await panel.receive({ kind: 'ready' });
    assert.deepEqual(newlyPosted(), ['show', 'copySelection']);
  });

  test('gets the focus immediately while its page is loaded', async () => {
    const { panel, newlyPosted } = await loadedPanel();
    newlyPosted();
    panel.focus();
    assert.deepEqual(newlyPosted(), ['focus']);
  });
});
