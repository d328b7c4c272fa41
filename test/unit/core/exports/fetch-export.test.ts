/** Downloading exports from servers with any valid HTTP behavior: the result is the complete file or an error. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fetchExport } from '#core/exports/fetch-export.ts';
import { failure, withService } from '#test/helpers/client-service.ts';
import { sendJson, type SeenRequest } from '#test/helpers/http.ts';

const whole = Buffer.from(Array.from({ length: 3_000 }, (_, row) => `${row},name ${row}\n`).join(''));

type FileAnswer = (response: ServerResponse, from: number, request: SeenRequest) => void;

/** Downloads an export, and returns the received bytes, including restarts, and the requested offsets. */
async function fetched(answer: FileAnswer, options: { readonly fetch?: typeof fetch } = {}) {
  const asked: number[] = [];
  const chunks: Uint8Array[] = [];
  let error: unknown;
  let url = '';
  await withService(
    (request, response) => {
      if (request.path !== '/file') {
        sendJson(response, 200, { id: 'e', status: 'completed', url: `${url}/file` });
        return;
      }
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      asked.push(from);
      answer(response, from, request);
    },
    async (client, _, address) => {
      url = address;
      try {
        const pieces = fetchExport(client, 'e', {
          signal: new AbortController().signal,
          wait: () => Promise.resolve(),
        });
        for await (const piece of pieces) {
          if (piece === 'restart') chunks.length = 0;
          else chunks.push(piece);
        }
      } catch (thrown) {
        error = thrown;
      }
    },
    options,
  );
  return { bytes: Buffer.concat(chunks), asked, error };
}

/** Responds with part of the file, of arbitrary length. */
function part(response: ServerResponse, from: number, length: number, total: number | '*' = whole.length) {
  const piece = whole.subarray(from, from + length);
  response
    .writeHead(206, { 'content-range': `bytes ${from}-${from + piece.length - 1}/${total}`, etag: '"a"' })
    .end(piece);
}

const carriers = { 'connections of its own': {}, "the editor's fetch": { fetch } };
for (const [name, carrier] of Object.entries(carriers)) {
  suite(`an export by ${name}`, () => {
    test('that is interrupted, and then arrives in shorter parts than requested', async () => {
      const { bytes, error, asked } = await fetched((response, from) => {
        if (from > 0) part(response, from, 11_000);
        else {
          response.writeHead(200, { 'content-length': whole.length, etag: '"a"' });
          response.write(whole.subarray(0, 5_000), () => response.destroy());
        }
      }, carrier);
      assert.equal(error, undefined);
      assert.ok(bytes.equals(whole));
      assert.deepEqual(asked.slice(0, 3), [0, 5_000, 16_000]);
    });

    test('whose parts have no length, so that only the server marks the end', async () => {
      const { bytes, error } = await fetched((response, from) => {
        if (from < whole.length) part(response, from, 20_000, '*');
        else response.writeHead(416, { 'content-range': `bytes */${whole.length}` }).end();
      }, carrier);
      assert.equal(error, undefined);
      assert.ok(bytes.equals(whole));
    });

    test('whose server never sends the rest is not complete', async () => {
      const { error } = await fetched((response, from) => {
        if (from === 0) part(response, 0, 100);
        else response.destroy();
      }, carrier);
      assert.ok(error instanceof Error);
    });

    for (const [coding, compress] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const) {
      test(`that arrives as ${coding} without being requested`, async () => {
        const { bytes, error } = await fetched((response, _, request) => {
          assert.equal(request.headers['accept-encoding'], 'identity');
          response.writeHead(200, { 'content-encoding': coding }).end(compress(whole));
        }, carrier);
        assert.equal(error, undefined);
        assert.ok(bytes.equals(whole));
      });
    }

    for (const page of [
      '<!DOCTYPE html><p>Sign in',
      '\n<html>expired',
      '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
      '<Error>x</Error>',
    ]) {
      test(`a web page instead of the file: ${page.trim().slice(0, 12)}`, async () => {
        const { bytes, error } = await fetched(
          (response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(page),
          carrier,
        );
        assert.ok(error instanceof Error);
        assert.match(error.message, /instead of the file/);
        assert.equal(bytes.length, 0);
      });
    }
  });
}

test('a compressed file is not resumed in the middle', async () => {
  const packed = gzipSync(whole);
  let cuts = 0;
  const { bytes, error } = await fetched((response, from) => {
    const head = { 'content-encoding': 'gzip', etag: '"a"' };
    if (from > 0) {
      response.writeHead(206, {
        ...head,
        'content-range': `bytes ${from}-${packed.length}/${packed.length}`,
      });
      response.end(packed.subarray(from));
    } else if (cuts++ === 0) {
      response.writeHead(200, { ...head, 'content-length': packed.length });
      response.write(packed.subarray(0, 6_000), () => response.destroy());
    } else response.writeHead(200, head).end(packed);
  });
  assert.equal(error, undefined);
  assert.ok(bytes.equals(whole));
});

suite('responses from the service', () => {
  for (const [coding, compress] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const) {
    test(`compressed as ${coding} are read, up to the limit of their content`, async () => {
      const body = JSON.stringify({ models: [{ name: 'm' }], pad: 'x'.repeat(100_000) });
      await withService(
        (_, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
            .end(compress(body)),
        async ({ models }) => {
          assert.equal((await models.list())[0]?.name, 'm');
        },
      );
      await withService(
        (_, response) => response.writeHead(200, { 'content-encoding': coding }).end(compress(body)),
        async ({ models }) => {
          assert.match((await failure(models.list())).message, /more than/);
        },
        { maxBodyBytes: 50_000 },
      );
    });
  }
});
