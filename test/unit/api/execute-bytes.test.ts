/** Pages parsed from bytes: the result does not depend on the chunks, and errors match those of full parsing. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { DecodeContext } from '#api/client/answers/shape.ts';
import { createClient } from '#api/client/client.ts';
import { AuthError, ContractError, ServerFaultError, TransportError } from '#api/client/errors.ts';
import { parseJson } from '#api/client/json.ts';
import { decodeQueryPage, type QueryPage } from '#api/client/query-page.ts';
import { BodyMemory } from '#api/client/requests/body-memory.ts';
import { failure, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';
import { plainPages } from '#test/helpers/json-documents.ts';

const request = { query_string: 'SELECT 1' };
const memory = new BodyMemory();
const asText = { memory, read: (bytes: Uint8Array) => ({ text: new TextDecoder().decode(bytes) }) };
const parsed = { memory, read: () => undefined };

/** Creates a client whose service responds to every query with these chunks. */
function clientOf(pieces: () => readonly Uint8Array<ArrayBuffer>[]) {
  const fetch = (url: string | URL | Request) => {
    const isToken = (url instanceof Request ? url.url : url.toString()).endsWith('/token');
    const token = Buffer.from('{"access_token":"t","token_type":"Bearer","expires_in":3600}');
    const body = new ReadableStream({
      start(controller) {
        for (const piece of isToken ? [token] : pieces()) controller.enqueue(new Uint8Array(piece));
        controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  };
  const origin = 'https://service.example';
  return createClient({
    baseUrl: origin,
    authUrl: `${origin}/token`,
    clientId: 'c',
    clientSecret: 's',
    fetch,
  });
}

function decodedPage(text: string, context: DecodeContext): QueryPage | undefined {
  try {
    return decodeQueryPage(parseJson(text), context);
  } catch (error) {
    if (error instanceof ContractError) return undefined;
    throw error;
  }
}

suite('execute by bytes', () => {
  test('splitting a page at any position gives the same result', async () => {
    const pages = fc.tuple(plainPages, fc.array(fc.nat(), { maxLength: 8 }));
    let pieces: Uint8Array<ArrayBuffer>[] = [];
    const client = clientOf(() => pieces);
    await fc.assert(
      fc.asyncProperty(pages, async ([text, cuts]) => {
        const context = { status: 200, requestId: undefined, request: '' };
        const decoded = decodedPage(text, context);
        // Random lists can look like columns, so that there are no rows to compare.
        fc.pre(decoded !== undefined);
        const bytes = new Uint8Array(Buffer.from(text));
        const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
        pieces = [0, ...places].map((from, index) => bytes.slice(from, places[index] ?? bytes.length));
        assert.deepEqual(await client.queries.executeBytes(request, asText), { text });
        const page = await client.queries.executeBytes(request, parsed);
        const { others: _, ...whole } = decoded;
        const { isPerhapsPartial: __, ...read } = page as QueryPage; // nothing tells how these results end
        assert.deepEqual(read, whole);
      }),
    );
    await client.close();
  });

  test('concurrent responses have separate memory', async () => {
    await withService(
      ({ body }, response) => response.end(JSON.stringify(body).repeat(500)),
      async (client) => {
        const texts = ['one', 'two', 'three'].map(async (query_string) => {
          const page = await client.queries.executeBytes({ query_string }, asText);
          assert.ok('text' in page);
          return page.text;
        });
        for (const [index, text] of (await Promise.all(texts)).entries()) {
          const query_string = ['one', 'two', 'three'][index] ?? '';
          assert.equal(text, text.slice(0, text.length / 500).repeat(500));
          assert.ok(text.includes(query_string), query_string);
        }
      },
    );
  });

  test('an answer that is not UTF-8 is not read, since its values would change without a word', async () => {
    const latin1 = Buffer.from('{"items":[{"globalId":"M\u00fcller"}],"rows":[["M\u00fcller"]]}', 'latin1');
    await withService(
      (_, response) => response.end(latin1),
      async (client) => {
        for (const read of [client.accounts.list(), client.queries.executeBytes(request, parsed)])
          assert.match((await failure(read)).message, /not UTF-8.*in another encoding/);
      },
    );
  });

  test('a compressed page is decompressed', async () => {
    const text = '{"rows":[[1]]}';
    await withService(
      (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(text)),
      async (client) => assert.deepEqual(await client.queries.executeBytes(request, asText), { text }),
    );
  });

  test('errors match those of full parsing', async () => {
    const answers = [
      [401, { error: { code: 'UNAUTHORIZED', message: 'no' } }],
      [500, { error: { code: 'INTERNAL', message: 'broken' } }],
      [200, '<html>a site</html>'],
      [200, { columns: [] }],
    ] as const;
    for (const [status, body] of answers) {
      await withService(
        (_, response) =>
          typeof body === 'string'
            ? response.writeHead(status, { 'content-type': 'text/html' }).end(body)
            : sendJson(response, status, body),
        async (client) => {
          const expected = await failure(client.queries.execute(request));
          const read = await failure(client.queries.executeBytes(request, parsed));
          assert.ok([AuthError, ServerFaultError, ContractError].some((kind) => read instanceof kind));
          assert.equal(read.constructor, expected.constructor);
          assert.equal(read.message, expected.message);
        },
        { retry: { attempts: 1 } },
      );
    }
  });

  test('a response that is too large or incomplete is rejected', async () => {
    await withService(
      (_, response) => response.end('x'.repeat(5_000)),
      async (client) => {
        const error = await failure(client.queries.executeBytes(request, asText));
        assert.ok(error instanceof TransportError && error.reason === 'too-large');
      },
      { maxBodyBytes: 4_000 },
    );
    await withService(
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"rows":[[1]');
        setImmediate(() => response.destroy());
      },
      async (client) => {
        const error = await failure(client.queries.executeBytes(request, asText));
        assert.ok(error instanceof TransportError, error.message);
      },
      { retry: { attempts: 1 } },
    );
  });
});
