/** Names, types and descriptions that try to inject markup, wherever the server sends them to an editor. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Hover, MarkupContent } from 'vscode-languageserver-types';
import { codeActions } from '#server/handlers/code-actions.ts';
import { completeAt } from '#server/handlers/completion.ts';
import { toDiagnostic } from '#server/handlers/convert.ts';
import { hover } from '#server/handlers/hover.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { LineIndex } from '#server/language/text/lines.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { createState, type ServerState } from '#server/state.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

const link = '[x](command:workbench.action.terminal.new)';
const state: ServerState = {
  ...createState(),
  catalogues: new Map([
    [
      '',
      {
        models: [
          {
            name: 'platform_identity',
            tables: [
              {
                name: 'accounts',
                description: `![i](https://evil.example/i.png) ${link}`,
                columns: [
                  {
                    name: 'id',
                    type: `uuid\n\`\`\`\n${link}`,
                    description: 'a\n\n# b <command:c> https://d.e',
                  },
                  { name: 'ad\u202Emin', type: 'text\u200B', description: 'a\u200Bb' },
                ],
              },
            ],
          },
        ],
      },
    ],
  ]),
};
const documentOf = (text: string): TextDocument =>
  TextDocument.create('file:///a.identity.sql', 'identity-sql', 1, text);

/** Returns the hover's Markdown at `|`. */
function hoverOf(marked: string): string {
  const document = documentOf(marked.replace('|', ''));
  const found: Hover | null = hover(state, document, document.positionAt(marked.indexOf('|')));
  assert.ok(found !== null);
  return (found.contents as MarkupContent).value; // the server's response
}

describe('hover with hostile names', () => {
  it('keeps a quoted common table expression in its fence', () => {
    const name = 'a```b';
    assert.equal(
      hoverOf(`WITH "${name}" AS (SELECT 1 AS c) SELECT * FROM "a|\`\`\`b"`),
      `\`\`\`\`\n(common table) ${name}(c)\n\`\`\`\``,
    );
  });

  it('has no line break in its title, whatever a name contains', () => {
    assert.equal(
      hoverOf(`WITH "a\n\`\`\`\n${link}" AS (SELECT 1 AS c) SELECT c FROM "|a\n\`\`\`\n${link}"`),
      `\`\`\`\`\n(common table) a \`\`\` ${link}(c)\n\`\`\`\``,
    );
  });

  it('keeps a type from the service in its fence, and shows a description as text', () => {
    assert.equal(
      hoverOf('SELECT i|d FROM accounts'),
      [
        '````',
        `(column) accounts.id: uuid \`\`\` ${link}`,
        '````',
        '',
        String.raw`a \# b \<command\:c\> https\:\/\/d\.e`,
      ].join('\n'),
    );
  });

  it('requests no image and shows no link from a description', () => {
    const shown = hoverOf('SELECT 1 FROM acc|ounts');
    assert.doesNotMatch(shown, /[^\\]\]\(|[^\\]\[|https:/);
  });
});

describe('hidden characters', () => {
  const document = documentOf('SELECT  FROM accounts');

  it('are shown in completion, and inserted unchanged', () => {
    const { items } = completeAt(state, document, document.positionAt('SELECT '.length));
    const found = items.find(({ label }) => label === 'ad<U+202E>min');
    assert.equal(found?.textEdit?.newText, '"ad\u202Emin"');
    assert.equal(found.filterText, 'ad\u202Emin');
    assert.match(found.detail ?? '', /text<U\+200B>/);
    assert.equal(found.documentation, 'a<U+200B>b');
  });

  it('are shown in the message of a finding', () => {
    const { message } = toDiagnostic(
      new LineIndex('x'),
      { code: 'UNKNOWN_COLUMN', severity: 'error', message: 'no "a\u202Eb"\nnor "c"', start: 0, end: 1 },
      () => undefined,
    );
    assert.equal(message, 'no "a<U+202E>b"\nnor "c"');
  });

  it('are shown in the title of a fix', async () => {
    const text = 'SELECT "ad\u202Emim" FROM accounts';
    const place = documentOf(text).positionAt(10);
    const actions = await codeActions(
      { analyser, state, canReport: false },
      documentOf(text),
      { start: place, end: place },
      undefined,
      () => false,
    );
    assert.deepEqual(
      actions?.map(({ title }) => title).filter((title) => title.startsWith('Replace')),
      ['Replace with "ad<U+202E>min"'],
    );
  });
});
