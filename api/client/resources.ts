/** The service's collections, changes, jobs and exports, as methods grouped by noun over one request function. */
import { Type, type Static, type TSchema } from 'typebox';
import { ActionJob, JobAcceptance } from '../contract/action-jobs.ts';
import { isLoopback } from '../contract/deployment.ts';
import { DownloadRequest, type DownloadCreate } from '../contract/downloads.ts';
import { endpoints, type Endpoint } from '../contract/endpoints.ts';
import { limits } from '../contract/limits.ts';
import type { Page, PageToken } from '../contract/lists.ts';
import { EntityAssignedAccessToObject, PersonIsEmployee } from '../contract/records/access.ts';
import { Account } from '../contract/records/accounts.ts';
import { Activity } from '../contract/records/activities.ts';
import { Authenticator, AuthenticatorEnrollment } from '../contract/records/authenticators.ts';
import { AccountRole, Role } from '../contract/records/roles.ts';
import { pause } from './abort.ts';
import { decode, decodeNeeded, decodePage, decodeRecord, type Read } from './answers/decode.ts';
import { listContentOf, LostPages } from './answers/lost-pages.ts';
import { OtherPages } from './answers/other-pages.ts';
import { saysError } from './answers/outcome.ts';
import { pageTokenText } from './answers/page-token.ts';
import { pages, type PageOptions } from './answers/paging.ts';
import { isRecord, shapeError } from './answers/shape.ts';
import { ContractError } from './errors.ts';
import type { JsonValue } from './json.ts';
import { decoded } from './network/proxy.ts';
import type { ParsedAnswer, Requester, RequestOptions } from './requests/requester.ts';
import type { FileOptions, OpenedFile } from './requests/transport.ts';

interface SignalOption {
  readonly signal?: AbortSignal | undefined;
}

/** For callers that show rate limit waits themselves. */
type SentOptions = SignalOption & Pick<RequestOptions, 'throwsRateLimit'>;

export interface ListFilter {
  readonly applicationInstanceId?: string | undefined;
}

/** A time window of at most 31 days. Without start and end: the most recent 30 days. */
export interface ActivityFilter extends ListFilter {
  /** Inclusive, RFC 3339. */
  readonly from?: string | undefined;
  /** Exclusive, RFC 3339. */
  readonly to?: string | undefined;
}

/** The required members of an export; others may be missing. */
export type KnownDownload = Read<typeof DownloadRequest, 'id' | 'status'>;
/** The job ID, needed for polling; other members may be missing. */
export type AcceptedJob = Read<typeof JobAcceptance, 'jobId'>;

export interface CollectionList<Item, Filter = ListFilter> {
  /**
   * Returns one page, which may be empty and still have a `nextPageToken`. Records have the contract's type but are not
   * validated: a service may omit or add members, and non-record items are kept as received. Use them only for display.
   */
  list(
    options?: Filter &
      SignalOption &
      Pick<RequestOptions, 'onWait'> & { readonly pageSize?: number; readonly pageToken?: PageToken },
  ): Promise<Page<Item>>;
  /** Yields every item, page by page; waits while results are prepared. */
  listAll(options?: Filter & PageOptions): AsyncGenerator<Item, void, undefined>;
}

export interface RecordGet<Item> {
  /**
   * Returns a record for display, not validated, as in `list`.
   * @throws NotFoundError if no record has the given ID.
   */
  get(globalId: string, options?: SentOptions): Promise<Item>;
}

export interface WaitOptions extends SignalOption {
  /** Polling interval in milliseconds. Default: 500. */
  readonly pollMs?: number;
}

/** Every method throws ApiError, ContractError or UserAbort (errors.ts). All IDs are global IDs. */
export interface ServiceResources {
  readonly accounts: CollectionList<Account> & {
    /** Prevents sign-in; the account and its assignments remain. */
    disable(id: string, options?: SentOptions): Promise<AcceptedJob>;
  };
  readonly roles: CollectionList<Role> & RecordGet<Role>;
  readonly accountRoles: CollectionList<AccountRole> & RecordGet<AccountRole>;
  readonly authenticators: CollectionList<Authenticator>;
  readonly authenticatorEnrollments: CollectionList<AuthenticatorEnrollment> &
    RecordGet<AuthenticatorEnrollment>;
  readonly activities: CollectionList<Activity, ActivityFilter> & RecordGet<Activity>;
  readonly accessAssignments: CollectionList<EntityAssignedAccessToObject>;
  readonly personIsEmployee: CollectionList<PersonIsEmployee>;
  /** Each item is a string that describes a link. */
  readonly enrollmentViaAuthenticator: CollectionList<string>;
  readonly assignedApplications: {
    removeAccount(id: string, accountId: string, options?: SentOptions): Promise<AcceptedJob>;
    removeGroup(id: string, groupId: string, options?: SentOptions): Promise<AcceptedJob>;
  };
  readonly groups: {
    addMember(groupId: string, accountId: string, options?: SentOptions): Promise<AcceptedJob>;
    removeMember(groupId: string, accountId: string, options?: SentOptions): Promise<AcceptedJob>;
  };
  readonly jobs: {
    get(jobId: string, options?: SignalOption): Promise<ActionJob>;
    /** Returns the job as received, with any members: its record is not specified. */
    read(jobId: string, options?: SignalOption): Promise<JsonValue>;
    /** Polls until the job has ended, even if the service's data does not show the change yet. */
    wait(jobId: string, options?: WaitOptions): Promise<ActionJob>;
  };
  readonly downloads: {
    create(request: DownloadCreate, options?: SentOptions): Promise<KnownDownload>;
    get(id: string, options?: SentOptions): Promise<KnownDownload>;
    /** Polls until the export completes or fails. */
    wait(id: string, options?: WaitOptions): Promise<KnownDownload>;
    /** Streams the bytes of a completed export, without sending a token, since the link needs none. */
    read(url: string, options?: SignalOption): AsyncGenerator<Uint8Array, void, undefined>;
    /** Like `read`, but includes the file's metadata; `offset` requests the rest of the file. */
    open(url: string, options?: FileOptions): Promise<OpenedFile>;
  };
}

const defaultPollMs = 500;

export function createResources(
  requester: Requester,
  openFile: (url: URL, options: FileOptions) => Promise<OpenedFile>,
  baseUrl: string,
): ServiceResources {
  async function ask<Schema extends TSchema>(
    endpoint: Endpoint,
    schema: Schema,
    request: RequestOptions,
  ): Promise<Static<Schema>> {
    const { value, context } = await requester.send(endpoint, request);
    return decode(schema, value, context);
  }

  function listOf<Item, Filter extends object = ListFilter>(
    endpoint: Endpoint,
    schema: TSchema,
  ): CollectionList<Item, Filter> {
    const others = endpoint.source === 'specification' ? undefined : new OtherPages();
    const lost = new LostPages();
    const read = async (request: RequestOptions, pageToken: PageToken | undefined): Promise<Page<Item>> => {
      const { pageSize = limits.pageSizeMax, ...filter } = request.query ?? {};
      // Records are displayed whatever they contain, so member types are not guaranteed.
      const readItem = (item: JsonValue) => decodeRecord(schema, item) as Item;
      return await lost.read({ walk: [filter], pageToken, signal: request.signal }, async (ask) => {
        const send = (part: RequestOptions['query']) =>
          ask({
            ask: () => requester.send(endpoint, { ...request, query: { ...filter, ...part } }),
            contentOf: listContentOf,
          });
        if (others !== undefined)
          return await others.page({ pageSize: Number(pageSize), pageToken }, send, readItem);
        const { value, context } = await send({
          pageSize,
          ...(pageToken === undefined ? {} : { pageToken: pageTokenText(pageToken) }),
        });
        return decodePage(value, readItem, context);
      });
    };
    const list: CollectionList<Item, Filter>['list'] = (
      { signal, onWait, pageToken, ...query } = {} as NonNullable<
        Parameters<CollectionList<Item, Filter>['list']>[0]
      >, // every member is optional
    ) => read({ query: query as RequestOptions['query'] & object, signal, onWait }, pageToken); // the remaining members are filters
    return {
      list,
      listAll(options = {} as Filter & PageOptions) {
        // every member is optional
        const {
          signal,
          pageSize,
          onWaiting,
          emptyPageDelayMs,
          emptyPagesMax,
          pagesMax,
          onLeftOut,
          onPart,
          ...filter
        } = options;
        const page: Parameters<typeof pages<Item>>[0] = (more) =>
          read(
            { query: { ...filter, pageSize: more.pageSize ?? limits.pageSizeMax }, signal: more.signal },
            more.pageToken,
          );
        return pages(page, options);
      },
    };
  }

  function getOf<Item>(endpoint: Endpoint, schema: TSchema): RecordGet<Item>['get'] {
    return async (id, options = {}) => {
      const { value, context } = await requester.send(endpoint, { path: { id }, ...sent(options) });
      if (!isRecord(value)) throw shapeError(context, 'the top is not an object');
      return decodeRecord(schema, value) as Item; // for display only, as in `list`
    };
  }

  const change = async (endpoint: Endpoint, path: Record<string, string>, options: SentOptions = {}) =>
    decodeNeeded(JobAcceptance, ['jobId'], await requester.send(endpoint, { path, ...sent(options) }));

  const getJob = (jobId: string, { signal }: SignalOption = {}): Promise<ActionJob> =>
    ask(endpoints.getActionJob, ActionJob, { path: { jobId }, signal });
  const downloadOf = (answer: ParsedAnswer): KnownDownload => {
    const { status, ...download } = decodeNeeded(DownloadRequest, ['id', 'status'], answer);
    return { ...download, status: status.toLowerCase() };
  };
  const getDownload = async (id: string, options: SentOptions = {}) =>
    downloadOf(await requester.send(endpoints.getDownload, { path: { id }, ...sent(options) }));

  return {
    accounts: {
      ...listOf(endpoints.listAccounts, Account),
      disable: (id, options) => change(endpoints.disableAccount, { id }, options),
    },
    roles: { ...listOf(endpoints.listRoles, Role), get: getOf(endpoints.getRole, Role) },
    accountRoles: {
      ...listOf(endpoints.listAccountRoles, AccountRole),
      get: getOf(endpoints.getAccountRole, AccountRole),
    },
    authenticators: listOf(endpoints.listAuthenticators, Authenticator),
    authenticatorEnrollments: {
      ...listOf(endpoints.listAuthenticatorEnrollments, AuthenticatorEnrollment),
      get: getOf(endpoints.getAuthenticatorEnrollment, AuthenticatorEnrollment),
    },
    activities: {
      ...listOf(endpoints.listActivities, Activity),
      get: getOf(endpoints.getActivity, Activity),
    },
    accessAssignments: listOf(endpoints.listEntityAssignedAccessToObject, EntityAssignedAccessToObject),
    personIsEmployee: listOf(endpoints.listPersonIsEmployee, PersonIsEmployee),
    enrollmentViaAuthenticator: listOf(endpoints.listEnrollmentViaAuthenticator, Type.String()),
    assignedApplications: {
      removeAccount: (id, accountId, options) =>
        change(endpoints.removeAssignedAccount, { id, accountId }, options),
      removeGroup: (id, groupId, options) => change(endpoints.removeAssignedGroup, { id, groupId }, options),
    },
    groups: {
      addMember: (groupId, accountId, options) =>
        change(endpoints.addGroupMember, { groupId, accountId }, options),
      removeMember: (groupId, accountId, options) =>
        change(endpoints.removeGroupMember, { groupId, accountId }, options),
    },
    jobs: {
      get: getJob,
      async read(jobId, { signal } = {}) {
        const { value, context } = await requester.send(endpoints.getActionJob, { path: { jobId }, signal });
        if (!isRecord(value) || Object.keys(value).length === 0) throw shapeError(context, 'there is no job');
        return value;
      },
      wait: (jobId, options = {}) =>
        poll(
          () => getJob(jobId, options),
          (job) => job.completedAt !== undefined || job.status === 'completed' || job.status === 'failed',
          options,
        ),
    },
    downloads: {
      create: async (request, options = {}) =>
        downloadOf(
          withAccepted(await requester.send(endpoints.createDownload, { body: request, ...sent(options) })),
        ),
      get: getDownload,
      wait: (id, options = {}) =>
        poll(
          () => getDownload(id, options),
          (download) => download.status === 'completed' || download.status === 'failed',
          options,
        ),
      async *read(url, { signal } = {}) {
        const { bytes } = await openFile(addressOf(url, baseUrl), { signal });
        yield* bytes;
      },
      open: async (url, options = {}) => await openFile(addressOf(url, baseUrl), options),
    },
  };
}

/** A service may answer a request for an export with no more than its ID, or with the address of its record. */
function withAccepted(answer: ParsedAnswer): ParsedAnswer {
  const { value, headers } = answer;
  if (value !== null && !isRecord(value)) return answer;
  const { id, status, ...others } = value ?? {};
  if (saysError(Object.entries(others))) return answer;
  const address = headers.location?.split(/[?#]/)[0] ?? '';
  const inAddress = /\/downloads\/([^/]+)\/?$/.exec(address)?.[1];
  const idInAddress = inAddress === undefined ? null : decoded(inAddress);
  return {
    ...answer,
    value: { ...others, id: id ?? idInAddress, status: status ?? 'accepted' },
  };
}

/** Picks the request's options, since callers may pass others too. */
function sent({ signal, throwsRateLimit }: SentOptions): SentOptions {
  return { signal, throwsRateLimit };
}

/**
 * Parses the address in an export's link. Only where the connection itself may use plain HTTP, a link to another machine
 * may.
 * @throws ContractError that omits the address, since a link is a credential.
 */
function addressOf(link: string, baseUrl: string): URL {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const base = new URL(baseUrl);
  const mayBePlain = base.protocol === 'http:' && !isLoopback(base.hostname);
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && (mayBePlain || isLoopback(url.hostname))) return url;
  if (url?.protocol === 'http:')
    throw new ContractError(
      'The link of the export is http://, which would send the file unencrypted, so it was not opened. Ask the operator of the service for links with https://.',
      { status: 200 },
    );
  throw new ContractError(
    'The link of the export is not a web address. Look the export up again; if this repeats, contact the operator of the service.',
    { status: 200 },
  );
}

/** @throws UserAbort */
async function poll<Value>(
  look: () => Promise<Value>,
  isOver: (value: Value) => boolean,
  { pollMs = defaultPollMs, signal }: WaitOptions,
): Promise<Value> {
  for (;;) {
    const value = await look();
    if (isOver(value)) return value;
    await pause(pollMs, signal);
  }
}
