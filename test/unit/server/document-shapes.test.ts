/**
 * Whatever shape a document has, the work that it causes has a limit: in parsed characters, in requests, in findings.
 * So nothing keeps the server from the request of another document for long. Documents up to the largest size, with the
 * longest wait of another request: `npm run fuzz -- documents`.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import type { SqlParser } from '#server/language/checks/parser.ts';
import { shownFindings } from '#server/language/checks/shown-findings.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { randomFrom } from '#test/helpers/agent-queries.ts';
import { makeDocument } from '#test/helpers/document-shapes.ts';

const parser = new ServerParser();
after(() => parser.dispose());

describe('a document of any shape', () => {
  it('causes work in proportion to its length, and a limited number of findings', async () => {
    const random = randomFrom(20_261_128);
    const most = { characters: 0, requests: 0 };
    for (let nth = 0; nth < 150; nth++) {
      const text = makeDocument(random, 5_000);
      const work = { characters: 0, requests: 0 };
      const counted = <Result>(texts: readonly string[], result: Result): Result => {
        work.requests += 1;
        for (const each of texts) work.characters += each.length;
        return result;
      };
      const counting: SqlParser = {
        parse: (texts, ...rest) => counted(texts, parser.parse(texts, ...rest)),
        readNames: (texts, ...rest) => counted(texts, parser.readNames(texts, ...rest)),
        readTypes: (requests, ...rest) =>
          counted(
            requests.map((request) => request.text),
            parser.readTypes(requests, ...rest),
          ),
      };
      const analysis = await new Analyser(counting).analyse(text, { isSavedQuery: false });
      const findings = analysis?.findings ?? [];
      assert.ok(findings.length <= 10_001);
      for (const list of Map.groupBy(shownFindings(findings), ({ code }) => code).values())
        assert.ok(list.length <= 100);
      most.characters = Math.max(most.characters, work.characters / text.length);
      most.requests = Math.max(most.requests, work.requests);
    }
    assert.ok(most.characters < 20 && most.requests < 20, JSON.stringify(most));
  });

  it('lets the request of another document pass while it is parsed', async () => {
    const large = `SELECT ${'a=a AND '.repeat(10_000)}`;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holding: SqlParser = {
      parse: async (texts, ...rest) => {
        if (texts.some((each) => each.length > 4_096)) await held;
        return await parser.parse(texts, ...rest);
      },
      readNames: (...all) => parser.readNames(...all),
    };
    const analyser = new Analyser(holding);
    const order: string[] = [];
    const waiting = analyser.analyse(large, { isSavedQuery: false }).then(() => order.push('large'));
    const same = analyser.analyse(large, { isSavedQuery: false }).then(() => order.push('large'));
    await analyser.analyse('SELECT 1', { isSavedQuery: false }).then(() => order.push('small'));
    release();
    await Promise.all([waiting, same]);
    assert.deepEqual(order, ['small', 'large', 'large']);
  });

  it('lets others have a turn between its statements', async () => {
    const turns: (() => void)[] = [];
    const analyser = new Analyser(
      parser,
      undefined,
      undefined,
      () => new Promise((resolve) => void turns.push(resolve)),
    );
    const state = { isOver: false };
    const analysis = analyser
      .analyse('SELECT a.b FROM a; '.repeat(50), { isSavedQuery: false })
      .finally(() => (state.isOver = true));
    let count = 0;
    for (; !state.isOver; count++) {
      turns.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await analysis)?.statements.length, 50);
    assert.ok(count > 100, `${count} turns`);
  });

  it('is parsed for another caller, if the first one no longer wants it', async () => {
    let isFirst = true;
    const cancelling: SqlParser = {
      parse: async (texts, isCancelled) => {
        if (!isFirst) return await parser.parse(texts, isCancelled);
        isFirst = false;
        await new Promise((resolve) => setImmediate(resolve));
        return undefined;
      },
      readNames: (...all) => parser.readNames(...all),
    };
    const analyser = new Analyser(cancelling);
    const [first, second] = await Promise.all([
      analyser.analyse('SELECT 1', { isSavedQuery: false }),
      analyser.analyse('SELECT 1', { isSavedQuery: false }),
    ]);
    assert.equal(first, undefined);
    assert.equal(second?.statements[0]?.verdict, 'read-only');
  });
});
