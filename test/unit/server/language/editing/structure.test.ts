import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseFormatStyle } from '#server/formatter/style.ts';
import { formatText } from '#server/formatter/worker-formatter.ts';
import { complete } from '#server/language/editing/completion.ts';
import { plainTokens, withTokensOf, withWhiteSpaceOf } from '#server/language/editing/format-guard.ts';
import { hoverAt } from '#server/language/editing/hover.ts';
import { inlayNotes } from '#server/language/editing/inlay-hints.ts';
import { joinConditions } from '#server/language/editing/join-conditions.ts';
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

describe('formatting guard', () => {
  const guarded = (original: string, formatted: string): string | undefined =>
    withWhiteSpaceOf(original, formatted);
  it('accepts only white space changes', () => {
    assert.equal(guarded('select 1,2', 'select\n  1,\n  2'), 'select\n  1,\n  2');
    assert.equal(guarded('select 1,2', 'SELECT\n  1,\n  2'), undefined);
    assert.equal(guarded('select 1,2', 'select 1'), undefined);
    assert.equal(guarded('select 1', 'select 1, 2'), undefined);
    assert.equal(guarded("select 'a  b'", "select 'a b'"), undefined);
    assert.equal(guarded('select :a', 'select : a'), undefined);
    assert.equal(guarded('select a -- x\nfrom t', 'select a -- x from t'), undefined);
    assert.equal(guarded("select 'a", "select 'a"), undefined);
    assert.equal(guarded('select 1\r\n, 2', 'select\n 1, 2'), 'select\r\n 1, 2');
    assert.equal(guarded('select /*\n    a */ 1', 'select\n/*\n a */\n1'), 'select\n/*\n    a */\n1');
  });

  it("accepts the server's formatter, with comments and placeholders", async () => {
    const text = '-- @param a date\nselect a.b,:a,x::int,$$ y $$ /* c */ from t where a=:a and b[1:2]=$1;';
    const outcome = await formatText({ text, tabWidth: 2, useTabs: false });
    assert.ok(outcome.kind === 'formatted');
    const result = guarded(text, outcome.text);
    assert.ok(result?.startsWith('-- @param a date\nselect\n  a.b,\n  :a,\n'), result);
    assert.deepEqual(await formatText({ text: 'select (1', tabWidth: 2, useTabs: false }), {
      kind: 'unreadable',
    });
  });

  for (const [text, part] of [
    ["select 'a'\n  'b', c from t", "'a'\n  'b',"],
    ["select N'x', 0o17, 1_000, U&'d!0061' uescape '!' from t", '0o17,'],
    ["select json_object('id': :id, 'b' : c) from t", "'id' : :id"],
    ['select a[lo : hi], a[:lo : :hi] from t', ':lo : :hi'],
    ['select a <-> b, c @@ d, e ?| f, g && h, i <<| j, k #- l from t', 'a <-> b'],
    ['select $1, $q$ a  b $q$ from t', '$q$ a  b $q$'],
  ] as const) {
    it(`formats ${text}, twice alike`, async () => {
      const formatOnce = async (own: string): Promise<string> => {
        const outcome = await formatText({ text: plainTokens(own), tabWidth: 2, useTabs: false });
        assert.ok(outcome.kind === 'formatted');
        const spaced = withWhiteSpaceOf(plainTokens(own), outcome.text) ?? assert.fail(outcome.text);
        return withTokensOf(own, spaced) ?? assert.fail(spaced);
      };
      const once = await formatOnce(text);
      assert.ok(once.startsWith('select\n') && once.includes(part), once);
      assert.equal(await formatOnce(once), once);
    });
  }

  it('allows changing the case of keywords on request, but not of names and quoted text', async () => {
    const text =
      'Select "From", a.Value, \'Select\', case when x then 1 end As Total From t -- From here\nwhere b=$1';
    for (const [keywordCase, expected] of [
      ['upper', ['SELECT', '"From"', "'Select'", 'CASE', 'Total', 'FROM', '-- From here', 'WHERE']],
      ['lower', ['select', '"From"', "'Select'", 'case', 'Total', 'from', '-- From here', 'where']],
    ] as const) {
      const outcome = await formatText({
        ...{ text, tabWidth: 2, useTabs: false, style: { keywordCase, width: 50 } },
      });
      assert.ok(outcome.kind === 'formatted');
      assert.equal(guarded(text, outcome.text), undefined, 'only where it is asked for');
      const result = withWhiteSpaceOf(text, outcome.text, { changesCase: true }) ?? assert.fail(outcome.text);
      for (const part of expected) assert.ok(result.includes(part), `${part} in ${result}`);
    }
    const allowed = { changesCase: true };
    assert.equal(withWhiteSpaceOf('select 1', 'SELECT 2', allowed), undefined);
    assert.equal(withWhiteSpaceOf('select "a"', 'select "A"', allowed), undefined);
    assert.equal(withWhiteSpaceOf("select 'a'", "select 'A'", allowed), undefined);
    assert.equal(withWhiteSpaceOf('select \u0131', 'select I', allowed), undefined);
  });

  it('keeps bracketed content on one line up to the width', async () => {
    const text = 'select coalesce(first_name, second_name, third_name, fourth_name) from t';
    const lines = async (width: number) => {
      const outcome = await formatText({
        ...{ text, tabWidth: 2, useTabs: false, style: { keywordCase: 'preserve', width } },
      });
      return outcome.kind === 'formatted' ? outcome.text.split('\n').length : 0;
    };
    assert.ok((await lines(20)) > (await lines(120)));
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

  it('terminates a formatter that takes too long', async () => {
    const outcome = await formatText({ text: 'select 1', tabWidth: 2, useTabs: false }, { timeLimitMs: 0 });
    assert.deepEqual(outcome, { kind: 'too-slow' });
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
