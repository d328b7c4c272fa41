/**
 * State machine for saving over a version, without I/O: `step` returns the next action and receives its outcome. Two
 * invariants: a version that the user's text is not based on is never replaced before the user has seen it, and typed
 * text stays in the editor until the service has it.
 */
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import {
  draftOf,
  isSameDraft,
  isSameFields,
  markedRegions,
  mergeDrafts,
  type Draft,
  type DraftMerge,
  type MergeLabels,
} from './merge-drafts.ts';
import { isSameText } from './same-text.ts';
import { isOnlyReshaped } from './stored-text.ts';

/** The base version of the editor's text, with its earlier replacements and unanswered writes. */
export interface Origin {
  /** The version that a save names. Version 0 if it is unknown, for example after a crash. */
  readonly base: SavedQuery;
  /** Replacements of the text by a merge or a different version, oldest first. Undo reverses the last. */
  readonly back: readonly Swap[];
  /** Replacements that were undone. Redo repeats the last one. */
  readonly forth: readonly Swap[];
  /** Writes without a response. The service may have stored one of them, or may still receive it. */
  readonly unanswered: readonly Draft[];
}

export interface Swap {
  /** The editor's text when the base version was set. */
  readonly here: string;
  /** The text that undo or redo restores, and its base version. */
  readonly there: { readonly text: string; readonly base: SavedQuery };
}

export interface Conflict extends Origin {
  readonly mine: Draft;
  readonly theirs: SavedQuery;
  readonly merge: DraftMerge;
}

export type LookUpReason =
  /** Look for a newer version without writing. */
  | 'check'
  /** Look for a newer version before writing. */
  | 'checkThenWrite'
  /** The service reported a version conflict. */
  | 'conflict'
  /** No response arrived, so the write may have succeeded. */
  | 'unanswered'
  /** The service refused the write, possibly because the base version is no longer the newest. */
  | 'rejected'
  /** The service returned 404: the query was deleted, or updates are not supported. */
  | 'missing';

export type SaveState =
  | ({ readonly kind: 'settled' } & Origin)
  | ({ readonly kind: 'writing'; readonly mine: Draft; readonly isRepeated: boolean } & Origin)
  | ({
      readonly kind: 'lookingUp';
      readonly mine: Draft;
      readonly reason: LookUpReason;
      readonly isRepeated: boolean;
    } & Origin)
  | ({ readonly kind: 'conflict' } & Conflict);

export type WriteAnswer =
  | { readonly kind: 'saved'; readonly record: SavedQuery }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'nameTaken' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unsupported' }
  /** The write may have succeeded. */
  | { readonly kind: 'unanswered' }
  /** The request never reached the service. */
  | { readonly kind: 'notSent' }
  /** Refused, possibly because of a stale version. */
  | { readonly kind: 'rejected' }
  /** Refused for a known reason. */
  | { readonly kind: 'refused' };

export type ReadAnswer =
  | { readonly kind: 'found'; readonly record: SavedQuery }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

export type Choice =
  /** Save mine over theirs, which the user has seen. */
  | 'saveMine'
  | 'takeTheirs'
  /** Put both into the editor, either merged or between conflict markers. */
  | 'merge';

export type SaveEvent =
  /** The user saves. */
  | { readonly kind: 'save'; readonly mine: Draft }
  /** Before a save: resolves newer versions without writing. */
  | { readonly kind: 'check'; readonly mine: Draft }
  /** The editor replaced its text with this version, as Reload and Revert do. */
  | { readonly kind: 'filled'; readonly before: string; readonly record: SavedQuery }
  | { readonly kind: 'written'; readonly answer: WriteAnswer }
  | { readonly kind: 'read'; readonly answer: ReadAnswer }
  /** `mine` is the current text, since the user may type before deciding. */
  | { readonly kind: 'choose'; readonly choice: Choice; readonly mine: Draft };

export type KeptReason =
  | 'nameTaken'
  | 'deleted'
  | 'unsupported'
  | 'refused'
  /** Sent twice, but the service still has the base version. */
  | 'unanswered'
  /** The outcome is unknown. The next save looks it up first. */
  | 'unknown'
  | 'notSent'
  /** A newer version exists but cannot be read. */
  | 'newerUnread'
  /** The text contains conflict markers. */
  | 'markers'
  /** The text was replaced in the meantime. */
  | 'overtaken';

export type SaveEffect =
  | { readonly kind: 'write'; readonly draft: Draft; readonly expected: SavedQuery }
  | { readonly kind: 'read'; readonly queryId: string }
  /** The service has the text, so the editor's text counts as saved, with this record. */
  | { readonly kind: 'saved'; readonly record: SavedQuery; readonly isNew: boolean }
  | { readonly kind: 'none' }
  /** No newer version prevents a write. */
  | { readonly kind: 'clear' }
  /** Show both texts and ask the user. */
  | { readonly kind: 'ask'; readonly conflict: Conflict }
  /** Put this text into the editor. `isSaved` if it is the text of the saved record. */
  | { readonly kind: 'fill'; readonly text: string; readonly isSaved: boolean }
  /** The editor can save its text now. */
  | { readonly kind: 'saveNow' }
  /** Nothing was saved; the changes stay unsaved. */
  | { readonly kind: 'keep'; readonly reason: KeptReason };

export interface Step {
  readonly state: SaveState;
  readonly effect: SaveEffect;
}

export function settledOn(base: SavedQuery): SaveState {
  return { kind: 'settled', base, back: [], forth: [], unanswered: [] };
}

/**
 * Returns the settled state in which the editor's text is based on this version. Undo can still reach earlier
 * replacements.
 */
export function settledFrom(origin: Origin, base: SavedQuery): SaveState {
  return { kind: 'settled', ...originOnly(origin), base };
}

/**
 * Applies the strings that undo or redo restored, in order. Ignored while a request is pending; the caller retries
 * later.
 */
export function afterUndo(state: SaveState, texts: readonly string[], way?: UndoWay): SaveState {
  return texts.reduce((from, text) => afterOneUndo(from, text, way), state);
}

/** How a text was restored, if that is known. */
export interface UndoWay {
  /** The text before it; undefined if that was a saved one. */
  readonly before: string | undefined;
  readonly isRedo: boolean;
}

/** Returns the fields that a save would send: the given text, and everything else from the base version. */
export function draftFor(state: SaveState, text: string): Draft {
  return { ...draftOf(state.base), query_string: text };
}

/**
 * Returns the next state and action. Undefined if the event does not apply in this state, for example because it is
 * late.
 * @param asStored returns text as the service would store it, as far as is known.
 */
export function step(
  state: SaveState,
  event: SaveEvent,
  labels: MergeLabelsOf,
  asStored: AsStored = (text) => text,
): Step | undefined {
  switch (event.kind) {
    case 'save':
      return onSave(state, event.mine);
    case 'check':
      return onCheck(state, event.mine);
    case 'filled':
      return state.kind === 'settled' || state.kind === 'conflict' ? onFilled(state, event) : undefined;
    case 'written':
      return state.kind === 'writing' ? onWritten(state, event.answer, asStored) : undefined;
    case 'read':
      return state.kind === 'lookingUp' ? onRead(state, event.answer, { labels, asStored }) : undefined;
    case 'choose':
      return state.kind === 'conflict' ? onChoose(state, event, labels) : undefined;
    default:
      return event satisfies never;
  }
}

/** Returns the labels of the conflict markers, which the caller translates. */
export type MergeLabelsOf = (base: SavedQuery, theirs: SavedQuery) => MergeLabels;

/** Returns text as the service would store it, for example with trimmed lines (see stored-text.ts). */
export type AsStored = (text: string) => string;

interface Knowledge {
  readonly labels: MergeLabelsOf;
  readonly asStored: AsStored;
}

type Of<Kind extends SaveState['kind']> = Extract<SaveState, { kind: Kind }>;

function onSave(state: SaveState, mine: Draft): Step | undefined {
  if (state.kind === 'writing' || state.kind === 'lookingUp') return undefined;
  const origin = originOnly(state);
  if (isUnresolved(mine, origin.base)) return keep(origin, 'markers');
  const { base } = origin;
  const isUnchanged = base.query_string === mine.query_string && isSameFields(mine, draftOf(base));
  // Undo or redo restored an older version, so saving it changes the newer one.
  const isOlder = [...origin.back, ...origin.forth].some(({ there }) => there.base.version > base.version);
  if (isUnchanged && !isOlder && base.version > 0 && origin.unanswered.length === 0)
    return { state: { kind: 'settled', ...origin }, effect: { kind: 'saved', record: base, isNew: false } };
  // An earlier write may still succeed, a conflict may be outdated, or a newer version is known, so a lookup comes
  // first.
  const looksFirst =
    state.kind === 'conflict' || (isUnchanged && isOlder) || base.version < 1 || origin.unanswered.length > 0;
  return looksFirst ? lookUp(origin, mine, 'checkThenWrite') : write(origin, mine, false);
}

function onCheck(state: SaveState, mine: Draft): Step | undefined {
  if (state.kind === 'writing' || state.kind === 'lookingUp') return undefined;
  const origin = originOnly(state);
  if (isUnresolved(mine, origin.base)) return keep(origin, 'markers');
  return lookUp(origin, mine, 'check');
}

function onWritten(state: Of<'writing'>, answer: WriteAnswer, asStored: AsStored): Step {
  const { mine, isRepeated } = state;
  switch (answer.kind) {
    case 'saved':
      // A success response with different text is not a success. A lookup shows which text the service has now.
      return isTaken(state, answer.record, asStored) ? savedAs(state, answer.record) : onUnanswered(state);
    case 'conflict':
    case 'missing':
    case 'rejected':
      return lookUp(state, mine, answer.kind, isRepeated);
    case 'unanswered':
      return onUnanswered(state);
    case 'nameTaken':
    case 'unsupported':
    case 'notSent':
    case 'refused':
      return keep(state, answer.kind);
    default:
      return answer satisfies never;
  }
}

function onUnanswered(state: Of<'writing'>): Step {
  const { mine, isRepeated } = state;
  const unanswered = [...state.unanswered.filter((draft) => !isSameDraft(draft, mine)), mine];
  return lookUp({ ...state, unanswered: unanswered.slice(-unansweredMax) }, mine, 'unanswered', isRepeated);
}

/** Returns whether the record returned by a write contains the sent text, as the service normalizes it. */
function isTaken({ base, mine }: Of<'writing'>, record: SavedQuery, asStored: AsStored): boolean {
  if (isStoredAs(mine.query_string, record.query_string, asStored)) return true;
  const isMoved = record.version !== base.version || !isSameText(record.query_string, base.query_string);
  return isMoved && isOnlyReshaped(mine.query_string, record.query_string);
}

/** Maximum number of drafts without a response. More are unlikely before the service is available again. */
const unansweredMax = 8;

function onRead(state: Of<'lookingUp'>, answer: ReadAnswer, known: Knowledge): Step {
  switch (answer.kind) {
    case 'absent':
      return keep(state, 'deleted');
    case 'unreadable':
      if (state.reason === 'conflict') return keep(state, 'newerUnread');
      if (state.reason === 'rejected') return keep(state, 'refused');
      return keep(state, state.unanswered.length > 0 ? 'unknown' : 'notSent');
    case 'found':
      return onFound(state, answer.record, known);
    default:
      return answer satisfies never;
  }
}

function onFound(state: Of<'lookingUp'>, record: SavedQuery, { labels, asStored }: Knowledge): Step {
  const { base, mine, isRepeated } = state;
  const found = draftOf(record);
  // A service restored from a backup can have different text under the same version number.
  if (record.version === base.version && isSameDraft(found, draftOf(base))) return onUnchanged(state);
  const next = (from: Origin, draft: Draft): Step =>
    state.reason === 'check' ? clear(from) : write(from, draft, isRepeated || state.reason === 'unanswered');
  // A draft without a response is the user's own text, so it counts as seen.
  const isMine = isSameFields(mine, found) && isStoredAs(mine.query_string, found.query_string, asStored);
  const ours = state.unanswered.find(
    (draft) => isSameFields(draft, found) && isOnlyReshaped(draft.query_string, found.query_string),
  );
  if (ours !== undefined && isSameDraft(ours, mine)) return savedAs(state, record);
  if (ours !== undefined && !isMine) return next({ ...state, base: record }, mine);
  const merge = mergeDrafts({ base: draftOf(base), mine, theirs: found, labels: labels(base, record) });
  const beside: Draft = { ...merge.fields, query_string: mine.query_string };
  if (merge.fieldConflicts.length === 0) {
    const isThere =
      isSameFields(beside, found) && isStoredAs(beside.query_string, found.query_string, asStored);
    if (isThere) return savedAs(state, record);
    // The newer name, model or description is combined with the user's text, so no change is lost.
    const isTextUntouched = base.version > 0 && isSameText(record.query_string, base.query_string);
    // Prevents endless retries if a service increments the version without storing the text.
    const isInVain = state.reason === 'unanswered' && isRepeated;
    if (isTextUntouched && isInVain) return keep({ ...state, base: record }, 'unanswered');
    if (isTextUntouched) return next({ ...state, base: record }, beside);
  }
  const conflict: Conflict = { ...originOnly(state), mine, theirs: record, merge };
  return { state: { kind: 'conflict', ...conflict }, effect: { kind: 'ask', conflict } };
}

/** Handles a lookup that found the base version unchanged. */
function onUnchanged(state: Of<'lookingUp'>): Step {
  switch (state.reason) {
    case 'check':
      return clear(state);
    case 'checkThenWrite':
      return write(state, state.mine, false);
    case 'conflict':
    case 'rejected':
      return keep(state, 'refused');
    case 'missing':
      return keep(state, 'unsupported');
    case 'unanswered':
      // Not applied yet. Resending is safe, because the request names the version and cannot be applied twice.
      return state.isRepeated ? keep(state, 'unanswered') : write(state, state.mine, true);
    default:
      return state.reason satisfies never;
  }
}

function onChoose(
  state: Of<'conflict'>,
  { choice, mine }: { readonly choice: Choice; readonly mine: Draft },
  labels: MergeLabelsOf,
): Step {
  const { base, theirs } = state;
  const filled = (text: string, isSaved: boolean): Step => ({
    state: { kind: 'settled', ...filledWith(state, { before: mine.query_string, text, base: theirs }) },
    effect: { kind: 'fill', text, isSaved },
  });
  switch (choice) {
    case 'saveMine':
      return { state: settledFrom(state, theirs), effect: { kind: 'saveNow' } };
    case 'takeTheirs':
      return filled(theirs.query_string, true);
    case 'merge': {
      const drafts = { base: draftOf(base), mine, theirs: draftOf(theirs), labels: labels(base, theirs) };
      const { text } = mergeDrafts(drafts);
      return filled(text.kind === 'clean' ? text.text : text.marked, false);
    }
    default:
      return choice satisfies never;
  }
}

/**
 * Undoing a merge restores the earlier text with its base version, and redo reverses that. A conflict on display
 * belongs to the replaced text; the next save detects its own.
 */
function afterOneUndo(state: SaveState, text: string, way: UndoWay | undefined): SaveState {
  if (state.kind === 'writing' || state.kind === 'lookingUp') return state;
  const { base, back, forth, unanswered } = state;
  const [behind, ahead] = [back.at(-1), forth.at(-1)].map((swap) =>
    swap !== undefined && isSameText(swap.there.text, text) ? swap : undefined,
  );
  const swap = way?.isRedo === true && ahead !== undefined ? ahead : olderOf(behind, ahead);
  if (swap === undefined) return withDecision(state, text, way);
  const returned: Swap = { here: swap.there.text, there: { text: swap.here, base } };
  const ways =
    swap === behind
      ? { back: back.slice(0, -1), forth: [...forth, returned] }
      : { back: [...back, returned], forth: forth.slice(0, -1) };
  return { kind: 'settled', base: swap.there.base, ...ways, unanswered };
}

/**
 * Resolving a merge can bring back exactly the text from before it, which belongs to the newer version now. Undoing that
 * is remembered, so that redo does not take it for the text from before the merge.
 */
function withDecision<Settled extends Origin>(
  state: Settled,
  text: string,
  way: UndoWay | undefined,
): Settled {
  const { base, back, forth } = state;
  const before = way?.isRedo === false ? way.before : undefined;
  if (before === undefined || !back.some(({ there }) => isSameText(there.text, before))) return state;
  return { ...state, forth: [...forth, { here: text, there: { text: before, base } }].slice(-swapsMax) };
}

/** If text may have either of two base versions, the older one is used, so that saving asks before it replaces. */
function olderOf(one: Swap | undefined, other: Swap | undefined): Swap | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.there.base.version < one.there.base.version ? other : one;
}

/** The earlier text keeps its earlier base version, so that after an undo it never silently overwrites this version. */
function onFilled(origin: Origin, { before, record }: Extract<SaveEvent, { kind: 'filled' }>): Step {
  const change = { before, text: record.query_string, base: record };
  // Undo restored an older version while a newer one was being saved. Earlier replacements stay reachable.
  const isUndone = record.version < origin.base.version;
  const forth = [...origin.forth, ...swapsOf(origin.base, change)];
  const filled = isUndone ? { ...originOnly(origin), base: record, forth } : filledWith(origin, change);
  return { state: { kind: 'settled', ...filled }, effect: { kind: 'none' } };
}

/** Maximum number of remembered replacements. Undo rarely goes back further. */
const swapsMax = 50;

interface Change {
  readonly before: string;
  readonly text: string;
  /** The base version of the text. */
  readonly base: SavedQuery;
}

function filledWith({ base: from, back, unanswered }: Origin, change: Change): Origin {
  const { base } = change;
  return { base, back: [...back, ...swapsOf(from, change)].slice(-swapsMax), forth: [], unanswered };
}

/** Returns the replacement to undo; none if the text is unchanged. */
function swapsOf(from: SavedQuery, { before, text }: Change): readonly Swap[] {
  return isSameText(before, text) ? [] : [{ here: text, there: { text: before, base: from } }];
}

function originOnly({ base, back, forth, unanswered }: Origin): Origin {
  return { base, back, forth, unanswered };
}

function isStoredAs(sent: string, stored: string, asStored: AsStored): boolean {
  return isSameText(stored, sent) || isSameText(stored, asStored(sent));
}

function isUnresolved(mine: Draft, base: SavedQuery): boolean {
  return markedRegions(mine.query_string).length > 0 && markedRegions(base.query_string).length === 0;
}

function write(origin: Origin, mine: Draft, isRepeated: boolean): Step {
  return {
    state: { kind: 'writing', ...originOnly(origin), mine, isRepeated },
    effect: { kind: 'write', draft: mine, expected: origin.base },
  };
}

function lookUp(origin: Origin, mine: Draft, reason: LookUpReason, isRepeated = false): Step {
  return {
    state: { kind: 'lookingUp', ...originOnly(origin), mine, reason, isRepeated },
    effect: { kind: 'read', queryId: origin.base.query_id },
  };
}

/** The replacements are kept, because undo may restore the inputs of a merge. */
function savedAs(origin: Origin, record: SavedQuery): Step {
  return {
    state: settledFrom({ ...origin, unanswered: [] }, record),
    effect: { kind: 'saved', record, isNew: true },
  };
}

function clear(origin: Origin): Step {
  return { state: { kind: 'settled', ...originOnly(origin) }, effect: { kind: 'clear' } };
}

function keep(origin: Origin, reason: KeptReason): Step {
  return { state: { kind: 'settled', ...originOnly(origin) }, effect: { kind: 'keep', reason } };
}
