/** The OpenAPI document: valid according to a public validator, complete, and explicit about its assumptions. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { endpoints, type Endpoint } from '#api/contract/endpoints.ts';
import { openApiDocument } from '#api/contract/openapi.ts';
import { startSandbox } from '../helpers/sandbox.ts';

const document = openApiDocument({
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com/token',
});

suite('OpenAPI', () => {
  test('the document is valid', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.equal(valid, true, JSON.stringify(errors));
  });

  test('the document has every endpoint with its scope, and marks additions to the specification', () => {
    const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>; // our own document
    for (const [id, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()];
      assert.equal(operation?.['operationId'], id);
      const scope = `https://api.example.com/${endpoint.scope}`;
      assert.deepEqual(operation['security'], [{ clientCredentials: [scope] }]);
      const assumed = endpoint.source === 'specification' ? undefined : endpoint.source;
      assert.equal(operation['x-assumption'], assumed);
    }
  });

  test('the document lists the errors of each operation, including those with only a code and a message', () => {
    const paths = document['paths'] as Record<string, Record<string, { responses: Record<string, unknown> }>>; // our own document
    const { responses: created } = paths['/v1/query/saved-queries']?.['post'] ?? { responses: {} };
    assert.deepEqual(Object.keys(created), [
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '429',
      '500',
      'default',
    ]);
    assert.match(JSON.stringify(created['429']), /"Retry-After"/);
    const { responses: download } = paths['/v1/downloads/{id}']?.['get'] ?? { responses: {} };
    assert.match(JSON.stringify(download['404']), /"additionalProperties":false/);
    assert.doesNotMatch(JSON.stringify(download['404']), /ErrorEnvelope/);
  });

  test('the running service serves the document with its own addresses', async () => {
    const sandbox = await startSandbox({ accounts: 10 });
    try {
      const served: unknown = await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json();
      assert.deepEqual(served, openApiDocument({ baseUrl: sandbox.baseUrl, authUrl: sandbox.authUrl }));
    } finally {
      await sandbox.stop();
    }
  });
});
