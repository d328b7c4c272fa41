/** Sends plain HTTP to a running sandbox, bypassing the client, to test the wire format itself. */
import type { Endpoint } from '#api/contract/endpoints.ts';
import type { ScopeName } from '#api/contract/token.ts';
import type { RunningSandbox } from './sandbox.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, untyped so that tests can read any member; undefined if there is none. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface WireRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Sent verbatim instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The access token; null sends none. Default: a token with both scopes. */
  readonly token?: string | null;
}

type Service = Pick<RunningSandbox, 'baseUrl' | 'authUrl' | 'clientId' | 'clientSecret'>;

export class ServiceHttp {
  readonly sandbox: Service;
  readonly #tokens = new Map<string, string>();

  constructor(sandbox: Service) {
    this.sandbox = sandbox;
  }

  /** Returns an access token with these scopes, cached for later calls. */
  async token(...scopes: ScopeName[]): Promise<string> {
    const key = scopes.join(' ');
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const answer = await this.tokenRequest({
      grant_type: 'client_credentials',
      scope: scopes.map((scope) => `${this.sandbox.baseUrl}/${scope}`).join(' '),
    });
    const token = String(answer.body.access_token);
    this.#tokens.set(key, token);
    return token;
  }

  /** Requests a token, with Basic authentication unless `headers` override it. */
  async tokenRequest(
    form: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<WireAnswer> {
    const { clientId, clientSecret, authUrl } = this.sandbox;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    return await answerOf(
      fetch(authUrl, {
        method: 'POST',
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(headers ?? { authorization: `Basic ${basic}` }),
        },
      }),
    );
  }

  async call(endpoint: Pick<Endpoint, 'method' | 'path'>, request: WireRequest = {}): Promise<WireAnswer> {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(request.path?.[name] ?? ''),
    );
    const url = new URL(`${this.sandbox.baseUrl}${path}`);
    for (const [name, value] of Object.entries(request.query ?? {}))
      url.searchParams.set(name, String(value));
    const token = request.token === undefined ? await this.token('read', 'write') : request.token;
    const body = request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    return await answerOf(
      fetch(url, {
        method: endpoint.method,
        redirect: 'manual',
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
  }
}

async function answerOf(pending: Promise<Response>): Promise<WireAnswer> {
  const response = await pending;
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}
