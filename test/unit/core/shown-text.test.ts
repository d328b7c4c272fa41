import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  codeBlock,
  codeLine,
  htmlLine,
  markdownLine,
  markdownText,
  reportLine,
} from '#base/shown-text/for-markdown.ts';
import {
  forFileName,
  forLabel,
  forLine,
  forLines,
  forMessage,
  forStatus,
  forStatusDetail,
  maxLengths,
} from '#base/shown-text/for-places.ts';
import { forTerminal, jsonForLog, jsonForTerminal } from '#base/shown-text/for-terminal.ts';
import { escapeHidden, hasHiddenCharacters, hiddenIn } from '#base/shown-text/hidden-characters.ts';
import { stackOf } from '#base/shown-text/stack-of.ts';
import { escapeMarkdownName, plainMarkdown } from '#base/words/markdown.ts';

/** The editor's link pattern in notifications, progress, prompts and language status (vs/base/common/linkedText). */
const editorLink = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const editorIcon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;
const places = { forFileName, forLabel, forLine, forLines, forMessage, forStatus, forStatusDetail };

/** Random text, biased toward the characters that the rules target. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('[x]', '](', '(command:a)', '$(', 'check)', '`', '```', '\n', '\u202E', '\u200B', '\\'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('text for the editor', () => {
  for (const [name, fit] of Object.entries(places)) {
    for (const target of ['command:workbench.action.terminal.new', 'https://evil.example/', 'file:///etc']) {
      it(`${name} breaks a link to ${target}`, () => {
        assert.match(`[x](${target})`, editorLink);
        assert.doesNotMatch(fit(`[x](${target})`), editorLink);
        assert.equal(fit(`[x](${target})`), `[x] (${target})`);
      });
    }

    it(`${name} shows no link and no hidden character, whatever the input`, () => {
      fc.assert(
        fc.property(hostile, (text) => {
          const shown = fit(text);
          assert.doesNotMatch(shown, editorLink);
          assert.equal(hasHiddenCharacters(shown.replaceAll('\n', '')), false);
          assert.equal(fit(shown), shown, 'fit twice is fit once');
        }),
      );
    });
  }

  it('a link in a name is broken, even inside a sentence', () => {
    assert.equal(forMessage('"a](b" was saved by [x](command:c)'), '"a] (b" was saved by [x] (command:c)');
  });

  it('only our own icons are shown', () => {
    for (const fit of [forLabel, forLine])
      assert.doesNotMatch(fit('$(check) Verified $(sync~spin)'), editorIcon);
    assert.equal(forStatus('$(sync~spin) $(check) a'), '$(sync~spin) $ (check) a');
    assert.equal(forStatusDetail('[a](command:b) $(zap) c'), '[a] (command:b) $ (zap) c');
  });

  it('a label, a line, a message and a file name are one line', () => {
    for (const fit of [forLabel, forLine, forMessage, forFileName])
      assert.equal(fit('a\r\nb\tc\u2028d\u0085e'), 'a b c d e');
  });

  it('details keep their lines', () => {
    assert.equal(forLines('a\r\nb\n[x](command:c)\td'), 'a\nb\n[x] (command:c) d');
  });

  it('lengths are limited', () => {
    const long = 'x'.repeat(100_000);
    assert.equal(forLabel(long).length, maxLengths.name);
    assert.equal(forLine(long).length, maxLengths.line);
    assert.equal(forMessage(long).length, maxLengths.message);
    assert.equal(forLines(long).length, maxLengths.details);
    assert.equal(forLabel('x'.repeat(200)), 'x'.repeat(200));
  });

  it('a message keeps its end, which contains the remedy', () => {
    const message = forMessage(`"${'x'.repeat(5_000)}" was deleted. Save it as a new query.`);
    assert.ok(message.startsWith('"xxx'));
    assert.ok(message.endsWith('x" was deleted. Save it as a new query.'));
  });

  it('no character is split when a text is truncated', () => {
    for (const pad of ['', 'a']) {
      for (const fit of [forLabel, forLine, forMessage, forLines])
        assert.equal(fit(`${pad}${'😀'.repeat(5_000)}`).isWellFormed(), true);
    }
  });
});

describe('hidden characters', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['a control', 'a\u0000b', 'a<U+0000>b'],
    ['an escape of terminals', '\u001B[31mred', '<U+001B>[31mred'],
    ['a control of the second block', 'a\u009Bb', 'a<U+009B>b'],
    ['a bidi override', 'invoice\u202Efdp.exe', 'invoice<U+202E>fdp.exe'],
    ['a bidi isolate', 'a\u2066b\u2069', 'a<U+2066>b<U+2069>'],
    ['a mark of direction', 'a\u200Fb', 'a<U+200F>b'],
    ['a zero-width space', 'ad\u200Bmin', 'ad<U+200B>min'],
    ['a zero-width joiner between Latin letters', 'ad\u200Dmin', 'ad<U+200D>min'],
    ['a byte order mark', '\uFEFFa', '<U+FEFF>a'],
    ['a soft hyphen', 'ad\u00ADmin', 'ad<U+00AD>min'],
    ['a filler of Hangul', 'a\u3164', 'a<U+3164>'],
    ['tags', 'a\u{E0041}\u{E007F}', 'a<U+E0041><U+E007F>'],
    ['variations that hide data', 'a\u{E0101}\u{FE01}', 'a<U+E0101><U+FE01>'],
    ['a second variation', '😀\uFE0F\uFE0E', '😀\uFE0F<U+FE0E>'],
    ['a line separator', 'a\u2028b', 'a<U+2028>b'],
    ['half a character', 'a\uD800b', 'a<U+D800>b'],
    ['an annotation', 'a\uFFF9b', 'a<U+FFF9>b'],
  ];
  for (const [what, text, shown] of cases) {
    it(`${what} is shown`, () => {
      assert.equal(escapeHidden(text), shown);
      assert.equal(hasHiddenCharacters(text), true);
    });
  }

  const kept: readonly (readonly [string, string])[] = [
    ['an emoji of several', '👨‍👩‍👧 👩🏽‍💻 ❤️‍🔥 ⚠️ 1️⃣'],
    ['a joiner that Persian spelling needs', 'می\u200Cخواهم'],
    ['a joiner that Hindi spelling needs', 'क्\u200Dष'],
    ['a variation of a Han character', '葛\u{E0100}'],
    ['letters of right-to-left scripts', 'שלום مرحبا'],
    ['accents', 'é e\u0301 ñ'],
    ['spaces that are seen', 'a\u00A0b\u3000c'],
  ];
  for (const [what, text] of kept) {
    it(`${what} stays`, () => {
      assert.equal(escapeHidden(text), text);
      assert.equal(hasHiddenCharacters(text), false);
    });
  }

  it('are found at their positions', () => {
    assert.deepEqual(
      [...hiddenIn('😀\u202Ea\u200B')],
      [
        { character: '\u202E', offset: 2 },
        { character: '\u200B', offset: 4 },
      ],
    );
  });
});

describe('text for a report', () => {
  it('mentions nobody and refers to nothing, on any code host', () => {
    const signs = [
      '@all',
      'x@org/team',
      '#1',
      'a/b#1',
      '!1',
      '~bug',
      '%1',
      '&1',
      '$1',
      '^alert#1',
      'GH-1',
      'gh-1',
    ];
    for (const sign of signs)
      for (const text of [reportLine, htmlLine, plainMarkdown, escapeMarkdownName].map((fit) => fit(sign))) {
        // Code hosts look at the text after Markdown, where comments are still nodes between texts.
        const rendered = text
          .replace(/\\([!-/:-@[-`{-~])/g, '$1')
          .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
        for (const part of rendered.split('<!-- -->')) assert.doesNotMatch(part, /[@#!~%&$^]\w|GH-\d/i, text);
        assert.equal(rendered.replaceAll('<!-- -->', ''), sign);
      }
    for (const text of ['&commat;ann', '&COMMAT;ann', 'a &num;1', '&#64;ann', '&#x40;ann'])
      for (const shown of [reportLine, plainMarkdown, escapeMarkdownName].map((fit) => fit(text)))
        assert.doesNotMatch(shown, /(?<!\\)&#?\w+;/i, shown);
  });
});

describe('text for Markdown', () => {
  it('nothing in a line is markup, a link or an address', () => {
    assert.equal(
      markdownLine('**a** [x](command:b) <img src=c> https://d.e `f` $(g)'),
      String.raw`\*\*a\*\* \[x\]\(command\:b\) \<img src\=c\> https\:\/\/d\.e \`f\` \$\(g\)`,
    );
  });

  it('nothing in a line of HTML is markup, and no backslash is added', () => {
    assert.equal(htmlLine('<b> a\\*\nc'), '&#60;b&#62; a&#92;&#42; c');
  });

  it('a line stays one line, a text keeps its lines', () => {
    assert.equal(markdownLine(' a\n\n# b'), String.raw`a \# b`);
    assert.equal(markdownText('a\n# b\n\nc'), 'a  \n\\# b  \n  \nc');
  });

  it('hidden characters are shown', () => {
    assert.equal(markdownLine('a\u202Eb'), String.raw`a\<U\+202E\>b`);
    assert.equal(codeLine('a\u202Eb'), '```\na<U+202E>b\n```');
  });

  it('a fence is longer than any run of backticks in its block', () => {
    assert.equal(codeLine('a ``` b'), '````\na ``` b\n````');
    assert.equal(codeBlock('`````\n[x](command:y)', 'sql'), '``````sql\n`````\n[x](command:y)\n``````');
  });

  it('a title stays on its line', () => {
    assert.equal(codeLine('a\n```\n[x](command:y)'), '````\na ``` [x](command:y)\n````');
  });
});

describe('text for a terminal', () => {
  it('escapes, line breaks and hidden characters are shown', () => {
    assert.equal(
      forTerminal('\u001B]0;title\u0007a\r\n::error::b\u202E'),
      '<U+001B>]0;title<U+0007>a<U+000D><U+000A>::error::b<U+202E>',
    );
  });

  it('commands in CI logs are broken', () => {
    assert.equal(forTerminal('::error file=a::b'), ': :error file=a::b');
    assert.equal(forTerminal('  ::add-mask::b'), '  : :add-mask::b');
    assert.equal(forTerminal('a ##vso[task.complete]'), 'a # #vso[task.complete]');
    assert.equal(forTerminal('##[error]a ##teamcity[b]'), '# #[error]a # #teamcity[b]');
  });

  it('commands in JSON are broken, and its values stay', () => {
    const value = { '##[group]': ['##vso[a]', '###teamcity[b', '##', '## [', '\u009b0K', '\\##vso['] };
    const json = JSON.stringify(value);
    assert.deepEqual(JSON.parse(jsonForLog(json)), value);
    assert.deepEqual(JSON.parse(jsonForTerminal(json)), value);
    assert.doesNotMatch(jsonForLog(json), /##\w*\[|\u009b/);
    assert.doesNotMatch(jsonForTerminal(json), /##\w*\[|\u009b/);
    assert.equal(jsonForLog('"## title"'), '"## title"');
  });

  it('JSON shows what is hidden, and its values stay', () => {
    const hidden = '\u061c\u00ad\u180e\u202e\u2066\ufeff\u3164\ufff9\u2028\u{e0041}';
    const value = { [`n${hidden}`]: [`a${hidden}b`, '👩‍💻', 'می‌خواهم', 'line\nline'] };
    const json = jsonForTerminal(JSON.stringify(value, undefined, 2));
    assert.deepEqual(JSON.parse(json), value);
    assert.ok(!hasHiddenCharacters(json.replaceAll('\n', '')));
  });

  it('a cast stays unchanged', () => {
    assert.equal(forTerminal("syntax error at 'a'::text"), "syntax error at 'a'::text");
  });
});

describe('the stack of an error', () => {
  it('contains its name and frames, but not its message, even if a line of the message looks like a frame', () => {
    const error = new SyntaxError('SELECT secret\n    at salaries');
    const [name = '', ...frames] = stackOf(error).split('\n');
    assert.equal(name, 'SyntaxError');
    assert.ok(frames.length > 0 && frames.every((frame) => /^\s+at /.test(frame)));
    assert.doesNotMatch(stackOf(error), /secret|salaries/);
    assert.equal(stackOf('a text'), 'string');
  });
});
