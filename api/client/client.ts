/**
 * The typed client for the Identity and Access Data Service: methods grouped by noun over one request function. There
 * is no global state; `close` ends the client's connections.
 */
import type { Dispatcher } from 'undici';
import { silentLogger, type Logger } from '#base/logger.ts';
import { flagOf } from '#base/values/flag.ts';
import { resolveDeployment, type Deployment } from '../contract/deployment.ts';
import { additionalEndpoints, endpoints, type Endpoint } from '../contract/endpoints.ts';
import { limits } from '../contract/limits.ts';
import type { Page, PageToken } from '../contract/lists.ts';
import { ModelTable } from '../contract/model-tables.ts';
import { SemanticModel } from '../contract/models.ts';
import {
  SavedQuery,
  SavedQuerySummary,
  type SavedQueryCreate,
  type SavedQueryUpdate,
} from '../contract/saved-queries.ts';
import { ServerDescription } from '../contract/server-description.ts';
import type { ScopeName } from '../contract/token.ts';
import { decode, decodeNeeded, decodePage } from './answers/decode.ts';
import { listContentOf, LostPages } from './answers/lost-pages.ts';
import { hasHints } from './answers/more-hints.ts';
import { OtherPages } from './answers/other-pages.ts';
import { saysError } from './answers/outcome.ts';
import { pageTokenText } from './answers/page-token.ts';
import { pages, type PageOptions } from './answers/paging.ts';
import { isRecord, type DecodeContext } from './answers/shape.ts';
import {
  ContractError,
  NotFoundError,
  NotOfferedError,
  RejectedError,
  type ServerFaultError,
  type TransportError,
} from './errors.ts';
import type { JsonValue } from './json.ts';
import { createAgent } from './network/unasked-continue.ts';
import type { CallOptions, ExecuteCalls, ExecuteOptions, RunRequest } from './query-calls.ts';
import { isUnfinished } from './query-page.ts';
import { countOf, headerOf } from './requests/error-of-response.ts';
import type { RateLimitRule } from './requests/limited-call.ts';
import { Requester, type ParsedAnswer, type RequestOptions } from './requests/requester.ts';
import { defaultRetryPolicy, type RetryPolicy } from './requests/retry.ts';
import { TokenSource, type ClientAuthentication } from './requests/token.ts';
import { exchange, openFile } from './requests/transport.ts';
import { createResources, type ServiceResources } from './resources.ts';
import { createResultPages, type ResultPagesOptions } from './result-pages.ts';

export type { CallOptions, ExecuteOptions, RunRequest };

export interface ClientOptions extends Deployment, ResultPagesOptions {
  readonly clientId: string;
  /**
   * If a function, it is called whenever a token is needed, so a new secret takes effect; its errors are passed on
   * unchanged.
   */
  readonly clientSecret: string | (() => Promise<string>);
  /** The scopes to request. Default: both. */
  readonly scopes?: readonly ScopeName[];
  /** How the client authenticates to the token endpoint. Default: `basic`. */
  readonly clientAuthentication?: ClientAuthentication | undefined;
  /**
   * Connections, proxies and certificates (dispatcher.ts). Default: a separate keep-alive agent, which `close` ends.
   */
  readonly dispatcher?: Dispatcher;
  /** Sends requests in place of a dispatcher. Must honor `redirect: 'manual'`. */
  readonly fetch?: typeof globalThis.fetch;
  readonly logger?: Logger;
  /** Time limit per request, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Time limit per call, including token, retries and delays, in milliseconds. Default: 120,000. */
  readonly totalTimeoutMs?: number;
  /** Maximum size of one response in bytes. Default: 256 MiB. */
  readonly maxBodyBytes?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** Waits where the service limits requests, in place of `retry`, also for callers that show the wait themselves. */
  readonly rateLimit?: RateLimitRule | undefined;
  readonly userAgent?: string;
  /**
   * Called once per client when a call fails because credentials or tokens are rejected, or because
   * `clientSecret` throws. The caller gets the error too.
   */
  readonly onAuthFailure?: (error: Error) => void;
  /**
   * Called when a call ends: with the error if the service could not be reached, failed (5xx), or something else
   * responded, otherwise with undefined.
   */
  readonly onReach?: (failure: TransportError | ServerFaultError | ContractError | undefined) => void;
  /** Called when the token endpoint grants only these scopes (RFC 6749 `invalid_scope`), or later others. */
  readonly onGrantedScopes?: (scopes: readonly ScopeName[]) => void;
  /** Returns a number in [0, 1); replaced in tests. */
  readonly random?: () => number;
  /** Returns monotonic milliseconds; replaced in tests. */
  readonly now?: () => number;
}

export interface ListOptions extends CallOptions {
  readonly pageSize?: number | undefined;
  readonly pageToken?: PageToken | undefined;
}

export type ModelListOptions = CallOptions & Pick<PageOptions, 'onLeftOut'>;

/** Every method throws ApiError, ContractError or UserAbort (errors.ts). */
export interface ServiceClient extends ServiceResources {
  readonly models: {
    /** @param options.onLeftOut called with the reason for each model that cannot be read, if there are others. */
    list(options?: ModelListOptions): Promise<readonly SemanticModel[]>;
    /**
     * Reads the tables of a model. Returns undefined, without a request, if the last list of models did not say that
     * the service can list them.
     */
    tables(model: string, options?: CallOptions): Promise<readonly ModelTable[] | undefined>;
    /**
     * Reads what the database behind the service is, once for each list of models. Returns undefined, without a request,
     * if the last list of models did not say that the service can list their tables.
     */
    server(): Promise<ServerDescription | undefined>;
  };
  readonly savedQueries: {
    list(options?: ListOptions): Promise<Page<SavedQuery>>;
    /** Yields every saved query, requesting pages as needed. */
    listAll(options?: PageOptions): AsyncGenerator<SavedQuery, void, undefined>;
    /** Yields every saved query; a service may omit the SQL. */
    listSummaries(options?: PageOptions): AsyncGenerator<SavedQuerySummary, void, undefined>;
    get(queryId: string, options?: CallOptions): Promise<SavedQuery>;
    /** Reads the versions of a query, newest first. Returns undefined if the service does not list them. */
    versions(queryId: string, options?: CallOptions): Promise<ListedVersions | undefined>;
    create(query: SavedQueryCreate, options?: CallOptions): Promise<SavedQuery>;
    /** Uses PUT, or PATCH if the service allows only that. */
    update(queryId: string, query: SavedQueryUpdate, options?: CallOptions): Promise<SavedQuery>;
    delete(queryId: string, options?: CallOptions): Promise<void>;
  };
  readonly queries: ExecuteCalls;
  /** Signs in, and asks the service for nothing. @throws AuthError if the scope was refused or is not asked for. */
  requireScope(scope: ScopeName, options?: CallOptions): Promise<void>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 30_000;
const defaultTotalTimeoutMs = 120_000;
const defaultMaxBodyBytes = 256 * 1_048_576;

/** @example const client = createClient({ baseUrl, authUrl, clientId, clientSecret }); await client.models.list(); */
export function createClient(options: ClientOptions): ServiceClient {
  const { baseUrl, authUrl } = resolveDeployment(options);
  const ownAgent =
    options.dispatcher === undefined && options.fetch === undefined ? createAgent() : undefined;
  const dispatcher = options.dispatcher ?? ownAgent;
  const exchangeOptions = {
    carrier: dispatcher === undefined ? { fetch: options.fetch ?? fetch } : { dispatcher },
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
  };
  const userAgent = options.userAgent ?? 'identity-queries';
  const send = (request: Parameters<typeof exchange>[0]) => exchange(request, exchangeOptions);
  const token = new TokenSource({
    baseUrl,
    authUrl,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    scopes: options.scopes ?? ['read', 'write'],
    clientAuthentication: options.clientAuthentication ?? 'basic',
    userAgent,
    exchange: send,
    onGrantedScopes: options.onGrantedScopes,
    now: options.now ?? (() => performance.now()),
  });
  const requester = new Requester({
    baseUrl,
    userAgent,
    token,
    exchange: send,
    logger: options.logger ?? silentLogger,
    retry: { ...defaultRetryPolicy, ...options.retry },
    totalTimeoutMs: options.totalTimeoutMs ?? defaultTotalTimeoutMs,
    rateLimit: options.rateLimit,
    onAuthFailure: once(options.onAuthFailure),
    onReach: options.onReach ?? (() => undefined),
    random: options.random ?? Math.random,
  });

  /** A list that the specification does not describe, with what was learned of its pages. */
  const otherList =
    <Item>(
      endpoint: Endpoint,
      others: OtherPages,
      path: Readonly<Record<string, string>>,
      read: (answer: Decodable) => Item,
    ) =>
    async ({ pageSize = limits.pageSizeMax, pageToken, signal }: ListOptions = {}): Promise<Page<Item>> =>
      await lost.read(
        { walk: [endpoint.path, path], pageToken, signal },
        async (ask) =>
          await others.page(
            { pageSize, pageToken },
            (query) =>
              ask({
                ask: () => requester.send(endpoint, { path, query, signal }),
                contentOf: listContentOf,
              }),
            (value, context) => read({ value, context }),
          ),
      );
  const lost = new LostPages();
  const savedPages = new OtherPages();
  const versionPages = new OtherPages();
  const listSavedQueries = otherList(endpoints.listSavedQueries, savedPages, {}, decodeSavedQuery);
  const listSummaries = otherList(endpoints.listSavedQueries, savedPages, {}, decodeSummary);
  const listVersions = (queryId: string) =>
    otherList(
      additionalEndpoints.listSavedQueryVersions,
      versionPages,
      { query_id: queryId },
      decodeSavedQuery,
    );

  const { execute, executeBytes } = createResultPages(requester, options);

  let listing: ReadonlySet<string> = new Set();
  const listTables =
    (name: string) =>
    async ({
      pageToken,
      signal,
      etag,
    }: ListOptions & { readonly etag?: string | undefined }): Promise<
      (Page<ModelTable> & { readonly etag: string | undefined }) | undefined
    > => {
      const { value, context, headers } = await requester.send(additionalEndpoints.listModelTables, {
        path: { name },
        query: {
          pageSize: limits.pageSizeMax,
          pageToken: pageToken === undefined ? undefined : pageTokenText(pageToken),
        },
        signal,
        etag,
      });
      if (context.status === 304) return undefined;
      const page = decodePage(value, (item) => decode(ModelTable, item, context), context);
      return { ...page, etag: headerOf({ headers }, 'etag') };
    };
  /** Tables that were read before, with their ETag. */
  const listed = new Map<string, { readonly etag: string; readonly tables: readonly ModelTable[] }>();

  const describe = async (): Promise<ServerDescription> => {
    const before = described;
    const { value, context, headers } = await requester.send(additionalEndpoints.describeServer, {
      etag: before?.etag,
    });
    if (context.status === 304 && before !== undefined) return before.server;
    const server = decode(ServerDescription, value, context);
    const etag = headerOf({ headers }, 'etag');
    described = etag === undefined ? undefined : { etag, server };
    return server;
  };
  /** Asked since the last list of models. */
  let describing: Promise<ServerDescription> | undefined;
  /** What was read before, with its ETag. */
  let described: { readonly etag: string; readonly server: ServerDescription } | undefined;

  return {
    ...createResources(
      requester,
      (url, file) => openFile(url, { ...exchangeOptions, userAgent, ...file }),
      baseUrl,
    ),
    models: {
      async list({ signal, onLeftOut } = {}) {
        const { value, context } = await requester.send(endpoints.listModels, { signal });
        const models = decodeModels(value, context, onLeftOut);
        describing = undefined;
        listing = new Set(models.flatMap(({ name, listsTables }) => (listsTables === true ? [name] : [])));
        return models;
      },
      async tables(model, { signal } = {}) {
        if (!listing.has(model)) return undefined;
        const before = listed.get(model);
        const seen: { etag?: string | undefined; isKnown: boolean } = { isKnown: false };
        const read = async (options: ListOptions): Promise<Page<ModelTable>> => {
          const isFirst = options.pageToken === undefined;
          const page = await listTables(model)({ ...options, etag: isFirst ? before?.etag : undefined });
          if (isFirst) seen.etag = page?.etag;
          if (page === undefined) seen.isKnown = true;
          return page ?? { items: [] };
        };
        const tables: ModelTable[] = [];
        for await (const table of pages(read, { signal })) tables.push(table);
        if (seen.isKnown) return before?.tables;
        if (seen.etag !== undefined) listed.set(model, { etag: seen.etag, tables });
        return tables;
      },
      async server() {
        if (listing.size === 0) return undefined;
        const asked = (describing ??= describe());
        try {
          return await asked;
        } catch (error) {
          if (describing === asked) describing = undefined;
          throw error;
        }
      },
    },
    savedQueries: {
      list: listSavedQueries,
      listAll: (page = {}) => pages(listSavedQueries, page),
      listSummaries: (page = {}) => pages(listSummaries, page),
      async get(queryId, { signal } = {}) {
        return decodeSavedQuery(
          await requester.send(endpoints.getSavedQuery, { path: { query_id: queryId }, signal }),
        );
      },
      async versions(queryId, { signal } = {}) {
        try {
          return await readVersions(queryId, listVersions(queryId), signal);
        } catch (error) {
          if (error instanceof NotOfferedError) return undefined;
          if (!(error instanceof NotFoundError)) throw error;
          // A service may take the whole address for an ID, so this is no word about the query.
          if (error.code === 'SAVED_QUERY_NOT_FOUND')
            await requester.send(endpoints.getSavedQuery, { path: { query_id: queryId }, signal });
          return undefined;
        }
      },
      async create(query, { signal } = {}) {
        return decodeSavedQuery(await requester.send(endpoints.createSavedQuery, { body: query, signal }));
      },
      async update(queryId, query, { signal } = {}) {
        return decodeSavedQuery(
          await sendUpdate(requester, { path: { query_id: queryId }, body: query, signal }),
        );
      },
      async delete(queryId, { signal } = {}) {
        const { value, context } = await requester.send(endpoints.deleteSavedQuery, {
          path: { query_id: queryId },
          signal,
        });
        if (isUnfinished(context.status) || (isRecord(value) && saysNotDeleted(value)))
          throw new ContractError(
            `The service answered the deletion with ${context.status}, but does not say that it is done. Look again later.`,
            context,
          );
      },
    },
    queries: { execute, executeBytes, values: options.executeValues },
    requireScope: (scope, { signal } = {}) => requester.requireScope(scope, signal),
    async close() {
      await ownAgent?.destroy();
    },
  };
}

/** Versions of one query, newest first. */
export interface ListedVersions {
  readonly items: readonly SavedQuery[];
  /** False if there are others, which could not be read or are beyond what is read. */
  readonly isComplete: boolean;
}

const mostVersions = 1_000;
const mostVersionChars = 16 * 1_048_576;

async function readVersions(
  queryId: string,
  list: (options: ListOptions) => Promise<Page<SavedQuery>>,
  signal: AbortSignal | undefined,
): Promise<ListedVersions> {
  const items: SavedQuery[] = [];
  let chars = 0;
  let isPart = false;
  const onPart = () => (isPart = true);
  for await (const version of pages(list, { signal, onLeftOut: onPart, onPart })) {
    if (version.query_id !== queryId) {
      isPart = true;
      continue;
    }
    chars += version.query_string.length;
    if (items.length >= mostVersions || chars > mostVersionChars) return { items, isComplete: false };
    items.push(version);
  }
  return { items, isComplete: !isPart };
}

/** Whether the answer to a deletion says that it failed. */
function saysNotDeleted({ deleted, ...others }: Readonly<Record<string, JsonValue>>): boolean {
  const isDone = (value: JsonValue) =>
    typeof value === 'string' && /^(?:deleted|removed|archived)$/i.test(value);
  return flagOf(deleted) === false || saysError(Object.entries(others).filter(([, value]) => !isDone(value)));
}

type Decodable = Pick<ParsedAnswer, 'value' | 'context'>;

function decodeSavedQuery(answer: Decodable): SavedQuery {
  return decodeNeeded(
    SavedQuery,
    ['query_id', 'name', 'query_string', 'model', 'version'],
    withVersion(answer),
  );
}

function decodeSummary(answer: Decodable): SavedQuerySummary {
  return decodeNeeded(SavedQuerySummary, ['query_id', 'name', 'model', 'version'], withVersion(answer));
}

/** Some services write numbers as texts; without its version, a query could not be read. */
function withVersion({ value, context }: Decodable): Decodable {
  if (!isRecord(value) || typeof value['version'] !== 'string') return { value, context };
  return { value: { ...value, version: countOf(value['version']) ?? value['version'] }, context };
}

/**
 * Returns the readable models.
 * @throws ContractError if there are models but none is readable.
 */
function decodeModels(
  value: JsonValue,
  context: DecodeContext,
  onLeftOut: PageOptions['onLeftOut'],
): readonly SemanticModel[] {
  const { models, items, ...beside } = isRecord(value) ? value : {};
  const list = models ?? items;
  // What is beside the models, such as a state of the service, is not of how the list was made.
  const page = decodePage(
    list === undefined ? {} : { items: list },
    (item) => decodeNeeded(SemanticModel, ['name', 'description'], { value: item, context }),
    context,
  );
  if (page.items.length === 0 && page.leftOut?.[0] !== undefined)
    throw new ContractError(page.leftOut[0], context);
  const isPart = hasHints(new Map(Object.entries(beside)));
  const problems = [...(page.leftOut ?? []), ...(isPart ? [moreModels] : [])];
  if (problems.length > 0) onLeftOut?.(problems);
  return page.items;
}

const moreModels = 'The list of models is not the whole: the service tells of more, which are not read.';

function once(listener: ClientOptions['onAuthFailure']): (error: Error) => void {
  let hasTold = false;
  return (error) => {
    if (hasTold) return;
    hasTold = true;
    listener?.(error);
  };
}

/** Sends PUT, or PATCH if a 405 response lists it in Allow (assumption `update`). The rejected PUT changed nothing. */
async function sendUpdate(requester: Requester, request: RequestOptions) {
  try {
    return await requester.send(endpoints.updateSavedQuery, request);
  } catch (error) {
    if (!isPatchOnly(error)) throw error;
    return await requester.send(endpoints.updateSavedQuery, { ...request, method: 'PATCH' });
  }
}

function isPatchOnly(error: unknown): boolean {
  const isRefused =
    error instanceof NotOfferedError || error instanceof RejectedError || error instanceof ContractError;
  return isRefused && error.status === 405 && error.allow?.includes('PATCH') === true;
}
