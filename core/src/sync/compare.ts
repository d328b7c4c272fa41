/** Reads the files, the history and the service, and creates the plan. Does not write to the service or the files. */
import type { ServiceClient } from '#api/client/client.ts';
import { typedLine } from '#base/advice.ts';
import { t } from '#base/texts.ts';
import { missingWords } from '../saved-queries/list-saved-queries.ts';
import { isSameFields } from '../saved-queries/merge-drafts.ts';
import { plainText } from '../saved-queries/same-text.ts';
import type { AgreedQueries, AgreedStore } from './agreed-store.ts';
import { readQueryFolder, shown, type QueryFolder } from './folder/read-folder.ts';
import { commitSource, diskSource } from './folder/sources.ts';
import { attributesFile, queryEnding, queryFileOf } from './format/layout.ts';
import { parseMetadata } from './format/query-index.ts';
import { gitAdvice } from './git/git-advice.ts';
import type { Head } from './git/git-repository.ts';
import { noHistory, readEarlierLines, readHistories, type Wanted } from './git/read-history.ts';
import { soundCommitOf } from './git/sound-version.ts';
import {
  pairByHistory,
  pairQueries,
  type Pair,
  type Pairs,
  type QueryHere,
  type QueryThere,
} from './plan/pair.ts';
import { planQueries, type Choices, type History, type Plan } from './plan/plan.ts';
import { readIfReadable, readService, UnreadQueries } from './read-service.ts';
import { pairsUnder } from './scope.ts';
import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

export interface OpenSync {
  readonly workspace: Workspace;
  /** The result of `serviceKeyOf`. */
  readonly service: string;
  readonly store: AgreedStore;
}

export interface CompareOptions extends OpenSync {
  readonly client: ServiceClient;
  /** `commit`: compare the last commit, which a push sends. `files`: compare the working files. */
  readonly from: 'commit' | 'files';
  readonly choices: Choices;
  /** Queries that were just read from the service and are not requested again. */
  readonly there?: readonly QueryThere[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((count: number) => void) | undefined;
}

export interface Comparison {
  readonly plan: Plan;
  readonly pairs: Pairs;
  readonly there: readonly QueryThere[];
  readonly folder: QueryFolder;
  /** Every file that existed in the commits that were read. */
  readonly filesBefore: ReadonlySet<string>;
  readonly agreed: AgreedQueries;
  /** IDs of the queries outside of the scope. */
  readonly hidden: ReadonlySet<string>;
  /** Undefined if there is no commit yet. */
  readonly head: Head | undefined;
  /**
   * Says what of the service is not compared: queries that cannot be read, which are neither sent, fetched nor deleted,
   * and those that no list names.
   */
  readonly notes: readonly string[];
}

export async function compare(options: CompareOptions): Promise<Comparison> {
  const { workspace, client, service, store, from, choices, signal, onProgress } = options;
  const { repository, root, folder: place } = workspace;
  const head = from === 'commit' ? await repository.head() : await repository.headIfAny();
  const source =
    from === 'commit' && head !== undefined
      ? await commitSource(repository, head.commit, place)
      : await diskSource(root);
  const folder = await withSoundCommits(await readQueryFolder(source), workspace, head);
  const agreed = await store.read();
  const unread = new UnreadQueries();
  const read =
    options.there === undefined
      ? await readService(client, { agreed, ids: idsOf(folder, service), signal, onProgress, unread })
      : { queries: options.there, isListed: true };
  const there = read.queries;
  const current = await withoutMissed(pairQueries(folder, there, service), { client, signal, unread });
  const all = await withEarlier(current, options, head);
  const { pairs, strayed, hidden } = pairsUnder(all, workspace.under, workspace.kept);
  await refuseConvertedLineEnds(pairs.pairs, workspace);
  const { histories, files: filesBefore } = await historiesOf(pairs, options, head);
  const plan = planQueries({
    ...pairs,
    choices,
    historyOf: (here) => histories.get(here) ?? noHistory,
    removedOf: (query) => histories.get(query),
    agreedOf: (id) => agreed.get(id),
    filesBefore,
    strayed: workspace.under === undefined ? undefined : { queries: strayed, under: workspace.under },
    labels: { mine: t('repository'), theirs: t('service') },
  });
  const missing = missingWords({ leftOut: [...unread.problems], isPart: unread.isPart });
  const notes = [
    ...(read.isListed
      ? []
      : [t('This service does not list saved queries: only those that this folder knows are compared.')]),
    ...(missing === undefined ? [] : [missing]),
  ];
  return { plan, pairs, there, folder, filesBefore, agreed, hidden, head, notes };
}

/** Notes of damaged metadata where it was sound, if the damage was committed. */
async function withSoundCommits(
  folder: QueryFolder,
  { repository, folder: place }: Workspace,
  head: Head | undefined,
): Promise<QueryFolder> {
  if (head === undefined) return folder;
  const held = folder.held.map(async (entry) => {
    const { problem, source } = entry;
    if (problem.kind !== 'notJson' && problem.kind !== 'conflictMarkers') return entry;
    const soundIn = await soundCommitOf(
      repository,
      { commit: head.commit, file: `${place}/${source}` },
      (text) => 'entry' in parseMetadata(text, queryFileOf(source)),
    );
    return { ...entry, problem: { ...problem, soundIn } };
  });
  return { ...folder, held: await Promise.all(held) };
}

function idsOf({ queries, held }: QueryFolder, service: string): readonly string[] {
  return [...queries, ...held].flatMap(({ ids }) => ids[service] ?? []);
}

/**
 * A list may omit a query that changed while it was read, or that cannot be read, so a missing query is confirmed by
 * requesting its ID.
 */
async function withoutMissed(
  pairs: Pairs,
  { client, signal, unread }: Pick<CompareOptions, 'client' | 'signal'> & { readonly unread: UnreadQueries },
): Promise<Pairs> {
  const onlyHere: Pairs['onlyHere'][number][] = [];
  const found: Pair[] = [];
  for (const each of pairs.onlyHere) {
    const { here, goneId } = each;
    const isAsked = goneId !== undefined && !unread.has(goneId);
    const there = isAsked ? await readIfReadable(client, goneId, { signal, unread }) : undefined;
    if (there !== undefined) found.push({ here, there, isByName: false });
    else if (goneId === undefined || !unread.has(goneId)) onlyHere.push(each);
  }
  return { ...pairs, pairs: [...pairs.pairs, ...found], onlyHere };
}

/** Reads earlier IDs and names only if both sides have queries without a counterpart. */
async function withEarlier(
  pairs: Pairs,
  { workspace: { repository, folder }, service }: CompareOptions,
  head: Head | undefined,
): Promise<Pairs> {
  const files = [
    ...pairs.onlyHere.flatMap(({ here, goneId }) => (goneId === undefined ? [here.file] : [])),
    ...pairs.held.flatMap(({ entry, there }) => (there === undefined ? (entry.file ?? []) : [])),
  ];
  if (head === undefined || files.length === 0 || pairs.onlyThere.length === 0) return pairs;
  const place = { commit: head.commit, folder, service };
  const earlier = await readEarlierLines(repository, place, files);
  return pairByHistory(pairs, ({ file }) => earlier.get(file));
}

/** Reads history only for queries that differ or exist only on the service. */
async function historiesOf(
  pairs: Pairs,
  { workspace, service }: CompareOptions,
  head: Head | undefined,
): Promise<{
  readonly histories: ReadonlyMap<QueryHere | QueryThere, History>;
  readonly files: ReadonlySet<string>;
}> {
  if (head === undefined) return { histories: new Map(), files: new Set() };
  const differing = pairs.pairs.filter(isDifferent);
  const wanted: readonly (readonly [QueryHere | QueryThere, Wanted])[] = [
    ...differing.map(
      ({ here, there }) => [here, { id: there.id, name: here.draft.name, file: here.file }] as const,
    ),
    ...pairs.onlyThere.map((there) => [there, { id: there.id, name: undefined, file: undefined }] as const),
  ];
  const { repository, folder } = workspace;
  const { histories, files } = await readHistories(
    repository,
    { commit: head.commit, folder, service },
    wanted.map(([, each]) => each),
  );
  // A query that never appeared in an index was never in the folder.
  const known = wanted.flatMap(([query], index) => {
    const history = histories[index] ?? noHistory;
    return 'file' in query || history.name.length > 0 ? [[query, history] as const] : [];
  });
  return { histories: new Map(known), files };
}

function isDifferent({ here, there }: Pair): boolean {
  return here.draft.query_string !== there.draft.query_string || !isSameFields(here.draft, there.draft);
}

/** Throws if Git converts line endings, because every query would look edited. */
async function refuseConvertedLineEnds(
  pairs: readonly Pair[],
  { repository, folder }: Workspace,
): Promise<void> {
  const converted = pairs.find(
    ({ here, there }) =>
      here.draft.query_string !== there.draft.query_string &&
      plainText(here.draft.query_string) === plainText(there.draft.query_string),
  );
  if (converted === undefined || (await repository.keepsLineEnds(`${folder}/${converted.here.file}`))) return;
  throw new SyncError(
    'lineEnds',
    t(
      'Git converts the line endings of queries here, for example in {0}. Commit your changes, then keep line endings as they are:',
      shown(converted.here.file),
    ),
    gitAdvice.keepLineEnds(repository.top, folder, attributesFile, `*${queryEnding}`).map(typedLine),
  );
}
