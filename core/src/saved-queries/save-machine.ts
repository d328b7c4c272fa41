/**
 * Saving over a version, as states and what leads from one to the next. Nothing here talks to the service, the editor
 * or a person: `step` says what is to be done next, and is told how it went. Two rules hold in every state: a version
 * that the person's text does not come from is not replaced before it was shown, and what was typed stays in the
 * editor until the service has it.
 */
import type { SavedQuery } from '../../../api/contract/saved-queries.ts';
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

/** What the text in the editor comes from. */
export interface Origin {
  /** The version that a save names. Version 0: not known, as after a crash. */
  readonly base: SavedQuery;
  /** Where theirs, a merge or a newer version took the place of the text, the first one first: undo goes back over the last. */
  readonly back: readonly Swap[];
  /** What undo went back over: redo goes forth over the last. */
  readonly forth: readonly Swap[];
  /** Sent without an answer: the service may hold, or still get, one of these. */
  readonly unanswered: readonly Draft[];
}

export interface Swap {
  /** The text as it was when the base became what it is. */
  readonly here: string;
  /** When undo or redo brings this text back, it comes from this other version. */
  readonly there: { readonly text: string; readonly base: SavedQuery };
}

export interface Conflict extends Origin {
  readonly mine: Draft;
  readonly theirs: SavedQuery;
  readonly merge: DraftMerge;
}

export type LookUpReason =
  /** Whether there is a newer version; nothing is written. */
  | 'check'
  /** The same, and then the text is written. */
  | 'checkThenWrite'
  /** The service refused the version that was named. */
  | 'conflict'
  /** No answer came: was it carried out? */
  | 'unanswered'
  /** The service said no to what was sent: is the version that was named the newest? */
  | 'rejected'
  /** 404: is the query gone, or does the service not update? */
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

/** How a write ended. */
export type WriteAnswer =
  | { readonly kind: 'saved'; readonly record: SavedQuery }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'nameTaken' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unsupported' }
  /** It may have been carried out, or not. */
  | { readonly kind: 'unanswered' }
  /** It never reached the service. */
  | { readonly kind: 'notSent' }
  /** The service said no to what was sent; a stale version may be why. */
  | { readonly kind: 'rejected' }
  /** The service said no, and why. */
  | { readonly kind: 'refused' };

/** How a read ended. */
export type ReadAnswer =
  | { readonly kind: 'found'; readonly record: SavedQuery }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

export type Choice =
  /** Replace theirs, which was shown. */
  | 'saveMine'
  | 'takeTheirs'
  /** Both in the editor: merged, or between markers where they overlap. */
  | 'merge';

export type SaveEvent =
  /** The person saves. */
  | { readonly kind: 'save'; readonly mine: Draft }
  /** The person is about to save: settles what is newer first, and writes nothing. */
  | { readonly kind: 'check'; readonly mine: Draft }
  /** The editor put this version in place of its text, as Reload and Revert do. */
  | { readonly kind: 'filled'; readonly before: string; readonly record: SavedQuery }
  | { readonly kind: 'written'; readonly answer: WriteAnswer }
  | { readonly kind: 'read'; readonly answer: ReadAnswer }
  /** `mine` as it is by now: people type while they decide. */
  | { readonly kind: 'choose'; readonly choice: Choice; readonly mine: Draft };

export type KeptReason =
  | 'nameTaken'
  | 'deleted'
  | 'unsupported'
  | 'refused'
  /** Sent twice, carried out neither time. */
  | 'unanswered'
  /** Nobody knows whether it was carried out; the next save looks first. */
  | 'unknown'
  | 'notSent'
  /** There is a newer version that could not be read. */
  | 'newerUnread'
  /** Conflict markers are left in the text. */
  | 'markers'
  /** The text is one that another took the place of. */
  | 'overtaken';

export type SaveEffect =
  | { readonly kind: 'write'; readonly draft: Draft; readonly expected: SavedQuery }
  | { readonly kind: 'read'; readonly queryId: string }
  /** The service holds the text: the editor's text is saved as this record. */
  | { readonly kind: 'saved'; readonly record: SavedQuery; readonly isNew: boolean }
  /** Nothing is to be done. */
  | { readonly kind: 'none' }
  /** Nothing newer is in the way of a write. */
  | { readonly kind: 'clear' }
  /** Show both texts, then ask. */
  | { readonly kind: 'ask'; readonly conflict: Conflict }
  /** Put this text into the editor; `isSaved`: it is the record's own. */
  | { readonly kind: 'fill'; readonly text: string; readonly isSaved: boolean }
  /** What is in the editor may be saved now. */
  | { readonly kind: 'saveNow' }
  /** Nothing was saved; the text stays, unsaved. */
  | { readonly kind: 'keep'; readonly reason: KeptReason };

export interface Step {
  readonly state: SaveState;
  readonly effect: SaveEffect;
}

export function settledOn(base: SavedQuery): SaveState {
  return { kind: 'settled', base, back: [], forth: [], unanswered: [] };
}

/** The editor holds the text of this version, and nothing is to be settled; undo still goes back over what it went before. */
export function settledFrom(origin: Origin, base: SavedQuery): SaveState {
  return { kind: 'settled', ...originOnly(origin), base };
}

/**
 * Undo or redo brought back these texts, one after the other. Where the service is being asked this changes nothing: it
 * is told again when the answer is here.
 */
export function afterUndo(state: SaveState, texts: readonly string[]): SaveState {
  return texts.reduce(afterOneUndo, state);
}

/** What saving this text would say: the other fields are those of the version that it comes from. */
export function draftFor(state: SaveState, text: string): Draft {
  return { ...draftOf(state.base), query_string: text };
}

/**
 * Undefined where an event has no meaning in a state: it is late, and changes nothing.
 * @param asStored a text as this service would store it, as far as that is known.
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

/** The words beside conflict markers; the outer layer knows the language. */
export type MergeLabelsOf = (base: SavedQuery, theirs: SavedQuery) => MergeLabels;

/** Services may trim lines or write accents in another form; see stored-text.ts. */
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
  // Undo or redo brought an older version back: saving it is a change of the newer one.
  const isOlder = [...origin.back, ...origin.forth].some(({ there }) => there.base.version > base.version);
  if (isUnchanged && !isOlder && base.version > 0 && origin.unanswered.length === 0) {
    return { state: { kind: 'settled', ...origin }, effect: { kind: 'saved', record: base, isNew: false } };
  }
  // An earlier write may still be carried out, a conflict may have moved on, a newer version is known: look first.
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
      // A success with another text than was sent is none: what is there now?
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

/** Whether a record that came back for a write is what was sent, as the service stores it. */
function isTaken({ base, mine }: Of<'writing'>, record: SavedQuery, asStored: AsStored): boolean {
  if (isStoredAs(mine.query_string, record.query_string, asStored)) return true;
  const isMoved = record.version !== base.version || !isSameText(record.query_string, base.query_string);
  return isMoved && isOnlyReshaped(mine.query_string, record.query_string);
}

/** Drafts without an answer that are remembered; a person does not send more before the service is back. */
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
  // A service that was restored from a backup can hold another text under the same number.
  if (record.version === base.version && isSameDraft(found, draftOf(base))) return onUnchanged(state);
  const next = (from: Origin, draft: Draft): Step =>
    state.reason === 'check' ? clear(from) : write(from, draft, isRepeated || state.reason === 'unanswered');
  // What we sent earlier and got no answer for is our own: it was seen by whoever typed it.
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
    // Their name, model or description is kept beside our text, so nothing of theirs is replaced.
    const isTextUntouched = base.version > 0 && isSameText(record.query_string, base.query_string);
    // A service that counts a version and takes no text would be asked for ever.
    const isInVain = state.reason === 'unanswered' && isRepeated;
    if (isTextUntouched && isInVain) return keep({ ...state, base: record }, 'unanswered');
    if (isTextUntouched) return next({ ...state, base: record }, beside);
  }
  const conflict: Conflict = { ...originOnly(state), mine, theirs: record, merge };
  return { state: { kind: 'conflict', ...conflict }, effect: { kind: 'ask', conflict } };
}

/** The service still holds the version that the text comes from. */
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
      // Not carried out so far. Sending it again is safe: it names the version, so it cannot be applied twice.
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
 * Undo over a merge brings the earlier text back, and with it the version that it is made of; redo the other way. A
 * conflict that was shown is one of the other text: the next save finds what is in its way.
 */
function afterOneUndo(state: SaveState, text: string): SaveState {
  if (state.kind === 'writing' || state.kind === 'lookingUp') return state;
  const { base, back, forth, unanswered } = state;
  const [behind, ahead] = [back.at(-1), forth.at(-1)].map((swap) =>
    swap !== undefined && isSameText(swap.there.text, text) ? swap : undefined,
  );
  const swap = olderOf(behind, ahead);
  if (swap === undefined) return state;
  const returned: Swap = { here: swap.there.text, there: { text: swap.here, base } };
  const ways =
    swap === behind
      ? { back: back.slice(0, -1), forth: [...forth, returned] }
      : { back: [...back, returned], forth: forth.slice(0, -1) };
  return { kind: 'settled', base: swap.there.base, ...ways, unanswered };
}

/** Where a text may come from two versions, the older one: a save of it asks, and replaces nothing. */
function olderOf(one: Swap | undefined, other: Swap | undefined): Swap | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.there.base.version < one.there.base.version ? other : one;
}

/** What was there before comes from the version before: brought back by undo, it is not written over this one unseen. */
function onFilled(origin: Origin, { before, record }: Extract<SaveEvent, { kind: 'filled' }>): Step {
  const change = { before, text: record.query_string, base: record };
  // An older version came by undo, while the newer one was being saved: what is further back is still there.
  const isUndone = record.version < origin.base.version;
  const forth = [...origin.forth, ...swapsOf(origin.base, change)];
  const filled = isUndone ? { ...originOnly(origin), base: record, forth } : filledWith(origin, change);
  return { state: { kind: 'settled', ...filled }, effect: { kind: 'none' } };
}

/** Swaps that are remembered; nobody undoes further back than that. */
const swapsMax = 50;

interface Change {
  readonly before: string;
  readonly text: string;
  /** The version that the text comes from. */
  readonly base: SavedQuery;
}

function filledWith({ base: from, back, unanswered }: Origin, change: Change): Origin {
  const { base } = change;
  return { base, back: [...back, ...swapsOf(from, change)].slice(-swapsMax), forth: [], unanswered };
}

/** A text that stays as it is leaves nothing for undo to go over. */
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

/** Undo over a merge may still bring back what it was made of, so that is remembered. */
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
