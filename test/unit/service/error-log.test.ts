/** What the log of a service tells of a failure: enough to find it, and nothing that was read or sent. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fastify from 'fastify';
import { useErrorEnvelope } from '#service/plugins/errors.ts';

suite('the log of a failure', () => {
  for (const [code, told] of [
    ['42501', /^GET \/:id failed request=\S+ INTERNAL_ERROR Error 42501 +at /],
    ['ENOSPC', / Error ENOSPC +at /],
    ['of the row 7', / INTERNAL_ERROR Error +at /],
  ] as const)
    test(`has its code if that is one, and no message: ${code}`, async () => {
      const lines: string[] = [];
      const server = fastify();
      useErrorEnvelope(server, (line) => lines.push(line));
      server.get('/:id', () => {
        throw Object.assign(new Error('the row (7, Ada)'), { code });
      });
      const answer = await server.inject('/a-name');
      assert.equal(answer.statusCode, 500);
      assert.match(lines.join('\n'), told);
      assert.doesNotMatch(`${lines.join('\n')} ${answer.body}`, /Ada|of the row|a-name/);
    });
});
