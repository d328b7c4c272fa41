import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseFormatStyle } from '#server/handlers/format-style.ts';
import { complete } from '#server/language/editing/completion.ts';
import { hasSameTokens } from '#server/language/editing/format-guard.ts';
import { formatText } from '#server/language/editing/format-text.ts';
import { hoverAt } from '#server/language/editing/hover.ts';
import { inlayNotes } from '#server/language/editing/inlay-hints.ts';
import { joinConditions } from '#server/language/editing/join-conditions.ts';
import type { PrintStyle } from '#server/language/editing/layout/layout.ts';
import { rename } from '#server/language/editing/rename.ts';
import { semanticTokens } from '#server/language/editing/semantic-tokens.ts';
import { signatureAt } from '#server/language/editing/signature-help.ts';
import { foldsOf, selectionsAt, structureOf } from '#server/language/editing/structure.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';

const columns = (list: string) => list.split(' ').map((name) => ({ name, type: 'text' }));
const catalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [
        { name: 'persons', columns: columns('id name') },
        { name: 'accounts', columns: columns('id person_id system_id') },
        { name: 'grants', columns: columns('account_id system_id') },
      ],
    },
  ],
};
const context = { catalogue, model: 'platform_identity' };
const signatures = { names: context, catalogue: loadTypeCatalogue };
const typed = {
  models: [
    {
      name: 'm',
      tables: [
        {
          name: 'accounts',
          columns: [
            { name: 'born', type: 'timestamp with time zone' },
            { name: 'amount', type: 'numeric' },
          ],
        },
      ],
    },
  ],
};

describe('the outline of a text', () => {
  it('contains statements, common table expressions and columns', () => {
    const nodes = structureOf(
      lex('WITH a AS (SELECT 1 AS x) SELECT a.x, count(*) n FROM a, persons p; DELETE FROM t'),
    );
    assert.deepEqual(
      nodes.map(({ name, children }) => [name, children.map((child) => `${child.kind} ${child.name}`)]),
      [
        ['WITH a, persons', ['common-table a', 'column x', 'column n']],
        ['DELETE', []],
      ],
    );
    for (const { range, nameRange } of nodes) {
      assert.ok(range.start <= nameRange.start && nameRange.end <= range.end);
    }
  });

  it('names each table and common table expression once, without aliases', () => {
    const names = (text: string): readonly string[] => structureOf(lex(text)).map(({ name }) => name);
    assert.deepEqual(
      names('WITH admins AS (SELECT 1 AS x) SELECT d.x FROM admins d JOIN account_roles r ON TRUE'),
      ['WITH admins, account_roles'],
    );
    assert.deepEqual(names('SELECT 1 FROM accounts a JOIN accounts b ON TRUE, roles'), [
      'SELECT accounts, roles',
    ]);
    assert.deepEqual(names('SELECT 1 FROM (SELECT * FROM accounts) s, generate_series(1, 2) n'), [
      'SELECT accounts, generate_series',
    ]);
    assert.deepEqual(names('SELECT 1 FROM (VALUES (1)) v(x)'), ['SELECT']);
  });

  it('is empty while the text has conflict markers', () => {
    const text = 'SELECT a\n<<<<<<< mine\nFROM b\n=======\nFROM c\n>>>>>>> theirs';
    assert.deepEqual(structureOf(lex(text)), []);
    assert.equal(structureOf(lex(`/*${text}*/ SELECT 1`)).length, 1);
  });

  it('folds parentheses, statements and comments', () => {
    const text = '-- a\n-- b\nSELECT (\n1\n)';
    assert.deepEqual(
      foldsOf(lex(text)).map(({ start, end, kind }) => [text.slice(start, end), kind]),
      [
        ['SELECT (\n1\n)', 'region'],
        ['(\n1', 'region'],
        ['-- a\n-- b', 'comment'],
      ],
    );
  });

  it('expands a selection from the word to the text', () => {
    const text = 'SELECT a, lower(b) FROM t; SELECT 2';
    const selections = selectionsAt(lex(text), text.indexOf('b)'));
    assert.deepEqual(
      selections.map(({ start, end }) => text.slice(start, end)),
      ['b', '(b)', 'lower(b)', 'SELECT a, lower(b)', 'SELECT a, lower(b) FROM t', text],
    );
  });

  const smallest: readonly (readonly [string, string, string])[] = [
    ['SELECT w.|key FROM w', 'key', 'w.key'],
    ['SELECT w|.key FROM w', 'w', 'w.key'],
    ['SELECT m.w.|"a b" FROM w', '"a b"', 'm.w."a b"'],
    ['SELECT 1 WHERE a=|:b', ':b', 'WHERE a=:b'],
    ["SELECT 'x'|||'y'", "'x'", "'x'||'y'"],
    ['SELECT a |+ b', '+', 'a + b'],
    ['SELECT lower|(b)', 'lower', 'lower(b)'],
  ];
  for (const [marked, first, second] of smallest) {
    it(`starts at the name or the value: ${marked}`, () => {
      const at = marked.indexOf('|');
      const text = marked.slice(0, at) + marked.slice(at + 1);
      const [inner, next] = selectionsAt(lex(text), at);
      assert.equal(text.slice(inner?.start, inner?.end), first);
      assert.equal(text.slice(next?.start, next?.end), second);
    });
  }
});

describe('semantic tokens', () => {
  it('classify each name', () => {
    const text = 'WITH w AS (SELECT p.id AS k FROM m.persons p) SELECT lower(w.k), :a FROM w';
    assert.deepEqual(
      semanticTokens(lex(text), context).map(
        ({ start, end, type, isDeclaration }) =>
          `${text.slice(start, end)} ${type}${isDeclaration ? ' !' : ''}`,
      ),
      [
        'w class !',
        'p variable',
        'id property',
        'k property !',
        'm namespace',
        'persons class',
        'p variable !',
        'lower function',
        'w class',
        'k property',
        ':a parameter',
        'w class',
      ],
    );
  });
});

describe('colors of names', () => {
  const shown = (text: string): string =>
    semanticTokens(lex(text), context)
      .map(({ start, end, type }) => `${text.slice(start, end)} ${type}`)
      .join(', ');
  it('are those of a table for its aliases', () => {
    assert.equal(
      shown('SELECT a.id FROM persons p, platform_identity.accounts AS a'),
      'a variable, id property, persons class, p variable, platform_identity namespace, accounts class, a variable',
    );
  });
  it('leave keywords to the grammar', () => {
    const text =
      'SELECT id, sum(id) FILTER (WHERE true) OVER (PARTITION BY id ORDER BY id NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM persons ORDER BY id DESC NULLS LAST';
    assert.equal(
      shown(text),
      'id property, sum function, id property, id property, id property, persons class, id property',
    );
    assert.equal(
      shown('SELECT nulls, over.x FROM persons over'),
      'nulls property, over variable, x property, persons class, over variable',
    );
  });
});

describe('signature help', () => {
  const cases: readonly (readonly [string, string | undefined, number?])[] = [
    ['SELECT split_part(|', 'split_part', 0],
    ["SELECT split_part('a', |", 'split_part', 1],
    ["SELECT split_part('a,b', lower(x), |1)", 'split_part', 2],
    ["SELECT split_part('a', lower(|", 'lower', 0],
    ["SELECT concat_ws('a', 1, 2, 3|)", 'concat_ws', 1],
    ['SELECT split_part(a)|', undefined],
    ['SELECT make_interval(days => |5)', 'make_interval', 3],
    ['SELECT make_interval(1, mins := |', 'make_interval', 5],
    ['SELECT make_interval(years => 1, hours => 2, |', 'make_interval', 1],
    ['SELECT nothing_known(|', undefined],
    ['SELECT a[|', undefined],
    ['SELECT lower(a; SELECT |', undefined],
  ];
  for (const [marked, name, active] of cases) {
    it(JSON.stringify(marked), () => {
      const found = signatureAt(lex(marked.replace('|', '')), marked.indexOf('|'), signatures);
      assert.equal(found?.signatures[0]?.label.split('(')[0], name);
      assert.equal(found?.activeParameter, active);
    });
  }

  it('marks the overload that matches the given arguments', () => {
    const marked = [
      ['SELECT length(|', 'length(text) → integer'],
      ["SELECT date_trunc('day', a.born|", 'date_trunc('],
      ['SELECT abs(a.amount|', 'abs('],
      ['SELECT max(a.born|', 'max('],
      ['SELECT generate_series(1, 2, |', 'generate_series('],
      ['SELECT round(a.amount, |', 'round(numeric, integer)'],
    ] as const;
    for (const [text, label] of marked) {
      const whole = `${text} FROM accounts a`;
      const found = signatureAt(lex(whole.replace('|', '')), whole.indexOf('|'), {
        ...signatures,
        names: { model: 'm', catalogue: typed },
      });
      const active = found?.signatures[found.active];
      assert.ok(active !== undefined);
      assert.ok(active.label.startsWith(label), `${text}: ${active.label}`);
      const place = active.parameters[found?.activeParameter ?? 0];
      if (text.includes('born')) {
        assert.match(active.label.slice(place?.start, place?.end), /timestamp|date/, active.label);
      }
    }
  });

  it('marks the parameters in its label', () => {
    const [found] = signatureAt(lex('SELECT split_part('), 18, signatures)?.signatures ?? [];
    assert.deepEqual(
      found?.parameters.map(({ start, end }) => found.label.slice(start, end)),
      ['text', 'text', 'integer'],
    );
  });
});

describe('inlay hints', () => {
  const notes = (text: string, parameterTypes: boolean, columnCount: boolean): string[] =>
    inlayNotes(lex(text), context, {
      settings: { parameterTypes, columnCount },
      from: 0,
      to: text.length,
      inferType: (start, name) => (name === 'c' ? `of ${start}` : undefined),
    }).map(({ offset, label }) => `${offset}${label}`);
  it('show parameter types and the number of columns, if enabled', () => {
    assert.deepEqual(notes('-- @param a date\nSELECT :a, :b', true, true), ['26: date']);
    assert.deepEqual(notes('-- @param c date\nSELECT :c', true, true), ['26: date']);
    assert.deepEqual(notes('SELECT 1; SELECT :c', true, true), ['19: of 10']);
    assert.deepEqual(notes('SELECT * FROM persons, accounts', true, true), ['85 columns']);
    assert.deepEqual(notes('SELECT p.* FROM persons p, unknown u', true, true), ['102 columns']);
    assert.deepEqual(notes('SELECT * FROM unknown', true, true), []);
    assert.deepEqual(notes('SELECT * FROM accounts JOIN grants USING (system_id)', true, true), []);
    assert.deepEqual(notes('-- @param a date\nSELECT :a, count(*), p.* FROM persons p', false, false), []);
  });
});

describe('join conditions', () => {
  it('are derived from matching key names', () => {
    const [persons, accounts, grants] = catalogue.models[0]?.tables ?? [];
    assert.ok(persons && accounts && grants);
    const side = (alias: string, table: typeof persons) => ({ alias, table, model: 'hr' });
    const write = (list: ReturnType<typeof joinConditions>): string[] =>
      list.map(({ left, right }) => `${left.alias}.${left.column} = ${right.alias}.${right.column}`);
    assert.deepEqual(write(joinConditions(side('a', accounts), [side('p', persons)])), [
      'p.id = a.person_id',
    ]);
    assert.deepEqual(write(joinConditions(side('g', grants), [side('p', persons), side('a', accounts)])), [
      'a.id = g.account_id',
      'a.system_id = g.system_id',
    ]);
  });

  it('prefer declared relations to equal names, and never join two own IDs', () => {
    const refersTo = (column: string, rank: number) => [{ table: 'persons', column, rank }];
    const persons = {
      name: 'persons',
      columns: [
        { name: 'global_id', type: 'text', isOwnId: true },
        { name: 'id', type: 'text', isOwnId: true },
        { name: 'unit_id', type: 'text' },
      ],
    };
    const access = {
      name: 'access',
      columns: [
        { name: 'global_id', type: 'text', isOwnId: true },
        { name: 'entity', type: 'text', refersTo: refersTo('id', 2) },
        { name: 'global_entity', type: 'text', refersTo: refersTo('global_id', 1) },
        { name: 'others', type: 'text[]', refersTo: refersTo('global_id', 3) },
        { name: 'unit_id', type: 'text' },
      ],
    };
    const models = [{ name: 'platform_identity', tables: [persons, access] }];
    const offers = (text: string): string[] =>
      complete(lex(text), text.length, { catalogue: { models }, model: 'platform_identity' })
        .suggestions.filter(({ kind }) => kind === 'condition')
        .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
        .map(({ insertText }) => insertText);
    assert.deepEqual(offers('SELECT * FROM persons p JOIN access x ON '), [
      'p.global_id = x.global_entity',
      'p.id = x.entity',
      'p.global_id = ANY (x.others)',
      'p.unit_id = x.unit_id',
    ]);
    assert.deepEqual(offers('SELECT * FROM access x JOIN persons p ON ').slice(0, 3), [
      'x.global_entity = p.global_id',
      'x.entity = p.id',
      'p.global_id = ANY (x.others)',
    ]);
  });

  it('follow a reference to a table of another model, and to no other of its name', () => {
    const id = { name: 'id', type: 'int', isOwnId: true };
    const toPeople = [{ model: 'hr', table: 'people', column: 'id', rank: 0 }];
    const people = { name: 'people', columns: [id, { name: 'of', type: 'int' }] };
    const salaries = { name: 'salaries', columns: [{ name: 'whose', type: 'int', refersTo: toPeople }] };
    const models = [
      { name: 'pay', tables: [salaries, people] },
      { name: 'hr', tables: [people] },
    ];
    const offers = (text: string): string[] =>
      complete(lex(text), text.length, { catalogue: { models }, model: 'pay' })
        .suggestions.filter(({ kind }) => kind === 'condition')
        .map(({ insertText }) => insertText);
    assert.deepEqual(offers('SELECT * FROM salaries s JOIN hr.people p ON '), ['s.whose = p.id']);
    assert.deepEqual(offers('SELECT * FROM hr.people p JOIN salaries s ON '), ['p.id = s.whose']);
    assert.deepEqual(offers('SELECT * FROM salaries s JOIN people p ON '), []);
    assert.deepEqual(offers('SELECT * FROM salaries s JOIN '), ['hr.people ON s.whose = people.id']);
  });

  it('begin with the table joined last, and end with guesses', () => {
    const tables = [
      { name: 'accounts', columns: columns('id email unit_key') },
      { name: 'account_tokens', columns: columns('id account_id authenticator_id unit_key') },
      {
        name: 'authenticators',
        columns: [
          ...columns('id unit_key account_id'),
          {
            name: 'steward_email',
            type: 'text',
            refersTo: [{ table: 'accounts', column: 'email', rank: 1 }],
          },
        ],
      },
    ];
    const offers = (text: string): string[] =>
      complete(lex(text), text.length, {
        catalogue: { models: [{ name: 'platform_identity', tables }] },
        model: 'platform_identity',
      })
        .suggestions.filter(({ kind }) => kind === 'condition')
        .map(({ insertText }) => insertText);
    const from = 'SELECT * FROM accounts a JOIN account_tokens v ON a.id = v.account_id';
    assert.deepEqual(offers(`${from} JOIN authenticators t ON `), [
      'v.authenticator_id = t.id',
      'a.email = t.steward_email',
      'a.id = t.account_id',
      'v.account_id = t.account_id',
      'v.unit_key = t.unit_key',
      'a.unit_key = t.unit_key',
    ]);
    assert.deepEqual(offers(`${from} LEFT JOIN `), [
      'accounts ON v.account_id = accounts.id',
      'authenticators ON v.authenticator_id = authenticators.id',
      'account_tokens ON a.id = account_tokens.account_id',
    ]);
    for (const text of [`${from} CROSS JOIN `, `${from} NATURAL LEFT JOIN `])
      assert.deepEqual(offers(text), []);
    assert.deepEqual(offers('SELECT * FROM accounts JOIN '), [
      'account_tokens ON accounts.id = account_tokens.account_id',
      'authenticators ON accounts.email = authenticators.steward_email',
    ]);
  });

  it('are offered first after ON', () => {
    const text = 'SELECT * FROM persons p JOIN accounts a ON ';
    const { suggestions } = complete(lex(text), text.length, context);
    assert.equal(suggestions[0]?.label, 'p.id = a.person_id');
    const broken = 'SELECT a. FROM persons p JOIN accounts a ON  WHERE p.id = 1';
    const inside = complete(lex(broken), broken.indexOf(' WHERE'), context);
    assert.equal(inside.suggestions[0]?.label, 'p.id = a.person_id');
  });
});

describe('hover on names in the query', () => {
  it('shows how a column is computed, and the columns of a common table expression', () => {
    const text = 'WITH w AS (SELECT count(*) AS n FROM persons) SELECT w.n FROM w';
    assert.deepEqual(hoverAt(lex(text), text.indexOf('w.n') + 2, context), {
      start: 55,
      end: 56,
      title: '(column) n',
      description: 'count(*) AS n',
      untyped: 'column',
    });
    assert.equal(hoverAt(lex(text), text.indexOf('w.n'), context)?.title, '(common table) w(n)');
    assert.equal(hoverAt(lex(text), text.indexOf('w AS'), context)?.title, '(common table) w(n)');
  });
});

describe('formatting', () => {
  const usual = { indent: '  ', lineEnd: '\n', keywordCase: 'preserve', width: 50 } as const;
  const formatted = (text: string, style: Partial<PrintStyle> = {}): string =>
    formatText(lex(text), { ...usual, ...style }, lex).text;

  for (const [text, part] of [
    ["select 'a'\n  'b', c from t", "'a'\n  'b',"],
    ["select N'x', 0o17, 1_000, U&'d!0061' uescape '!' from t", '0o17,'],
    ["select json_object('id': :id, 'b' : c, d : e) from t", "json_object('id': :id, 'b': c, d : e)"],
    ['select a[lo : hi], a[:lo : :hi], a[1:2] from t', 'a[:lo : :hi],\n  a[1:2]'],
    ['select a <-> b, c @@ d, e ?| f, g && h, i <<| j, k #- l from t', 'a <-> b'],
    ['select $1, $q$ a  b $q$ from t', '$q$ a  b $q$'],
    ['select age (x), left (y, 1), f(a , b) from t', 'age(x),\n  left(y, 1),\n  f(a, b)'],
    ['select a in(1), b = any(c), exists(select 1) from t', 'a in (1),\n  b = any (c),\n  exists (\n'],
    [
      'select -a, - 1, a - -1, - -b, a*-c, count( * ) from t',
      '-a,\n  -1,\n  a - -1,\n  - -b,\n  a * -c,\n  count(*)',
    ],
    [
      'select sum(a) over (order by b rows between 1 preceding and current row) from t',
      'rows between 1 preceding and current row',
    ],
    ['select 1 from rows from (f(1), g(2)) as t(a, b)', 'from\n  rows from (f(1), g(2)) as t(a, b)'],
    ['select rows from (select 1 as rows) t', 'select\n  rows\nfrom\n  ('],
    ['select :größe, :a', ':größe,\n  :a'],
    ['select 1 group by 1,2,3', 'group by\n  1, 2, 3'],
    [
      'select 1 from t where a in (100001,100002,100003,100004,100005,100006,100007,100008,100009,100010,100011)',
      '\n    100001, 100002, ',
    ],
    ['select 1 from t where a between 1 and 2 and b or c', 'a between 1 and 2\n  and b\n  or c'],
    [
      'select a.*, (b).c, x::int[], array[1,2], (array[1])[1] from t',
      'a.*,\n  (b).c,\n  x::int[],\n  array[1, 2],\n  (array[1])[1]',
    ],
    [
      'select a is distinct from b, extract(year from c) from t',
      'a is distinct from b,\n  extract(year from c)\nfrom\n  t',
    ],
    ['select 1 -- one\n, 2 /* two */ from t', '1 -- one\n  , 2 /* two */\n'],
    ['select 1; -- one\nselect 2', ';\n\n'.slice(0, 1) + ' -- one\n'],
    ['-- @param a date\n\n-- what for\nselect :a', '-- @param a date\n\n-- what for\n'],
  ] as const) {
    it(`lays out ${text}, twice alike`, () => {
      const once = formatted(text);
      assert.ok(once.includes(part), once);
      assert.equal(formatted(once), once);
    });
  }

  it('keeps the line ends of the text, and those inside strings', () => {
    assert.equal(formatted("select\r\n'a\nb'", { lineEnd: '\r\n' }), "select\r\n  'a\nb'");
  });

  it('formats each statement that it can, and says what it could not', () => {
    const text = "select 1,2;select (3;select 'x";
    const { text: after, refused } = formatText(lex(text), usual, lex);
    assert.equal(after, "select\n  1,\n  2;select (3;select 'x");
    assert.deepEqual(refused, { token: '(', start: 18 });
    assert.deepEqual(formatText(lex('select 1)'), usual, lex).refused, { token: ')', start: 8 });
  });

  it('changes the case of key words on request, but not of names, labels and quoted text', () => {
    const text =
      'Select "From", a.Value, \'Select\', case when x then 1 end As Total, b As End From t -- From here\nwhere b=$1';
    for (const [keywordCase, expected] of [
      ['upper', ['SELECT', '"From"', "'Select'", 'CASE', 'Total', 'AS End', 'FROM', '-- From here', 'WHERE']],
      ['lower', ['select', '"From"', "'Select'", 'case', 'Total', 'as End', 'from', '-- From here', 'where']],
    ] as const) {
      const result = formatted(text, { keywordCase });
      for (const part of expected) assert.ok(result.includes(part), `${part} in ${result}`);
    }
  });

  it('keeps bracketed content on one line up to the width', () => {
    const text = 'select coalesce(first_name, second_name, third_name, fourth_name) from t';
    assert.equal(formatted(text, { width: 120 }).split('\n').length, 4);
    assert.ok(formatted(text, { width: 20 }).split('\n').length > 4);
    assert.deepEqual(
      [undefined, { keywordCase: 'SHOUT', width: 'wide' }, { keywordCase: 'upper', width: 1e9 }].map(
        (value) => parseFormatStyle(value),
      ),
      [
        { keywordCase: 'preserve', width: 50 },
        { keywordCase: 'preserve', width: 50 },
        { keywordCase: 'upper', width: 400 },
      ],
    );
  });

  it('accepts only white space changes, and of letters only those of plain words', () => {
    const isSame = (a: string, b: string, changesCase = false): boolean =>
      hasSameTokens(lex(a), lex(b), changesCase);
    assert.ok(isSame('select 1,2', 'select\n  1,\n  2'));
    for (const [a, b] of [
      ['select 1,2', 'SELECT\n  1,\n  2'],
      ['select 1', 'select 1, 2'],
      ["select 'a  b'", "select 'a b'"],
      ['select :a', 'select : a'],
      ['select a -- x\nfrom t', 'select a -- x from t'],
    ] as const) {
      assert.ok(!isSame(a, b), b);
    }
    assert.ok(isSame('select a', 'SELECT a', true));
    for (const [a, b] of [
      ['select 1', 'SELECT 2'],
      ['select "a"', 'select "A"'],
      ["select 'a'", "select 'A'"],
      ['select \u0131', 'select I'],
    ] as const) {
      assert.ok(!isSame(a, b, true), b);
    }
  });
});

describe('editing features on any text', () => {
  it('never throw', () => {
    const words =
      'select,from,with,as,(,),a,b,.,*,join,on,using,union,order,by,group,lateral,:p,::,[,],1,;,","'.split(
        ',',
      );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words, ','), { maxLength: 40 }), fc.nat(80), (parts, at) => {
        const lexed = lex(parts.join(' '));
        const offset = Math.min(at, lexed.text.length);
        structureOf(lexed);
        foldsOf(lexed);
        selectionsAt(lexed, offset);
        semanticTokens(lexed, context);
        signatureAt(lexed, offset, signatures);
        inlayNotes(lexed, context, {
          settings: { parameterTypes: true, columnCount: true },
          from: 0,
          to: lexed.text.length,
          inferType: () => undefined,
        });
        rename(lexed, offset, 'x', context);
        hoverAt(lexed, offset, context);
        complete(lexed, offset, context);
      }),
      { numRuns: 1_000 },
    );
  });
});
