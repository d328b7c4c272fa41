/** Completion, hover and formatting of directives. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { complete } from '#server/language/editing/completion.ts';
import { withWrittenDirectives } from '#server/language/editing/format-directives.ts';
import { hoverAt } from '#server/language/editing/hover.ts';
import { lex } from '#server/language/text/lexer/lex.ts';

const context = { model: 'platform_identity' };
function offered(marked: string): readonly string[] {
  const offset = marked.indexOf('|');
  const { suggestions } = complete(lex(marked.replace('|', '')), offset, context);
  return suggestions.map(({ label }) => label);
}

describe('completion in a directive', () => {
  it('offers every directive', () => {
    assert.deepEqual(offered('-- @|\nSELECT 1').slice(0, 4), ['model', 'param', 'control', 'expect']);
  });
  it('offers the arguments of each directive', () => {
    assert.deepEqual(offered('-- @severity |\nSELECT 1'), ['none', 'low', 'medium', 'high', 'critical']);
    assert.deepEqual(offered('-- @expect no|\nSELECT 1'), ['no rows']);
    assert.deepEqual(offered('-- @error_if row|\nSELECT 1'), ['rows > 0']);
  });
  it('offers the columns that the query selects', () => {
    const query = 'WITH w AS (SELECT x FROM t) SELECT a.id, count(*) AS days, status FROM w AS a';
    assert.deepEqual(offered(`-- @key |\n${query}`), ['id', 'days', 'status']);
    assert.deepEqual(offered(`-- @key id, d|\n${query}`), ['id', 'days', 'status']);
    assert.deepEqual(offered(`-- @expect column |\n${query}`), ['id', 'days', 'status']);
    assert.deepEqual(offered(`-- @error_if max(|\n${query}`), ['id', 'days', 'status']);
  });
});

describe('hover on a directive', () => {
  it('explains it', () => {
    const hover = hoverAt(lex('-- @severity high\nSELECT 1'), 6, context);
    assert.equal(hover?.title, '-- @severity high');
    assert.equal(hoverAt(lex('-- @author me\nSELECT 1'), 6, context), undefined);
  });
});

describe('formatting of directives', () => {
  it('normalizes each directive', () => {
    const text = [
      '--@control   AC-1   Admins   here ',
      '--  @expect  NO   ROWS',
      '-- @error_if  SUM( "A b" )>=5',
      '-- @tags soc2=CC6.1,quarterly',
      '-- @key a,b',
      '-- @severity HIGH',
      '-- @warn_if rows over 5',
      '-- @other  thing',
      'SELECT 1 -- @key  x',
    ].join('\n');
    const written = withWrittenDirectives(text);
    assert.equal(
      written,
      [
        '-- @control AC-1 Admins here',
        '-- @expect no rows',
        '-- @error_if sum("A b") >= 5',
        '-- @tags soc2=CC6.1 quarterly',
        '-- @key a, b',
        '-- @severity high',
        '-- @warn_if rows over 5',
        '-- @other  thing',
        'SELECT 1 -- @key  x',
      ].join('\n'),
    );
    assert.equal(withWrittenDirectives(written), written);
  });
});
