/**
 * Creates a plan from the files, the history and the service: the changes that a push sends, that a pull fetches, and
 * that need the user's decision. Pure. `here` is the last commit for a push and the working files for a pull.
 */
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import {
  fieldNames,
  isSameFields,
  markedRegions,
  type Draft,
  type FieldName,
  type MergeLabels,
} from '#core/saved-queries/merge-drafts.ts';
import { commonForm } from '#core/saved-queries/stored-text.ts';
import type { HeldEntry, IndexProblem } from '../format/query-index.ts';
import { problemOfText, type TextProblem } from '../format/text-bytes.ts';
import type { Agreed, Pair, Pairs, QueryHere, QueryThere } from './pair.ts';
import { asWritten, relateField, relateText, type Relation } from './relate.ts';

export type Member = FieldName | 'query_string';

/** Earlier values of one query in the repository, newest first. */
export interface History extends Readonly<Record<Member, readonly string[]>> {
  /**
   * Whether the file's first commit was made in this clone or does not exist yet. Undefined if the history was not
   * read.
   */
  readonly isBornHere?: boolean;
}

export interface Choices {
  /** Queries to delete by name key (`nameKeyOf`), with the version if one was given. */
  readonly deletes: ReadonlyMap<string, number | undefined>;
  readonly restores: ReadonlySet<string>;
  readonly replaces: ReadonlyMap<string, number>;
}

export const noChoices: Choices = { deletes: new Map(), restores: new Set(), replaces: new Map() };

export interface PlanInput extends Pairs {
  readonly historyOf: (here: QueryHere) => History;
  /** Returns the shared state of a query by its ID on the service. */
  readonly agreedOf: (id: string) => Agreed | undefined;
  /** Returns the last values of a query that the folder no longer has; undefined if it never had the query. */
  readonly removedOf: (there: QueryThere) => History | undefined;
  /** Every file that existed in the commits that were read; undefined if unknown. */
  readonly filesBefore?: ReadonlySet<string> | undefined;
  readonly choices: Choices;
  /** Queries that are partly outside of the names that the folder owns. */
  readonly strayed?:
    | {
        readonly queries: readonly { readonly here: QueryHere; readonly there: QueryThere | undefined }[];
        readonly under: string;
      }
    | undefined;
  readonly labels: MergeLabels;
}

export type Refusal =
  | { readonly kind: 'markers' }
  | { readonly kind: 'text'; readonly problem: TextProblem }
  /** The folder's entry for the query cannot be used. */
  | { readonly kind: 'entry'; readonly problem: IndexProblem; readonly source: string }
  /** Another query on the service has the name. */
  | { readonly kind: 'nameTaken' }
  /** The service has a query with the same text that was never in the folder. An earlier push may have created it. */
  | { readonly kind: 'sameText'; readonly name: string }
  /** Names are swapped in a cycle, so none of them can be taken first. */
  | { readonly kind: 'namesInRing' }
  /** The query is outside of the names that the folder owns, here or on the service. */
  | { readonly kind: 'outside'; readonly under: string }
  /** The version that was named is not the current one. */
  | { readonly kind: 'otherVersion'; readonly version: number };

export type PlanItem =
  /** Sent by a push. */
  | { readonly kind: 'create'; readonly here: QueryHere; readonly isRestored: boolean }
  | {
      readonly kind: 'update';
      readonly here: QueryHere;
      readonly there: QueryThere;
      readonly changed: readonly Member[];
      /** Whether the user chose to replace this version. */
      readonly isReplacing: boolean;
    }
  | { readonly kind: 'delete'; readonly there: QueryThere }
  /** Fetched by a pull. */
  | {
      readonly kind: 'changedThere';
      readonly here: QueryHere;
      readonly there: QueryThere;
      readonly changed: readonly Member[];
    }
  | { readonly kind: 'newThere'; readonly there: QueryThere; readonly isRestored: boolean }
  /** Both sides are equal, but the folder lacks the ID. */
  | { readonly kind: 'linked'; readonly here: QueryHere; readonly there: QueryThere }
  /** A pull merges both sides, then a push sends the result. */
  | { readonly kind: 'merge'; readonly here: QueryHere; readonly there: QueryThere; readonly merged: Draft }
  | { readonly kind: 'remove'; readonly here: QueryHere }
  /** Requires a decision by the user. */
  | {
      readonly kind: 'conflict';
      readonly here: QueryHere;
      readonly there: QueryThere;
      readonly members: readonly Member[];
      /** The merged query. Its text has conflict markers where the sides overlap. */
      readonly merged: Draft;
      /** The common base text, if known. */
      readonly base: string | undefined;
    }
  | { readonly kind: 'deletedThere'; readonly here: QueryHere; readonly isChangedHere: boolean }
  | { readonly kind: 'deletedHere'; readonly there: QueryThere; readonly isChangedThere: boolean }
  | {
      readonly kind: 'refused';
      readonly here: QueryHere;
      readonly there: QueryThere | undefined;
      readonly reason: Refusal;
    };

export interface Plan {
  /** In push order, without unchanged queries. */
  readonly items: readonly PlanItem[];
  /** Pairs without differences. */
  readonly same: readonly Pair[];
}

export function planQueries(input: PlanInput): Plan {
  const same: Pair[] = [];
  const items: PlanItem[] = [];
  for (const pair of input.pairs) {
    const item = planPair(pair, input);
    if (item === undefined) same.push(pair);
    else items.push(item);
  }
  const newTexts = new Map(
    input.onlyThere
      .filter((there) => input.removedOf(there) === undefined)
      .map((there) => [commonForm(there.draft.query_string), there]),
  );
  for (const { here, goneId } of input.onlyHere) items.push(planHere(here, goneId, { ...input, newTexts }));
  for (const there of input.onlyThere) items.push(planThere(there, input));
  for (const { entry, there } of input.held) items.push(planHeld(entry, there));
  for (const { here, there } of input.strayed?.queries ?? [])
    items.push({
      kind: 'refused',
      here,
      there,
      reason: { kind: 'outside', under: input.strayed?.under ?? '' },
    });
  const held = new Map(
    [
      ...input.pairs.map(({ there }) => there),
      ...input.onlyThere,
      ...input.held.flatMap(({ there }) => there ?? []),
    ].map((there) => [there.id, there.draft.name]),
  );
  return { items: inOrder(items, held), same };
}

function planPair(
  pair: Pair,
  { historyOf, agreedOf, filesBefore, choices, labels }: PlanInput,
): PlanItem | undefined {
  const { here, there, isByName } = pair;
  const [mine, theirs] = [here.draft, there.draft];
  if (mine.query_string === theirs.query_string && isSameFields(mine, theirs))
    return isByName ? { kind: 'linked', here, there } : undefined;
  const history = historyOf(here);
  const agreed = agreedOf(there.id);
  const sides = (member: Member) => ({
    mine: mine[member],
    theirs: asWritten(theirs[member], {
      mine: mine[member],
      history: history[member],
      agreed: agreed && { here: hereOf(agreed)[member], there: agreed.draft[member] },
    }),
    history: history[member],
    agreed: agreed && hereOf(agreed)[member],
    // A file that was renamed before its first commit is still the one that was pulled: it has the ID.
    isFirst:
      agreed?.newFile !== undefined &&
      history.isBornHere !== false &&
      (agreed.newFile === here.file || filesBefore?.has(agreed.newFile) === false),
  });
  const relations: Readonly<Record<Member, Relation>> = {
    name: relateField(sides('name')),
    model: relateField(sides('model')),
    description: relateField(sides('description')),
    query_string: relateText(sides('query_string'), labels),
  };
  if (members.every((member) => relations[member].kind === 'same'))
    return isByName ? { kind: 'linked', here, there } : undefined;
  const item = itemOf(pair, relations);
  const replaced = choices.replaces.get(nameKeyOf(mine.name));
  if (replaced !== undefined && (item.kind === 'conflict' || item.kind === 'merge')) {
    return replaced === there.version
      ? checked({ kind: 'update', here, there, changed: differing(mine, theirs), isReplacing: true })
      : { kind: 'refused', here, there, reason: { kind: 'otherVersion', version: there.version } };
  }
  return item;
}

/** The shared query as this side has it. */
function hereOf({ here, draft }: Agreed): Draft {
  return here ?? draft;
}

function itemOf({ here, there }: Pair, relations: Readonly<Record<Member, Relation>>): PlanItem {
  const of = (...kinds: readonly Relation['kind'][]) =>
    members.filter((member) => kinds.includes(relations[member].kind));
  const conflicts = of('conflict');
  const merged: Draft = {
    name: mergedValue('name', here, there, relations),
    model: mergedValue('model', here, there, relations),
    description: mergedValue('description', here, there, relations),
    query_string: mergedValue('query_string', here, there, relations),
  };
  if (hasMarkers(here, there)) return { kind: 'refused', here, there, reason: { kind: 'markers' } };
  if (conflicts.length > 0) {
    const text = relations.query_string;
    const base = text.kind === 'conflict' ? text.base : undefined;
    return { kind: 'conflict', here, there, members: conflicts, merged, base };
  }
  const [mine, theirs] = [of('mine'), of('theirs')];
  if (of('merged').length > 0 || (mine.length > 0 && theirs.length > 0))
    return { kind: 'merge', here, there, merged };
  if (theirs.length > 0) return { kind: 'changedThere', here, there, changed: theirs };
  return checked({ kind: 'update', here, there, changed: mine, isReplacing: false });
}

export const members: readonly Member[] = ['query_string', ...fieldNames];

function mergedValue(
  member: Member,
  here: QueryHere,
  there: QueryThere,
  relations: Readonly<Record<Member, Relation>>,
): string {
  const relation = relations[member];
  if (relation.kind === 'theirs') return there.draft[member];
  if (relation.kind === 'merged') return relation.text;
  if (relation.kind === 'conflict' && member === 'query_string') return relation.marked;
  return here.draft[member];
}

/** @param newTexts queries that exist only on the service and were never in the folder, by text. */
function planHere(
  here: QueryHere,
  goneId: string | undefined,
  { choices, agreedOf, newTexts }: PlanInput & { readonly newTexts: ReadonlyMap<string, QueryThere> },
): PlanItem {
  const key = nameKeyOf(here.draft.name);
  if (goneId === undefined) {
    const twin = newTexts.get(commonForm(here.draft.query_string));
    return twin === undefined
      ? checked({ kind: 'create', here, isRestored: false })
      : { kind: 'refused', here, there: undefined, reason: { kind: 'sameText', name: twin.draft.name } };
  }
  if (choices.restores.has(key)) return checked({ kind: 'create', here, isRestored: true });
  if (choices.deletes.has(key)) return { kind: 'remove', here };
  const agreed = agreedOf(goneId);
  const isChangedHere = agreed !== undefined && differing(here.draft, hereOf(agreed)).length > 0;
  return { kind: 'deletedThere', here, isChangedHere };
}

function planThere(there: QueryThere, { choices, agreedOf, removedOf }: PlanInput): PlanItem {
  const removed = removedOf(there);
  if (removed === undefined) return { kind: 'newThere', there, isRestored: false };
  const key = nameKeyOf(there.draft.name);
  if (choices.restores.has(key)) return { kind: 'newThere', there, isRestored: true };
  const isKnown =
    agreedOf(there.id)?.draft.query_string === there.draft.query_string ||
    removed.query_string.includes(there.draft.query_string);
  // Text that is in no commit and was never seen would be lost, so its version must be named.
  const isNamed = isKnown ? choices.deletes.has(key) : choices.deletes.get(key) === there.version;
  return isNamed ? { kind: 'delete', there } : { kind: 'deletedHere', there, isChangedThere: !isKnown };
}

/** The stand-in for the query has no text: nothing of an entry that cannot be used is compared. */
function planHeld({ problem, source, file, name }: HeldEntry, there: QueryThere | undefined): PlanItem {
  const said = name ?? there?.draft.name ?? file ?? source;
  const draft = { name: said, model: '', description: '', query_string: '' };
  const here = { file: source, ids: {}, draft };
  return { kind: 'refused', here, there, reason: { kind: 'entry', problem, source } };
}

/** Refuses queries with conflict markers or with text that the service would refuse. */
function checked(item: Extract<PlanItem, { kind: 'create' | 'update' }>): PlanItem {
  const { here } = item;
  const there = item.kind === 'update' ? item.there : undefined;
  if (hasMarkers(here, there)) return { kind: 'refused', here, there, reason: { kind: 'markers' } };
  const problem = problemOfText(here.draft.query_string);
  return problem === undefined ? item : { kind: 'refused', here, there, reason: { kind: 'text', problem } };
}

function hasMarkers(here: QueryHere, there: QueryThere | undefined): boolean {
  if (markedRegions(here.draft.query_string).length === 0) return false;
  return there === undefined || markedRegions(there.draft.query_string).length === 0;
}

function differing(a: Draft, b: Draft): readonly Member[] {
  return members.filter((member) => a[member] !== b[member]);
}

/** Puts deletions first, then changes that free a name before those that take it. Cycles are refused. */
function inOrder(items: readonly PlanItem[], held: ReadonlyMap<string, string>): readonly PlanItem[] {
  const holders = new Map([...held].map(([id, name]) => [nameKeyOf(name), id]));
  const first = items.filter(({ kind }) => kind === 'delete');
  for (const item of first) if (item.kind === 'delete') holders.delete(nameKeyOf(item.there.draft.name));
  const ordered: PlanItem[] = [...first];
  let waiting = items.filter(isSent);
  for (let count = -1; waiting.length > 0 && waiting.length !== count;) {
    count = waiting.length;
    const later: Sent[] = [];
    for (const item of waiting) {
      const own = item.kind === 'update' ? item.there.id : undefined;
      const holder = holders.get(nameKeyOf(item.here.draft.name));
      if (holder !== undefined && holder !== own) {
        later.push(item);
        continue;
      }
      if (item.kind === 'update') holders.delete(nameKeyOf(item.there.draft.name));
      holders.set(nameKeyOf(item.here.draft.name), own ?? item.here.file);
      ordered.push(item);
    }
    waiting = later;
  }
  const waitingIds = new Set(waiting.map((item) => (item.kind === 'update' ? item.there.id : '')));
  const refused = waiting.map((item): PlanItem => {
    const isRing = waitingIds.has(holders.get(nameKeyOf(item.here.draft.name)) ?? '');
    const there = item.kind === 'update' ? item.there : undefined;
    return {
      kind: 'refused',
      here: item.here,
      there,
      reason: { kind: isRing ? 'namesInRing' : 'nameTaken' },
    };
  });
  return [...ordered, ...items.filter((item) => !isSent(item) && item.kind !== 'delete'), ...refused];
}

type Sent = Extract<PlanItem, { kind: 'create' | 'update' }>;

function isSent(item: PlanItem): item is Sent {
  return item.kind === 'create' || item.kind === 'update';
}

/** Returns whether a push sends this item. */
export function isWrite(item: PlanItem): item is Sent | Extract<PlanItem, { kind: 'delete' }> {
  return isSent(item) || item.kind === 'delete';
}

/** Returns the name to display: the repository's name for the query if it has one, otherwise the service's. */
export function nameOf(item: PlanItem): string {
  return 'here' in item ? item.here.draft.name : item.there.draft.name;
}
