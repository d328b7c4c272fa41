/** Random JSON as other programs might write it, with any whitespace, escapes and number formats. */
import fc from 'fast-check';

/** JSON numbers, as text. */
const numbers = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1.10', '1E5', '-2e-7', '9007199254740993', '0.1', '1e400', '-5'),
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.tuple(fc.integer(), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}`),
);

const characters = fc.oneof(
  fc.constantFrom('=', '+', '-', '@', ';', ',', '"', "'", '\\', '/', '\t', '\r', '\n', ' ', '|', '!', '('),
  fc.constantFrom(
    '\u00a0',
    '\uff1d',
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\u0000',
    '\ud800',
    '\udc00',
    'ä',
    '漢',
    '🙂',
  ),
  fc.string({ maxLength: 3 }),
  fc.string({ maxLength: 3, unit: 'grapheme' }),
);

/** Strings with special meaning in the export formats. */
const texts = fc.oneof(
  fc.constantFrom('', 'NULL', 'true', '0', '=1+1', 'a;=1', '-', "'=x", 'x'.repeat(127), 'y'.repeat(300)),
  fc.array(characters, { maxLength: 6 }).map((parts) => parts.join('')),
);

/** Escapes random characters, and all characters that JSON requires to be escaped. */
const strings = fc.tuple(texts, fc.infiniteStream(fc.nat(9))).map(([text, chances]) => {
  const parts = Array.from({ length: text.length }, (_, at) => {
    const unit = text.charCodeAt(at);
    const isLone = !text.slice(at - 1 < 0 ? 0 : at - 1, at + 2).isWellFormed();
    const must = unit < 0x20 || unit === 0x22 || unit === 0x5c || isLone;
    const isPair = unit >= 0xd800 && unit <= 0xdfff;
    const may = !isPair && chances.next().value === 0;
    return must || may ? `\\u${unit.toString(16).padStart(4, '0')}` : (text[at] ?? '');
  });
  return `"${parts.join('').toWellFormed()}"`;
});

const spaces = fc.constantFrom('', '', '', ' ', '\n', '\r\n\t ');

function listed(open: string, close: string, items: fc.Arbitrary<string>, maxLength: number) {
  return fc
    .tuple(fc.array(items, { maxLength }), spaces)
    .map(([parts, space]) => `${open}${space}${parts.join(`${space},${space}`)}${space}${close}`);
}

const scalars = fc.oneof(fc.constantFrom('null', 'true', 'false'), numbers, strings);

const nested: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    listed('[', ']', tie('value'), 3),
    listed(
      '{',
      '}',
      fc.tuple(strings, tie('value')).map(([name, value]) => `${name}:${value}`),
      3,
    ),
  ),
})).value;

/** Cell values. */
const cells = fc.oneof({ arbitrary: scalars, weight: 8 }, { arbitrary: nested, weight: 1 });

const rows = listed('[', ']', listed('[', ']', cells, 4), 6);

const types = fc.constantFrom('int8', 'text', 'jsonb', 'numeric', 'timestamptz', 'text[]', 'unknown');

const columns = fc.oneof(
  fc
    .array(fc.tuple(strings, types), { maxLength: 5 })
    .map((all) => `[${all.map(([name, type]) => `{"name":${name},"type":"${type}"}`).join(',')}]`),
  fc.constantFrom('null', '["a","b"]', '[{}]', '[{"name":1,"type":2},"x"]'),
);

const others = fc.oneof(
  fc.tuple(strings, nested).map(([name, value]) => `${name}:${value}`),
  fc.constantFrom(
    '"nextPageToken":"t"',
    '"nextPageToken":12345678901234567890',
    '"rowCount":7',
    '"rowCount":"7"',
  ),
);

/** A page that fits the contract, with members in any order and additional unknown members. */
export const plainPages: fc.Arbitrary<string> = fc
  .tuple(
    rows,
    columns,
    fc.array(others, { maxLength: 3 }),
    fc.constantFrom('rows', 'items', 'data'),
    spaces,
    fc.nat(),
  )
  .map(([list, named, more, name, space, turn]) => {
    const members = [`"${name}":${space}${list}`, `"columns"${space}:${named}`, ...more];
    const first = turn % members.length;
    const turned = [...members.slice(first), ...members.slice(0, first)];
    return `${space}{${space}${turned.join(`${space},${space}`)}${space}}${space}`;
  });

/** A page with a part removed, duplicated or replaced, so mostly invalid JSON or an invalid shape. */
export const brokenPages: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc
  .tuple(
    plainPages,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ',', '"', '[', ']', '}', '{}', '01', '-', 'nul', '\\', '\u0001'),
  )
  .map(([text, place, size, put]) => {
    const bytes = Buffer.from(text);
    const at = place % (bytes.length + 1);
    return new Uint8Array(
      Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + size)]),
    );
  });
