/** Positions of errors are told from 1, however the service counts. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { RejectedError } from '#api/client/errors.ts';
import { failure, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

/** Returns the position of a mistake at line 2, column 5, and the number of queries sent for two such mistakes. */
async function told(lineBase: number, columnBase: number, isLearned = true) {
  let result: object = {};
  await withService(
    (request, response) => {
      const isMine = request.body.includes('FROM');
      const [line, column] = isMine ? [1, 4] : isLearned ? [0, 7] : [5, 5];
      const details = { line: line + lineBase, column: column + columnBase };
      sendJson(response, 400, { code: 'QUERY_PARSE_ERROR', message: 'No.', details });
    },
    async ({ queries }, seen) => {
      const run = async () => await failure(queries.execute({ query_string: 'SELECT 1\nFROM )' }));
      await run();
      const error = await run();
      assert.ok(error instanceof RejectedError);
      const sent = seen().filter(({ path }) => path === '/v1/query/execute').length;
      result = { ...error.position, sent };
    },
  );
  return result;
}

suite('a service that counts', () => {
  for (const [what, line, column] of [
    ['both from 1', 1, 1],
    ['both from 0', 0, 0],
    ['columns from 0', 1, 0],
    ['lines from 0', 0, 1],
  ] as const)
    test(`${what}, asked once`, async () => {
      assert.deepEqual(await told(line, column), { line: 2, column: 5, sent: 3 });
    });
  test('in a way that is not learned is believed', async () => {
    assert.deepEqual(await told(1, 1, false), { line: 2, column: 5, sent: 3 });
  });
});
