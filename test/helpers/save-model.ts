/**
 * Simulates two or three people who edit a saved query over an unreliable network: performs a list of actions on the
 * real state machine of core/src/saved-queries/save-machine.ts, and checks the invariants after each. Every edit adds
 * a unique word, so a lost edit shows up as a missing word.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { isSameFields, draftOf, markedRegions, type Draft } from '#core/saved-queries/merge-drafts.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import {
  afterUndo,
  draftFor,
  settledFrom,
  settledOn,
  step,
  type Choice,
  type SaveEffect,
  type SaveEvent,
  type SaveState,
  type UndoWay,
} from '#core/saved-queries/save-machine.ts';

const kinds = [
  'edit', 'edit', 'edit', 'save', 'save', 'save', 'check', 'deliver', 'deliver', 'deliver', 'lose-request', 'lose-answer',
  'late', 'arrive', 'refuse', 'not-sent', 'save-mine', 'take-theirs', 'merge', 'merge', 'undo', 'redo', 'resolve', 'keep-mine', 'rename', 'restart',
  'crash', 'reload', 'revert', 'delete',
] as const; // oxfmt-ignore

export interface Action {
  readonly who: number;
  readonly what: (typeof kinds)[number];
  readonly line: number;
}

/** Random actions. Deletion is rare, because it ends most sequences. */
export const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.record({
    who: fc.nat(2),
    what: fc.oneof(
      { weight: 100, arbitrary: fc.constantFrom(...kinds.slice(0, -1)) },
      { weight: 1, arbitrary: fc.constant('delete' as const) },
    ),
    line: fc.nat(9),
  }),
  { maxLength: 80, size: 'max' },
);

interface Write {
  readonly draft: Draft;
  readonly expected: number;
  readonly by: Writer;
}

class Service {
  record: SavedQuery | undefined;
  readonly history: SavedQuery[] = [];
  /** Requests that are in flight even though their sender has given up on them. */
  readonly late: Write[] = [];

  constructor(first: SavedQuery) {
    this.record = first;
    this.history.push(first);
  }

  apply({ draft, expected, by }: Write): SavedQuery | 'conflict' | 'missing' {
    const current = this.record;
    if (current === undefined) return 'missing';
    if (current.version !== expected) return 'conflict';
    by.checkMayReplace(current, draft);
    assert.deepEqual(markedRegions(draft.query_string), [], 'conflict markers reached the service');
    this.record = { ...current, ...draft, version: current.version + 1 };
    this.history.push(this.record);
    by.seen.add(this.record.version);
    by.own.add(this.record.query_string);
    return this.record;
  }
}

const labels = () => ({ mine: 'Mine', theirs: 'Theirs' });

class Writer {
  readonly name: string;
  readonly #service: Service;
  text: string;
  state: SaveState;
  /** The pending request; the state machine sends one at a time. */
  effect: SaveEffect | undefined;
  /** Versions whose text this person has seen. */
  readonly seen = new Set<number>();
  /** Versions that this person's editor has contained, unchanged or merged. */
  readonly held = new Set<number>();
  /** Text that this person wrote, or that the service confirmed as saved unchanged. */
  readonly own = new Set<string>();
  /** Words that must not be lost. */
  readonly typed: string[] = [];
  /** Words that this person may remove: their own, and those they decided to discard. */
  readonly mayDrop = new Set<string>();
  /** The undo stack, newest last. */
  readonly undo: string[] = [];
  /** The redo stack. */
  readonly redo: string[] = [];
  /** Text restored by undo and redo during a request. */
  readonly undone: { readonly text: string; readonly way: UndoWay }[] = [];

  constructor(name: string, service: Service, first: SavedQuery) {
    this.name = name;
    this.#service = service;
    this.text = first.query_string;
    this.state = settledOn(first);
    this.seen.add(first.version);
  }

  checkMayReplace(current: SavedQuery, draft: Draft): void {
    if (!this.own.has(current.query_string)) {
      const left = wordsOf(current.query_string).filter(
        (word) => !this.mayDrop.has(word) && !draft.query_string.includes(word),
      );
      assert.deepEqual(
        left,
        [],
        `${this.name} dropped what version ${current.version} added, and was not asked`,
      );
    }
    if (this.seen.has(current.version)) return;
    const isTextKnown = this.#service.history.some(
      (record) => this.seen.has(record.version) && isSameText(record.query_string, current.query_string),
    );
    assert.ok(
      isTextKnown && isSameFields(draft, draftOf(current)),
      `${this.name} replaced version ${current.version} unseen`,
    );
  }

  take(event: SaveEvent): void {
    const next = step(this.state, event, labels);
    if (next === undefined) return;
    this.state = next.state;
    this.effect = next.effect;
    if (!this.isBusy) this.state = this.#afterUndone(this.state);
    this.#carryOut(next.effect);
  }

  #carryOut(effect: SaveEffect): void {
    switch (effect.kind) {
      case 'ask':
        this.seen.add(effect.conflict.theirs.version);
        break;
      case 'fill':
        this.#change(effect.text);
        this.held.add(this.state.base.version);
        break;
      case 'saved': {
        const held = this.#service.history.find((record) => record.version === effect.record.version);
        assert.deepEqual(held, effect.record, `${this.name} was told of a version that is not there`);
        // If the person kept typing, the buffer stays dirty, now based on this version.
        this.seen.add(effect.record.version);
        this.held.add(effect.record.version);
        this.own.add(effect.record.query_string);
        break;
      }
      case 'saveNow':
        this.take({ kind: 'save', mine: draftFor(this.state, this.text) });
        break;
      case 'write':
      case 'read':
      case 'clear':
      case 'none':
      case 'keep':
        break;
      default:
        effect satisfies never;
    }
  }

  get isBusy(): boolean {
    return this.state.kind === 'writing' || this.state.kind === 'lookingUp';
  }

  /** Simulates the network: the pending request or its response may be delivered, lost, delayed or refused. */
  network(how: 'deliver' | 'lose-request' | 'lose-answer' | 'late' | 'refuse' | 'not-sent'): void {
    const { effect } = this;
    if (this.state.kind === 'lookingUp') {
      const { record } = this.#service;
      if (how !== 'deliver') this.take({ kind: 'read', answer: { kind: 'unreadable' } });
      else
        this.take({
          kind: 'read',
          answer: record === undefined ? { kind: 'absent' } : { kind: 'found', record },
        });
      return;
    }
    if (this.state.kind !== 'writing' || effect?.kind !== 'write') return;
    const write: Write = { draft: effect.draft, expected: effect.expected.version, by: this };
    const written = (answer: Extract<SaveEvent, { kind: 'written' }>['answer']) =>
      this.take({ kind: 'written', answer });
    switch (how) {
      case 'deliver': {
        const outcome = this.#service.apply(write);
        written(typeof outcome === 'string' ? { kind: outcome } : { kind: 'saved', record: outcome });
        return;
      }
      case 'lose-answer':
        this.#service.apply(write);
        written({ kind: 'unanswered' });
        return;
      case 'late':
        this.#service.late.push(write);
        written({ kind: 'unanswered' });
        return;
      case 'lose-request':
        written({ kind: 'unanswered' });
        return;
      case 'refuse':
        written({ kind: 'refused' });
        return;
      case 'not-sent':
        written({ kind: 'notSent' });
        return;
      default:
        how satisfies never;
    }
  }

  edit(line: number, word: string): void {
    const lines = this.text.split('\n');
    const at = line % lines.length;
    if (/^(<{7} |={7}$|>{7} )/.test(lines[at] ?? '')) return;
    lines[at] = `${lines[at] ?? ''} ${word}`;
    this.typed.push(word);
    this.mayDrop.add(word);
    this.#change(lines.join('\n'));
  }

  /** Resolves conflict markers manually, keeping both sides. */
  resolve(): void {
    const regions = markedRegions(this.text);
    const marked = new Set(regions.flatMap(({ mine, middle, theirs }) => [mine, middle, theirs]));
    const lines = this.text.split('\n').filter((_, index) => !marked.has(index));
    if (marked.size > 0) this.#change(lines.join('\n'));
  }

  /** Resolves conflict markers in favour of their first side. */
  keepMine(): void {
    const regions = markedRegions(this.text);
    const isDropped = (at: number) =>
      regions.some(({ mine, middle, theirs }) => at === mine || (at >= middle && at <= theirs));
    const lines = this.text.split('\n').filter((_, index) => !isDropped(index));
    for (const word of wordsOf(this.text)) if (!lines.join('\n').includes(word)) this.mayDrop.add(word);
    if (regions.length > 0) this.#change(lines.join('\n'));
  }

  /** Changes the text as typing does, which clears the redo stack. */
  #change(text: string): void {
    this.undo.push(this.text);
    this.text = text;
    if (this.redo.length > 0) this.#release(this.undo);
    this.redo.length = 0;
  }

  choose(choice: Choice): void {
    if (this.state.kind !== 'conflict') return;
    if (choice === 'saveMine') {
      for (const word of wordsOf(this.state.theirs.query_string)) {
        if (!this.text.includes(word)) this.mayDrop.add(word);
      }
    }
    this.take({ kind: 'choose', choice, mine: draftFor(this.state, this.text) });
  }

  takeBack(): void {
    const text = this.undo.pop();
    if (text === undefined) return;
    this.redo.push(this.text);
    this.#noteUndo(text, { before: this.text, isRedo: false });
  }

  takeForth(): void {
    const text = this.redo.pop();
    if (text === undefined) return;
    this.undo.push(this.text);
    this.#noteUndo(text, { before: this.text, isRedo: true });
  }

  #noteUndo(text: string, way: UndoWay): void {
    this.text = text;
    if (this.isBusy) this.undone.push({ text, way });
    else this.state = afterUndo(this.state, [text], way);
  }

  #afterUndone(state: SaveState): SaveState {
    return this.undone.splice(0).reduce((from, { text, way }) => afterUndo(from, [text], way), state);
  }

  /** Restarts the window with its unsaved text; pending requests may still arrive. */
  restart(isBaseKept: boolean): void {
    if (this.state.kind === 'writing' && this.effect?.kind === 'write') {
      this.#service.late.push({ draft: this.effect.draft, expected: this.effect.expected.version, by: this });
    }
    const { base } = this.#afterUndone(settledFrom(this.state, this.state.base));
    this.state = settledOn(
      isBaseKept ? base : { ...base, name: '', model: '', version: 0, query_string: '' },
    );
    this.effect = undefined;
    this.held.clear();
    this.#release();
  }

  /** Stops tracking words that are in none of these strings: the person undid them, or chose the other side. */
  #release(texts: readonly string[] = []): void {
    const here = [this.text, ...texts].join('\n');
    this.typed.splice(0, this.typed.length, ...this.typed.filter((word) => here.includes(word)));
    if (texts.length === 0) this.undo.length = this.redo.length = 0;
  }

  /** Fills the buffer from the service: `reload` only if unedited; `revert` discards edits. */
  reload(how: 'reload' | 'revert'): void {
    const { record } = this.#service;
    const { kind, base } = this.state;
    const isClean = kind === 'settled' && isSameText(this.text, base.query_string);
    if (record === undefined || this.isBusy || (how === 'reload' && !isClean)) return;
    const before = this.text;
    if (!isSameText(before, record.query_string)) this.#change(record.query_string);
    this.seen.add(record.version);
    this.held.add(record.version);
    if (!isSameText(base.query_string, record.query_string)) this.take({ kind: 'filled', before, record });
    else this.state = settledFrom(this.state, record);
  }
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\bw\d+x\b/g) ?? [];
}

/** @throws AssertionError if typed text is lost, or an unseen version was replaced */
export function playSaves(script: readonly Action[], people: 2 | 3): void {
  const first: SavedQuery = {
    query_id: 'q',
    name: 'Orphans',
    model: 'platform_identity',
    description: '',
    version: 1,
    query_string: 'SELECT\n  id,\n  alias,\n  email\nFROM accounts\nWHERE enabled\nORDER BY id\nLIMIT 10',
  };
  const service = new Service(first);
  const writers = Array.from({ length: people }, (_, index) => new Writer(`writer ${index}`, service, first));
  for (const [index, action] of script.entries()) {
    const writer = writers[action.who % people];
    assert.ok(writer);
    act(writer, service, action, index);
    checkNothingIsLost(writers, service);
  }
  if (service.record !== undefined) writers.forEach(finish);
  checkNothingIsLost(writers, service);
}

function act(writer: Writer, service: Service, { what, line }: Action, index: number): void {
  switch (what) {
    case 'edit': {
      writer.edit(line, `w${index}x`);
      return;
    }
    case 'save':
    case 'check':
      if (writer.isBusy) return;
      {
        writer.take({ kind: what, mine: draftFor(writer.state, writer.text) });
        return;
      }
    case 'deliver':
    case 'lose-request':
    case 'lose-answer':
    case 'late':
    case 'refuse':
    case 'not-sent': {
      writer.network(what);
      return;
    }
    case 'arrive': {
      const write = service.late.shift();
      if (write !== undefined) service.apply(write);
      return;
    }
    case 'save-mine': {
      writer.choose('saveMine');
      return;
    }
    case 'take-theirs': {
      writer.choose('takeTheirs');
      return;
    }
    case 'merge': {
      writer.choose('merge');
      return;
    }
    case 'undo': {
      writer.takeBack();
      return;
    }
    case 'redo': {
      writer.takeForth();
      return;
    }
    case 'resolve': {
      writer.resolve();
      return;
    }
    case 'keep-mine': {
      writer.keepMine();
      return;
    }
    case 'rename': {
      // A colleague with the newest version changes only the name.
      const { record } = service;
      if (record === undefined) return;
      service.record = { ...record, name: `Name ${index}`, version: record.version + 1 };
      service.history.push(service.record);
      return;
    }
    case 'restart': {
      writer.restart(true);
      return;
    }
    case 'crash': {
      writer.restart(false);
      return;
    }
    case 'reload':
    case 'revert': {
      writer.reload(what);
      return;
    }
    case 'delete':
      service.record = undefined;
      return;
    default:
      what satisfies never;
  }
}

/** Asserts that, with a working network and a person who responds, a save stores the editor's text on the service. */
function finish(writer: Writer): void {
  let isAsked = false;
  for (let turn = 0; turn < 40; turn += 1) {
    if (writer.isBusy) writer.network('deliver');
    else if (writer.state.kind === 'conflict') writer.choose('saveMine');
    else if (isAsked && writer.effect?.kind === 'saved') {
      const { record } = writer.effect;
      assert.ok(isSameText(writer.text, record.query_string), `${writer.name} was told "saved" too early`);
      // A version older than the editor's newest base cannot be the service's current one.
      const newest = Math.max(...writer.held);
      assert.ok(record.version >= newest, `${writer.name} was told "saved" of version ${record.version}`);
      return;
    } else {
      isAsked = true;
      writer.resolve();
      writer.take({ kind: 'save', mine: draftFor(writer.state, writer.text) });
    }
  }
  assert.fail(`${writer.name} cannot save: ${writer.state.kind}, ${writer.effect?.kind}`);
}

function checkNothingIsLost(writers: readonly Writer[], service: Service): void {
  const saved = service.history.map((record) => record.query_string).join('\n');
  for (const writer of writers) {
    const here = [writer.text, ...writer.undo, ...writer.redo, saved].join('\n');
    for (const word of writer.typed) assert.ok(here.includes(word), `${writer.name} lost ${word}`);
  }
}
