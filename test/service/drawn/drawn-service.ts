/** A legal service, drawn from the space that the specification leaves open. Shares no code with the client. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Asked, Reply } from '../exchange.ts';
import { Digits } from '../json.ts';
import { collections, idOf, Records, type Collection, type Row } from '../records.ts';
import { SwitchBoard } from '../switches.ts';
import { Absent, absentReply, envelope, jsonReply, Refused } from './answers.ts';
import { bodyOf, Execute } from './execute.ts';
import { SavedList, type Saved } from './saved.ts';
import type { Service } from './space.ts';
import { clientId, clientSecret, TokenDesk } from './tokens.ts';
import { Walks } from './walks.ts';
import { Exports, Jobs } from './work.ts';

export interface AskedOnce {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** A running service, and what it knows: the truth that a client must tell. */
export interface RunningDrawn {
  readonly service: Service;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly models: readonly string[];
  readonly saved: SavedList;
  readonly jobs: Jobs;
  /** The ID of an export that somebody asked for elsewhere. */
  readonly exportId: string;
  records(collection: Collection): readonly Row[];
  readonly links: readonly string[];
  readonly requests: readonly AskedOnce[];
  stop(): Promise<void>;
}

/** Number of accounts: more than a page of a list or of a result. */
export const accountCount = 23;
const withGet: readonly string[] = ['roles', 'account-roles', 'activities', 'authenticator-enrollments'];
const promised: readonly string[] = ['account-roles', 'authenticator-enrollments'];

/** @param spoil makes an answer illegal, after the service has made a legal one. */
export async function startDrawn(
  service: Service,
  spoil: (asked: Asked, reply: Reply) => Reply | 'half' = (_asked, reply) => reply,
): Promise<RunningDrawn> {
  let address = '';
  const aheadMs = service.clock === 'ahead' ? 600_000 : 0;
  const modelNames = ['platform_identity', 'platform_governance', 'platform_more'];
  const models = modelNames.slice(0, { one: 1, two: 2, three: 3, 'one-bad': 2 }[service.models]);
  const records = new Records(new SwitchBoard(), accountCount);
  const walks = new Walks(service);
  const saved = new SavedList(service);
  const tokens = new TokenDesk(service, () => address);
  const execute = new Execute(service, records, models);
  const jobs = new Jobs(service);
  const exports = new Exports(service, () => address);
  const exportId = idOf('an export of somebody else');
  exports.put(exportId, 'employees');
  const log: AskedOnce[] = [];
  const onceDone = new Set<string>();
  const isFirst = (what: string) => !onceDone.has(what) && onceDone.add(what).has(what);

  const list = (collection: Collection) =>
    records.list(collection).map((row) => shown(row as Row, service, collection)); // no odd records are switched on

  const routes = (asked: Asked): Reply | 'lost' => {
    const { method, path, query } = asked;
    const parts = path.split('/').slice(1);
    const [root, first = '', second = '', third = '', fourth = ''] = parts;
    const id = decodeURIComponent(second);
    const need = (scope: 'read' | 'write') => tokens.require(asked, scope);
    const requireThere = (way: 'there' | 'absent') => {
      if (way === 'absent') throw new Absent();
    };
    if (method === 'POST' && path === '/oauth/token') return tokens.give(asked);
    if (root === 'files' && method === 'GET') return exports.file(first, second === 'moved');
    if (root !== 'v1') throw new Absent();
    if (first === 'query' && second === 'saved-queries') {
      const queryId = decodeURIComponent(third);
      if (third === '' && method === 'GET') {
        requireThere(service.savedList);
        need('read');
        return walks.other(saved.listed(), asked);
      }
      if (third === '' && method === 'POST') {
        need('write');
        const made = saved.create(bodyOf(asked));
        if (service.lostCreate === 'once' && isFirst('create')) return lostReply(service);
        return jsonReply(Number(service.created), saved.told(made));
      }
      if (fourth === 'versions' && method === 'GET') {
        if (service.versionLists === 'absent') throw new Absent();
        need('read');
        if (service.versionLists === 'taken-for-id') saved.find(`${queryId}/versions`);
        const versions = saved.versionsOf(queryId).map((version) => {
          const { query_string, ...rest } = saved.told(version) as Saved; // told keeps every member
          return service.versionLists === 'without-texts' ? rest : { ...rest, query_string };
        });
        return walks.other(versions, asked);
      }
      if (fourth !== '') throw new Absent();
      if (third !== '' && method === 'GET') {
        need('read');
        return jsonReply(200, saved.told(saved.find(queryId)));
      }
      if (third !== '' && method === 'DELETE') {
        if (service.deletes === 'absent') throw new Absent();
        need('write');
        saved.find(queryId);
        if (service.deletes === 'denied') return jsonReply(200, { success: false, message: 'It is in use.' });
        if (service.deletes !== 'accepted-in-vain') saved.delete(queryId);
        if (service.deletes === 'told') return jsonReply(200, { deleted: true, status: 'deleted' });
        if (service.deletes !== 'there') return jsonReply(202, { status: 'accepted' });
        return { status: 204, headers: {}, bytes: Buffer.alloc(0) };
      }
      if (third !== '' && (method === 'PUT' || method === 'PATCH')) {
        if (service.updates === 'absent') throw new Absent();
        if (service.updates !== method.toLowerCase())
          return envelope({
            status: 405,
            code: 'METHOD_NOT_ALLOWED',
            message: 'Not this method.',
            headers: { allow: `GET, ${service.updates.toUpperCase()}` },
          });
        need('write');
        const { query_id, version } = saved.update(queryId, bodyOf(asked));
        if (service.updated === 'without-body') return { status: 204, headers: {}, bytes: Buffer.alloc(0) };
        return jsonReply(
          200,
          service.updated === 'record' ? saved.told(saved.find(queryId)) : { query_id, version },
        );
      }
      throw new Absent();
    }
    if (first === 'query' && second === 'execute' && method === 'POST') {
      if (service.execute === 'absent') throw new Absent();
      need('read');
      const answer = execute.answer(asked);
      return service.execute === 'asynchronous'
        ? jsonReply(202, { query_id: idOf('a run'), status: 'RUNNING' })
        : answer;
    }
    if (first === 'schema' && second === 'models') {
      need('read');
      const told = models.map((name) => ({ name, description: `About ${name}` }));
      return jsonReply(200, { models: service.models === 'one-bad' ? [{ name: null }, ...told] : told });
    }
    if (first === 'accounts' && third === 'disable' && method === 'POST') {
      need('write');
      if (records.find('accounts', id) === undefined)
        throw new Refused({ status: 404, code: 'NOT_FOUND', message: 'No account has this id.' });
      records.change('accounts', id, { enabled: false });
      return jobs.accept(id);
    }
    if (first === 'action-jobs') {
      requireThere(service.jobs);
      need('read');
      return jobs.look(id);
    }
    if (first === 'downloads' && second === '' && method === 'POST') {
      requireThere(service.createExports);
      need('read');
      return exports.create(bodyOf(asked));
    }
    if (first === 'downloads' && second !== '' && method === 'GET') {
      need('read');
      return exports.look(id);
    }
    if (first === 'enrollment-via-authenticator' && method === 'GET') {
      need('read');
      return walks.listed(records.links(), query);
    }
    const collection = collections.find((name) => name === first);
    if (collection !== undefined && method === 'GET' && second === '') {
      if (promised.includes(collection)) requireThere(service.otherLists);
      need('read');
      const rows = list(collection);
      if (promised.includes(collection)) return walks.other(rows, asked);
      return walks.listed(collection === 'activities' ? inWindow(rows, query) : rows, query);
    }
    if (collection !== undefined && method === 'GET' && withGet.includes(collection)) {
      need('read');
      const found = records.find(collection, id);
      if (found === undefined)
        throw new Refused({ status: 404, code: 'NOT_FOUND', message: 'No record has this id.' });
      return jsonReply(200, shown(found, service, collection));
    }
    throw new Absent();
  };

  /** The answer of a write that was carried out may not arrive. */
  const carriedOut = (asked: Asked): Reply | 'lost' => {
    const reply = routes(asked);
    const isDone = reply !== 'lost' && reply.status < 300;
    const isLost = isDone && service.lostWrite === writeOf(asked) && isFirst(`lost ${service.lostWrite}`);
    return isLost ? lostReply(service) : reply;
  };

  /** One disturbance for each kind of request, which a client gets over. */
  const disturbance = ({ method, path }: Asked): Reply | undefined => {
    if (!path.startsWith('/v1/')) return undefined;
    const what = path.split('/')[2] ?? '';
    if (service.limits === '503-seconds' && isFirst(`limit ${what}`))
      return { status: 503, headers: { 'retry-after': '15' }, bytes: Buffer.alloc(0) };
    if (service.limits !== 'none' && service.limits !== '503-seconds' && isFirst(`limit ${what}`)) {
      const date = new Date(Date.now() + aheadMs + 1_000).toUTCString();
      const wait = { seconds: '1', date, untold: undefined, none: undefined }[service.limits];
      return envelope({
        status: 429,
        code: 'TOO_MANY_REQUESTS',
        message: 'Too many requests.',
        ...(wait === undefined ? {} : { headers: { 'retry-after': wait } }),
      });
    }
    if (service.hiccup !== 'none' && method === 'GET' && isFirst(`hiccup ${what}`))
      return { status: Number(service.hiccup), headers: {}, bytes: Buffer.alloc(0) };
    return undefined;
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const url = new URL(incoming.url ?? '/', 'http://service');
    const { method = 'GET', headers } = incoming;
    const body = (await buffer(incoming)).toString();
    const asked: Asked = { method, path: url.pathname, query: url.searchParams, headers, body };
    const reply = disturbance(asked) ?? answered(() => carriedOut(asked), service);
    log.push({ method, path: url.pathname, status: reply === 'lost' ? 0 : reply.status });
    if (reply === 'lost') {
      outgoing.destroy();
      return;
    }
    const spoiled = spoil(asked, reply);
    if (spoiled === 'half') {
      outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': reply.bytes.length });
      outgoing.write(reply.bytes.subarray(0, reply.bytes.length / 2), () => outgoing.destroy());
      return;
    }
    const date = new Date(Date.now() + aheadMs).toUTCString();
    const { status, headers: told, bytes } = spoiled;
    const { 'content-type': type, ...others } = told;
    const typed = type === undefined ? undefined : typeOf(type, service);
    outgoing.writeHead(status, {
      ...others,
      ...(typed === undefined ? {} : { 'content-type': typed }),
      date,
      'content-length': bytes.length,
    });
    outgoing.end(bytes);
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // the server listens on TCP
  return {
    service,
    baseUrl: address,
    authUrl: `${address}/oauth/token`,
    clientId,
    clientSecret,
    models,
    saved,
    jobs,
    exportId,
    records: (collection) => list(collection),
    links: records.links(),
    requests: log,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function lostReply({ lostAs }: Service): Reply | 'lost' {
  return lostAs === 'nothing' ? 'lost' : { status: Number(lostAs), headers: {}, bytes: Buffer.alloc(0) };
}

function writeOf({ method, path }: Asked): Service['lostWrite'] | undefined {
  if (path.startsWith('/v1/query/saved-queries/')) {
    if (method === 'PUT' || method === 'PATCH') return 'update';
    if (method === 'DELETE') return 'delete';
  }
  return method === 'POST' && path.endsWith('/disable') ? 'change' : undefined;
}

function typeOf(type: string, { contentType }: Service): string | undefined {
  if (type !== 'application/json') return type;
  return {
    json: type,
    'with-charset': 'application/json; charset=UTF-8',
    vendor: 'application/vnd.service.v1+json',
    absent: undefined,
  }[contentType];
}

function answered(answer: () => Reply | 'lost', service: Service): Reply | 'lost' {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Absent) return absentReply(service);
    if (error instanceof Refused) return envelope(error.problem);
    return envelope({ status: 500, code: 'INTERNAL_ERROR', message: 'Unexpected.' });
  }
}

/** Only the members that the specification demands, or as rich as another service could be. */
function shown(row: Row, { records, words, numbers }: Service, collection: Collection): Row {
  const { platformObjectMetadata, ...bare } = row;
  const base: Row =
    records === 'ids-only'
      ? { globalId: row['globalId'], ...(collection === 'activities' ? { timestamp: row['timestamp'] } : {}) }
      : records === 'sparse'
        ? bare
        : records === 'nulls'
          ? { ...row, sourceTag: null, title: null }
          : records === 'unknown-members'
            ? { ...row, futureMember: { a: [1, null] }, 'odd name': true }
            : row;
  return {
    ...base,
    ...(words === 'unknown' && records !== 'ids-only' ? { type: 'SomethingNew' } : {}),
    ...(numbers !== 'numbers' && collection === 'roles'
      ? { analyticsMemberCount: numbers === 'texts' ? '12' : new Digits('12.0') }
      : {}),
  };
}

function inWindow(rows: readonly Row[], query: URLSearchParams): readonly Row[] {
  const dayMs = 86_400_000;
  const now = Date.now() + 600_000;
  const to = query.get('to') === null ? now : Date.parse(query.get('to') ?? '');
  const from = query.get('from') === null ? to - 30 * dayMs : Date.parse(query.get('from') ?? '');
  if (Number.isNaN(from) || Number.isNaN(to) || to - from > 31 * dayMs)
    throw new Refused({ status: 400, code: 'BAD_REQUEST', message: 'The window spans at most 31 days.' });
  return rows.filter((row) => {
    const time = Date.parse(String(row['timestamp']));
    return Number.isNaN(time) || (time >= from && time < to);
  });
}
