/**
 * Whatever shape a document has, the request of another document is answered before it: nothing above 4 KB is parsed in
 * the server's thread, and what is found has a limit. More shapes, up to the largest document, with the longest wait
 * that was measured: `npm run fuzz -- documents`.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { randomFrom } from '#test/helpers/agent-queries.ts';
import { makeDocument } from '#test/helpers/document-shapes.ts';

const parser = new ServerParser();
after(() => parser.dispose());

describe('a document', () => {
  it('of any shape lets the request of another document pass', async () => {
    const analyser = new Analyser(parser);
    const analyse = (text: string) => analyser.analyse(text, { isSavedQuery: false });
    await analyse('SELECT 1');
    await analyse(`SELECT ${'1, '.repeat(2_000)}1`); // both threads have started
    const random = randomFrom(20_261_128);
    let overtaken = 0;
    for (let nth = 0; nth < 500; nth++) {
      const order: string[] = [];
      const large = analyse(makeDocument(random, 6_000)).then((analysis) => {
        order.push('large');
        assert.ok((analysis?.findings.length ?? 0) <= 10_001);
      });
      // Has text of its own, since equal ones share an answer.
      const small = analyse(`SELECT ${nth} AS n`).then(() => order.push('small'));
      await Promise.all([large, small]);
      if (order[0] === 'small') overtaken++;
      else {
        // It did not wait for the large one: that one was answered without a parser, in the same turn.
        assert.equal(order.length, 2);
      }
    }
    assert.ok(overtaken > 250, String(overtaken));
  });
});
