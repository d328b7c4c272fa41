import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lex } from '#server/language/text/lexer/lex.ts';
import { TokenKind } from '#server/language/text/lexer/tokens.ts';
import { placeholderCases } from './placeholder-cases.ts';

const names = new Map(Object.entries(TokenKind).map(([name, kind]) => [kind as number, name]));

/** Returns the code tokens as `kind:text`. */
function tokens(text: string): string[] {
  const { code } = lex(text);
  return Array.from({ length: code.length }, (_, i) => `${names.get(code.kind(i)) ?? ''}:${code.textOf(i)}`);
}

const texts = (text: string): string[] => tokens(text).map((token) => token.slice(token.indexOf(':') + 1));
const kinds = (text: string): string[] => tokens(text).map((token) => token.slice(0, token.indexOf(':')));
const placeholders = (text: string): string[] =>
  tokens(text).flatMap((token) =>
    token.startsWith('placeholder:') ? [token.slice('placeholder:'.length)] : [],
  );

/** Strings that must be one token of this kind. */
const single: readonly (readonly [keyof typeof TokenKind, string])[] = [
  ['word', 'accounts'],
  ['word', '_a$1'],
  ['word', 'Straße'],
  ['word', '名前'],
  ['word', 'a\u00A0b'],
  ['quotedName', '"a b"'],
  ['quotedName', '"a""b"'],
  ['quotedName', 'U&"d\\0061t\\+000061"'],
  ['quotedName', 'u&"a""b"'],
  ['quotedName', '"line\nbreak"'],
  ['string', "'it''s'"],
  ['string', "'back\\'"],
  ['string', "E'it\\'s'"],
  ['string', "e'\\\\'"],
  ['string', "E'a''b\\\\'"],
  ['string', "U&'d\\0061'"],
  ['string', "u&'a''b'"],
  ['string', "N'x'"],
  ['string', "B'101'"],
  ['string', "x'1F'"],
  ['string', "'a'\n'b'"],
  ['string', "'a'  \n  \n 'b'"],
  ['string', "'a' -- why\n 'b'"],
  ['string', "'a'\r'b'"],
  ['string', "E'a'\n'\\''"],
  ['string', '$$it\'s "$1" :x$$'],
  ['string', '$tag$ $$ $tg$ $tag$'],
  ['string', '$é$x$é$'],
  ['number', '1'],
  ['number', '1_000'],
  ['number', '0x1F'],
  ['number', '0X_ff'],
  ['number', '0o17'],
  ['number', '0b1010_1010'],
  ['number', '1.5'],
  ['number', '1.'],
  ['number', '.5'],
  ['number', '1.e5'],
  ['number', '1e-5'],
  ['number', '1_0.0_1E+1_0'],
  ['positional', '$12'],
  ['placeholder', ':name'],
  ['placeholder', ':_a1'],
  ['operator', '::'],
  ['operator', ':='],
  ['operator', '=>'],
  ['operator', '<>'],
  ['operator', '->>'],
  ['operator', '@>'],
  ['operator', '?|'],
  ['operator', '!!='],
  ['operator', '@-'],
  ['operator', '|/'],
  ['punctuation', '..'],
  ['punctuation', ':'],
  ['invalid', '{'],
  ['invalid', '\\'],
  ['invalid', '1abc'],
  ['invalid', '1_'],
  ['invalid', '0x'],
  ['invalid', '0b12'],
  ['invalid', '1e'],
  ['invalid', '1e5$'],
  ['invalid', '$1a'],
  ['invalid', "'open"],
  ['invalid', "E'open\\'"],
  ['invalid', '"open'],
  ['invalid', '$$open'],
  ['invalid', '$a$open$b$'],
  ['invalid', '/* /* */'],
  ['invalid', '$'],
  ['invalid', '\0'],
];

describe('lexer: one token', () => {
  for (const [kind, text] of single) {
    it(`${kind} ${JSON.stringify(text)}`, () => {
      assert.deepEqual(tokens(text), [`${kind}:${text}`]);
    });
  }
});

/** Text and its expected tokens. */
const several: readonly (readonly [string, readonly string[]])[] = [
  ['a.b', ['a', '.', 'b']],
  ['1..2', ['1', '..', '2']],
  ['1.5.3', ['1.5', '.3']],
  ['a--b\nc', ['a', 'c']],
  ['a--b\rc', ['a', 'c']],
  ['a/*x*/b', ['a', 'b']],
  ['a/* /* :x */ */b', ['a', 'b']],
  ["'a' 'b'", ["'a'", "'b'"]],
  ["'a'--c", ["'a'"]],
  ["'a' --c\n--d\n 'b'", ["'a' --c\n--d\n 'b'"]],
  ["'a\\' :b '", ["'a\\'", ':b', "'"]],
  ["B'1''0'", ["B'1'", "'0'"]],
  ['a<-1', ['a', '<', '-', '1']],
  ['a<--1', ['a', '<']],
  ['a@-1', ['a', '@-', '1']],
  ['a*-1', ['a', '*', '-', '1']],
  ['a=-+-1', ['a', '=', '-', '+', '-', '1']],
  ['a+/*x*/b', ['a', '+', 'b']],
  ['a/-- x', ['a', '/']],
  ['a::int', ['a', '::', 'int']],
  ['a:::b', ['a', '::', ':b']],
  ['f(a:=:b)', ['f', '(', 'a', ':=', ':b', ')']],
  ['f(a=>:b)', ['f', '(', 'a', '=>', ':b', ')']],
  ['$1$2', ['$1', '$2']],
  ['a$$b', ['a$$b']],
  ['1$$x$$', ['1', '$$x$$']],
  [':a1.b', [':a1', '.', 'b']],
  [':1', [':', '1']],
  [":'x'", [':', "'x'"]],
  ["e 'x'", ['e', "'x'"]],
  ['[1,2];', ['[', '1', ',', '2', ']', ';']],
];

describe('lexer: boundaries', () => {
  for (const [text, expected] of several) {
    it(JSON.stringify(text), () => {
      assert.deepEqual(texts(text), expected);
    });
  }
});

/** Text and its expected placeholders. */
const colons: readonly (readonly [string, readonly string[]])[] = [
  ['x = :a AND y = :b', [':a', ':b']],
  ['x IN (:list)', [':list']],
  ["x = ':a'", []],
  ['x = ":a"', []],
  ['-- :a', []],
  ['/* :a */ :b', [':b']],
  ["E'\\':a' || :b", [':b']],
  ['$$ :a $$', []],
  ["U&'\\:a'", []],
  ["'x'\n':a'", []],
  ['a::text', []],
  ['a[1:2]', []],
  ['a[:i]', [':i']],
  ['a[lo:hi]', []],
  ['a[lo : hi]', []],
  ['a["lo":hi]', []],
  ['a[(lo):hi]', []],
  ['a[b[1]:hi]', []],
  ['a[1:n]', []],
  ['a[:i + :j]', [':i', ':j']],
  ['a[:i:hi]', [':i']],
  ['a[lo + :i]', [':i']],
  ['a[f(:x):hi]', [':x']],
  ['a[CASE WHEN t THEN :x END:hi]', [':x']],
  ['ARRAY[:a, :b]', [':a', ':b']],
  ['ARRAY[a, b] && :c', [':c']],
  ["json_object('a':b)", []],
  ["json_object('a' : b, 'c':d)", []],
  ["json_object('a'::text:b)", []],
  ["json_object('a': :b)", [':b']],
  ['json_object(:k VALUE :v)', [':k', ':v']],
  ['json_object(:k::text VALUE :v)', [':k', ':v']],
  ['json_objectagg(k:v)', []],
  ['JSON_OBJECTAGG(k : :v)', [':v']],
  ['json_object(value:b)', []],
  ['json_build_object(k, :v)', [':v']],
  ['coalesce(x, :y)', [':y']],
  ['interval :a', [':a']],
  [':Straße', [':Stra']],
  ['a\u00A0:b', [':b']],
];

describe('lexer: placeholders', () => {
  for (const [text, expected] of [...colons, ...placeholderCases]) {
    it(JSON.stringify(text), () => {
      assert.deepEqual(placeholders(text), expected);
    });
  }
});

describe('lexer: any text', () => {
  const pieces = fc.constantFrom(
    ..."' '' \" \"\" $ $$ $a$ -- /* */ \n \r \t \\ E' e' U&' U&\" B' X' N' : :: := :a a [ ] ( ) json_object( , ; . .. 1 1. .5 1e5 0x1 _ + - * / < > = ~ ! @ # % ^ & | ` ? { } é 💥 \0 \uD800 \u00A0 select from value".split(
      ' ',
    ),
    ' ',
  );
  const soup = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );

  it('preserves the text in its tokens', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const { all } = lex(text);
        assert.equal(Array.from({ length: all.length }, (_, i) => all.textOf(i)).join(''), text);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds nothing inside quoted text', () => {
    const quoted = fc.oneof(
      soup.map((text) => `'${text.replaceAll("'", "''")}'`),
      soup.map((text) => `"${text.replaceAll('"', '""')}"`),
      soup.map((text) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`),
      soup.filter((text) => !text.includes('$')).map((text) => `$q$${text}$q$`),
    );
    fc.assert(
      fc.property(quoted, (text) => {
        assert.deepEqual(texts(`(${text})`), ['(', text, ')']);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds the token at an offset', () => {
    fc.assert(
      fc.property(soup, fc.nat(200), (text, offset) => {
        const { all } = lex(text);
        const index = all.at(offset);
        assert.ok(
          offset < text.length ? all.start(index) <= offset && offset < all.end(index) : index === all.length,
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('lexer: lists', () => {
  it('keep white space and comments apart from code', () => {
    const { all, code } = lex('a -- b\n c');
    assert.equal(all.length, 5);
    assert.equal(code.length, 2);
  });

  it('accept positions outside the list', () => {
    const { code } = lex('a');
    assert.equal(code.kind(-1), TokenKind.invalid);
    assert.equal(code.textOf(5), '');
    assert.equal(code.word(-1), '');
    assert.equal(code.is(9, ','), false);
  });

  it('contain a nonstandard operator', () => {
    assert.deepEqual(kinds('a ~@- b'), ['word', 'operator', 'word']);
  });
});

describe('an edited text', () => {
  const fragments = [
    ...'SELECT FROM where a a.b :p :: := := json_object( a[1:x] [ ] ( ) , ; . $1 $$ $x$ $x$ 1 1e5 12ab ..'.split(
      ' ',
    ),
    ..."'it''s' ' E'\\\\' U&\"d\" \" \"a b\" -- /* */ + - <> ` é 💥".split(' '),
    "'a'\n'b'",
    '\n',
    '\r',
    '-- x\n',
    '/* y */',
    ' ',
  ];
  const piece = fc.array(fc.constantFrom(...fragments, ...Array<string>(40).fill('word')), { maxLength: 12 });
  const join = (parts: readonly (readonly string[])[]): string =>
    parts.map((part) => part.join(' ')).join('\n');

  it('has the same tokens as a new text, whatever the edit', () => {
    const texts = fc.array(piece, { minLength: 150, maxLength: 300 });
    const edits = fc.array(fc.record({ at: fc.nat(), removed: fc.nat({ max: 40 }), added: piece }), {
      minLength: 1,
      maxLength: 6,
    });
    let reused = 0;
    fc.assert(
      fc.property(texts, edits, (parts, changes) => {
        let previous = lex(join(parts));
        for (const { at, removed, added } of changes) {
          const { text } = previous;
          const start = at % (text.length + 1);
          const edited = text.slice(0, start) + added.join(' ') + text.slice(start + removed);
          const actual = lex(edited, previous);
          const expected = lex(edited);
          for (const list of ['all', 'code'] as const) {
            assert.equal(actual[list].length, expected[list].length);
            for (let index = 0; index < expected[list].length; index++) {
              const same =
                actual[list].kind(index) === expected[list].kind(index) &&
                actual[list].start(index) === expected[list].start(index) &&
                actual[list].end(index) === expected[list].end(index);
              assert.ok(same, `${list} ${index}`);
            }
          }
          assert.deepEqual(actual.problems, expected.problems);
          reused += actual.checkpoints.length;
          previous = actual;
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(reused > 300, `${reused} checkpoints`);
  });
});
