/** A query up to the limit, of any shape, is read in a moment: the service has one thread for everybody's requests. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { limits } from '#api/contract/limits.ts';
import { refusedCall } from '#service/own-data/refused-functions.ts';
import { prepareQuery } from '#service/query/prepare.ts';

/** Linear work takes a hundredth of this on a busy machine, and quadratic work many times as long. */
const mostMs = 4_000;

const pieces = [
  ...['+', '-+', '+-', '+/', '-/*', '@-', '+-~', '<', '+ ', '/', '*/', '/*', '/**/', '--\n', '-- '],
  ...[
    "'",
    "''",
    "'a'\n",
    "'\n--\n",
    "E'\\",
    "U&'",
    'U&"',
    '"',
    '""',
    '"a"',
    'U&"a" UESCAPE \'!\'(',
    "UESCAPE'!'(",
  ],
  ...[
    '"U&" UESCAPE \'!\'(',
    '$',
    '$a',
    '$a$',
    '$a$b',
    '$$',
    '1',
    '1e',
    '1_',
    '0x',
    '1.',
    '.',
    ':',
    ':a',
    ':a,',
    ':b,',
  ],
  ...[
    'f(:a,',
    '(:a,',
    'IN(:a,',
    'IN (1,',
    ',1',
    ', ',
    'NOT IN (:a) ',
    '[:',
    '[1:',
    '(',
    ')',
    '[',
    ']',
    '[(',
    'json_object(',
  ],
  ...['a', 'a ', 'é', '🙂', '\n', '\r\n', '\u00a0', 'u&', 'uescape ', 'set_config(', '"set_config"(', ';'],
];

const parameters = { a: [1, 2, 3], b: 'x' };

suite('a query as long as allowed', () => {
  for (const piece of pieces)
    for (const start of ['', 'SELECT 1 IN (', 'SELECT U&"'])
      test(`is read in a moment: ${JSON.stringify(start)} and many ${JSON.stringify(piece)}`, () => {
        const text = (start + piece.repeat(limits.queryStringMax / piece.length)).slice(
          0,
          limits.queryStringMax,
        );
        const before = process.cpuUsage();
        const prepared = prepareQuery(text, parameters);
        refusedCall('sql' in prepared ? prepared.sql.slice(0, 2 * limits.queryStringMax) : text);
        const { user, system } = process.cpuUsage(before);
        assert.ok((user + system) / 1_000 < mostMs, `${(user + system) / 1_000} ms`);
      });

  test('is refused if its lists would make a text that no server takes', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => index);
    const refused = prepareQuery(`SELECT 1 WHERE 1 IN (${':a, '.repeat(20_000)}1)`, { a: list });
    assert.ok('offset' in refused);
    assert.match(refused.message, /more than 65535 values together/);
    const taken = prepareQuery('SELECT 1 WHERE 1 IN (1, :a, :a, :a)', { a: list });
    assert.ok('sql' in taken && taken.values.length === 20_000);
    const alone = prepareQuery('SELECT 1 WHERE 1 IN (:a)', { a: [...list, ...list, ...list, ...list] });
    assert.ok('sql' in alone);
  });
});
