/**
 * A person types on while one document becomes another: every key arrives, in its place. `npm run fuzz -- typist` types
 * more. FUZZ_SEED replays one run.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { randomFrom } from '../helpers/random.ts';
import type { RunningSandbox } from '../helpers/sandbox.ts';
import { shareWorkbench } from '../helpers/shared-workbench.ts';
import type { Workbench } from '../helpers/workbench.ts';

const keys = Number(process.env['FUZZ_KEYS'] ?? 300);
/** Fixed here, so that a failure repeats. `npm run fuzz` takes new ones. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
/** Keys that are typed into one draft before, and after, it becomes something else. */
const keysBefore = 12;
const keysAfter = 64;
/** How long keys that are carried over may take. Only a failure lasts so long. */
const arrivalLimitMs = 20_000;

/** What the editor must not do by itself, since the test computes the text. */
const settings = {
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoIndent': 'none',
  'editor.quickSuggestions': false,
  'editor.suggestOnTriggerCharacters': false,
  'editor.acceptSuggestionOnEnter': 'off',
  'editor.wordBasedSuggestions': 'off',
  'files.simpleDialog.enable': true,
};

/** The text and cursor that the keys lead to. */
class Typist {
  text = '';
  cursor = 0;
  /** The keys pressed that only move the cursor. */
  moves: readonly ('ArrowLeft' | 'Control+End')[] = ['ArrowLeft', 'Control+End'];
  readonly #random: (below: number) => number;

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  /** Returns the next key for the browser. */
  next(): string {
    const kind = this.#random(20);
    if (kind === 0 && this.cursor > 0) {
      this.text = this.text.slice(0, this.cursor - 1) + this.text.slice(this.cursor);
      this.cursor -= 1;
      return 'Backspace';
    }
    if (kind === 1) {
      this.#insert('\n');
      return 'Enter';
    }
    if (kind === 2 && this.cursor > 0 && this.moves.includes('ArrowLeft')) {
      this.cursor -= 1;
      return 'ArrowLeft';
    }
    if (kind === 3 && this.moves.includes('Control+End')) {
      this.cursor = this.text.length;
      return 'Control+End';
    }
    return this.letter();
  }

  /** Returns a key that means the same in a prompt and in the document behind it. */
  letter(): string {
    const key = 'abcdefghijklmnopqrstuvwxyz0123456789'[this.#random(36)] ?? 'a';
    this.#insert(key);
    return key;
  }

  #insert(typed: string): void {
    this.text = this.text.slice(0, this.cursor) + typed + this.text.slice(this.cursor);
    this.cursor += typed.length;
  }
}

suite('typing while a document becomes another one', () => {
  const withWindow = shareWorkbench();
  let sandbox: RunningSandbox;
  let workbench: Workbench;
  let client: ServiceClient;

  test(`${keys} keys from seed ${seed}: none is lost, none is moved`, async () => {
    await withWindow('typist', async (window, service) => {
      [workbench, sandbox, client] = [window, service, createClient(service)];
      try {
        await typeKeys();
      } finally {
        await client.close();
      }
    });
  });

  async function typeKeys(): Promise<void> {
    await workbench.applySettings(settings);
    await workbench.openIdentityView();
    await workbench.treeItem(/owner left/).waitFor();
    const random = randomFrom(seed);
    const wrong: string[] = [];
    const kinds = [draftToQuery, queryToNew, draftToFile, renamed] as const;
    for (let typed = 0, turn = 0; typed < keys; turn += 1) {
      const kind = kinds[turn % kinds.length] ?? draftToQuery;
      // The service answers at once, or while many keys are typed.
      const ms = [0, 60, 400][random(3)] ?? 0;
      await sandbox.setFaults([
        { method: 'POST', path: '/v1/query/saved-queries', always: { kind: 'latency', ms } },
        { method: 'PUT', path: '/v1/query/saved-queries/*', always: { kind: 'latency', ms } },
      ]);
      const { typist, text, count } = await kind(random);
      typed += count;
      if (text !== typist.text)
        wrong.push(`${kind.name}, ${ms} ms: ${JSON.stringify(typist.text)} is ${JSON.stringify(text)}`);
      await sandbox.setFaults([]);
    }
    assert.deepEqual(wrong, []);
  }

  /**
   * Types while the document becomes another one. Cursors move in one way at a time: the editor does not report a
   * Control+End in the new document whose cursor is at its end, while an ArrowLeft is still on its way from the old one.
   */
  const typeOn = async (typist: Typist, random: (below: number) => number) => {
    typist.moves = [random(2) === 0 ? 'ArrowLeft' : 'Control+End'];
    await type(typist, keysAfter);
  };

  const type = async (typist: Typist, count: number) => {
    for (let index = 0; index < count; index += 1) await workbench.page.keyboard.press(typist.next());
  };

  const newDraft = async (typist: Typist) => {
    await workbench.runCommand('Identity Queries: New Query');
    await workbench.tab(/Untitled-/).waitFor();
    await workbench.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await type(typist, keysBefore);
  };

  /** Goes on typing while the prompt is still there. */
  const answerName = async (name: string, typist: Typist) => {
    await workbench.quickInput.fill(name);
    await workbench.page.keyboard.press('Enter');
    for (let count = 0; count < 3; count += 1) await workbench.page.keyboard.press(typist.letter());
    await workbench.quickInput.waitFor({ state: 'hidden' });
  };

  /**
   * Saves until what is stored is what was typed, and returns what is stored. Keys that are carried over into the new
   * document can arrive after a save, and leave it unsaved again. Keys that are lost never arrive.
   */
  const settled = async (
    typist: Pick<Typist, 'text'>,
    name: string,
    read: () => Promise<string>,
  ): Promise<string> => {
    await workbench.tab(/Untitled-/).waitFor({ state: 'hidden' });
    const tab = workbench.page.locator('.tabs-container .tab.active').filter({ hasText: name });
    await tab.waitFor();
    const deadline = performance.now() + arrivalLimitMs;
    for (;;) {
      // A key that is carried over while a save is under way leaves it unsaved.
      await workbench.until(`${name} is saved`, async () => {
        await workbench.page.keyboard.press('Control+S');
        return (await tab.getAttribute('class'))?.includes('dirty') !== true;
      });
      const text = await read();
      if (text === typist.text || performance.now() > deadline) return text;
    }
  };

  /** Saves the query and returns its text in the service. */
  const saved = (name: string, typist: Pick<Typist, 'text'>): Promise<string> =>
    settled(typist, name, async () => {
      for await (const query of client.savedQueries.listAll())
        if (query.name === name) return query.query_string;
      return '(not there)';
    });

  const close = async () => {
    await workbench.runCommand('View: Revert and Close Editor');
  };

  async function draftToQuery(random: (below: number) => number) {
    const typist = new Typist(random);
    const name = `typed${random(1_000_000_000)}`;
    await newDraft(typist);
    if (typist.text.trim() === '') await type(typist, 5);
    await workbench.page.keyboard.press('Control+S');
    await answerName(name, typist);
    await typeOn(typist, random);
    const text = await saved(name, typist);
    await close();
    return { typist, text, count: keysBefore + keysAfter };
  }

  async function queryToNew(random: (below: number) => number) {
    const first = `first${random(1_000_000_000)}`;
    const second = `second${random(1_000_000_000)}`;
    const typist = new Typist(random);
    await newDraft(typist);
    if (typist.text.trim() === '') await type(typist, 5);
    await workbench.page.keyboard.press('Control+S');
    await answerName(first, typist);
    await workbench.tab(new RegExp(first)).waitFor();
    await workbench.tab(/Untitled-/).waitFor({ state: 'hidden' });
    await type(typist, keysBefore);
    const atSave = typist.text;
    await workbench.runCommand('Identity Queries: Save as New...');
    await answerName(second, typist);
    await typeOn(typist, random);
    const text = await saved(second, typist);
    await close();
    // The first query keeps what was sent, and none of the keys that were meant for the second one.
    await workbench.page.keyboard.press('Control+S');
    const kept = await saved(first, { text: atSave });
    await close();
    return {
      typist,
      text: kept === atSave ? text : `first: ${kept}, second: ${text}`,
      count: 2 * keysBefore + keysAfter,
    };
  }

  /** The query is shown under its new name once the service has answered and nothing is unsaved. */
  async function renamed(random: (below: number) => number) {
    const [before, after] = ['named', 'renamed'].map((each) => `${each}${random(1_000_000_000)}`);
    assert.ok(before !== undefined && after !== undefined);
    const typist = new Typist(random);
    await newDraft(typist);
    if (typist.text.trim() === '') await type(typist, 5);
    await workbench.page.keyboard.press('Control+S');
    await answerName(before, typist);
    await saved(before, typist);
    const isEdited = random(2) === 0;
    if (isEdited) await type(typist, 5);
    await workbench.runCommand('Saved Query: Rename...');
    await workbench.quickInput.fill(after);
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await typeOn(typist, random);
    await workbench.page.keyboard.press('Control+S');
    await workbench
      .tab(new RegExp(`^${after}`))
      .first()
      .waitFor();
    const text = await saved(after, typist);
    const isInOneTab = (await workbench.tab(new RegExp(`^${before}`)).count()) === 0;
    await close();
    return { typist, text: isInOneTab ? text : `in two tabs: ${text}`, count: keysBefore + keysAfter };
  }

  async function draftToFile(random: (below: number) => number) {
    const typist = new Typist(random);
    const file = path.join(workbench.workspace, `typed${random(1_000_000_000)}.identity.sql`);
    await newDraft(typist);
    if (typist.text.trim() === '') await type(typist, 5);
    await workbench.page.keyboard.press('Control+S');
    await workbench.quickPick('Save as File').click();
    await workbench.quickInput.waitFor();
    await workbench.until('the dialog shows a path', async () =>
      (await workbench.quickInput.inputValue()).endsWith('.identity.sql'),
    );
    await workbench.quickInput.fill(file);
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await typeOn(typist, random);
    const text = await settled(typist, path.basename(file), async () =>
      (await readFile(file, 'utf8')).replaceAll('\r\n', '\n'),
    );
    await close();
    return { typist, text, count: keysBefore + keysAfter };
  }
});
