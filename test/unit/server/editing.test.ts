/** The bundled server's editing features, requested the way an editor would. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  CompletionList,
  DocumentDiagnosticReport,
  DocumentHighlight,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  MarkupContent,
  SemanticTokens,
  SelectionRange,
  SignatureHelp,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { startLanguageClient, type LanguageClient } from './language-client.ts';

const uri = 'file:///query.identity.sql';
const textDocument = { uri };
const text = 'WITH w AS (\n  SELECT 1 AS k\n)\nSELECT w.k, lower(:a) FROM w';

async function withServer(use: (client: LanguageClient) => Promise<void>): Promise<void> {
  const client = await startLanguageClient();
  try {
    await use(client);
  } finally {
    assert.equal(await client.stop(), 0);
  }
}

const at = (line: number, character: number) => ({ textDocument, position: { line, character } });

describe('editing over standard streams', () => {
  it('responds to every announced request', async () => {
    await withServer(async (client) => {
      const ask = <T>(method: string, params: object): Promise<T> =>
        client.connection.sendRequest<T>(`textDocument/${method}`, params);
      await client.open(uri, text);

      const definition = await ask<Location>('definition', at(3, 9));
      assert.deepEqual(definition.range, {
        start: { line: 1, character: 14 },
        end: { line: 1, character: 15 },
      });
      const context = { includeDeclaration: true };
      assert.equal((await ask<Location[]>('references', { ...at(3, 7), context })).length, 3);
      const highlights = await ask<DocumentHighlight[]>('documentHighlight', at(3, 7));
      assert.deepEqual(
        highlights.map(({ kind }) => kind),
        [3, 2, 2],
      );

      assert.deepEqual(await ask<object>('prepareRename', at(3, 7)), {
        range: { start: { line: 3, character: 7 }, end: { line: 3, character: 8 } },
        placeholder: 'w',
      });
      const edit = await ask<WorkspaceEdit>('rename', { ...at(3, 7), newName: 'v' });
      assert.equal(edit.changes?.[uri]?.length, 3);
      await assert.rejects(ask('rename', { ...at(3, 7), newName: 'select' }), /keyword/);
      await assert.rejects(ask('prepareRename', at(3, 1)), /Nothing here can be renamed/);

      const [symbol] = await ask<DocumentSymbol[]>('documentSymbol', { textDocument });
      assert.deepEqual(
        symbol?.children?.map(({ name }) => name),
        ['w', 'k', 'lower'],
      );
      const folds = await ask<FoldingRange[]>('foldingRange', { textDocument });
      assert.deepEqual(
        folds.map(({ startLine, endLine }) => [startLine, endLine]),
        [[0, 3]],
      );
      const [selection] = await ask<SelectionRange[]>('selectionRange', {
        textDocument,
        positions: [{ line: 3, character: 9 }],
      });
      assert.deepEqual(selection?.range, {
        start: { line: 3, character: 9 },
        end: { line: 3, character: 10 },
      });
      const { data } = await ask<SemanticTokens>('semanticTokens/full', { textDocument });
      assert.equal(data.length % 5, 0);
      assert.ok(data.length > 25);
      const help = await ask<SignatureHelp>('signatureHelp', at(3, 18));
      assert.match(help.signatures[0]?.label ?? '', /^lower\(text\)/);
      const range = { start: { line: 0, character: 0 }, end: { line: 4, character: 0 } };
      assert.deepEqual(await ask<InlayHint[]>('inlayHint', { textDocument, range }), []);
      assert.deepEqual(await ask<CodeLens[]>('codeLens', { textDocument }), []);

      const options = { tabSize: 2, insertSpaces: true };
      const [formatted] = await ask<TextEdit[]>('formatting', { textDocument, options });
      assert.match(formatted?.newText ?? '', /^WITH\n {2}w AS \(\n {4}SELECT\n/);
      const first = { start: { line: 3, character: 0 }, end: { line: 3, character: 1 } };
      assert.equal(
        (await ask<TextEdit[]>('rangeFormatting', { textDocument, range: first, options })).length,
        1,
      );

      const part = await ask<SemanticTokens>('semanticTokens/range', { textDocument, range: first });
      assert.deepEqual(part.data, []);
      const hover = await ask<Hover>('hover', at(3, 13));
      assert.match((hover.contents as MarkupContent).value, /lower\(text\)/); // the server's response
      const typed = await ask<Hover>('hover', at(1, 9));
      assert.match((typed.contents as MarkupContent).value, /\(expression\) integer/); // the server's response
      const result = await ask<Hover>('hover', at(3, 2));
      assert.match(
        (result.contents as MarkupContent).value,
        /\(result\) 2 columns\nk integer not null\nlower unknown/,
      );
      assert.equal(await ask<Hover | null>('hover', at(1, 3)), null);
      const completion = await ask<CompletionList>('completion', at(3, 9));
      assert.deepEqual(
        completion.items.map(({ label }) => label),
        ['k'],
      );
      const actions = await ask<CodeAction[]>('codeAction', {
        textDocument,
        range: { start: { line: 3, character: 18 }, end: { line: 3, character: 18 } },
        context: { diagnostics: [] },
      });
      assert.deepEqual(
        actions.map(({ title }) => title),
        ['Declare a'],
      );
      const item: CompletionItem = { label: 'lower', kind: 3 };
      const resolved = await client.connection.sendRequest<CompletionItem>('completionItem/resolve', item);
      assert.match(JSON.stringify(resolved.documentation), /^"lowercase\\n/);
      assert.equal(
        await ask<null>('definition', { ...at(0, 0), textDocument: { uri: 'file:///closed' } }),
        null,
      );
    });
  });

  it('shows the type on every row of a completion', async () => {
    await withServer(async (client) => {
      const tables = [{ name: 'accounts', columns: [{ name: 'email', type: 'text' }] }];
      await client.connection.sendNotification('identityQueries/catalogue', {
        models: [{ name: 'platform_identity', tables }],
      });
      const uri = 'file:///typed.identity.sql';
      const text = '-- @model platform_identity\nSELECT e FROM accounts';
      await client.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'identity-sql', version: 1, text },
      });
      const { items } = await client.connection.sendRequest<CompletionList>('textDocument/completion', {
        textDocument: { uri },
        position: { line: 1, character: 8 },
      });
      const email = items.find(({ label }) => label === 'email');
      assert.equal(email?.labelDetails?.description, 'accounts · text');
      const bare = items.filter(({ kind, labelDetails }) => kind !== 14 && labelDetails === undefined);
      assert.deepEqual(bare, []);
      const truncate = items.find(({ label }) => label === 'date_trunc');
      assert.ok(truncate !== undefined);
      assert.equal(truncate.labelDetails?.description, 'timestamp with time zone, …');
      const { documentation } = await client.connection.sendRequest<CompletionItem>(
        'completionItem/resolve',
        truncate,
      );
      assert.match(JSON.stringify(documentation), /\\ndate_trunc\(text, interval\) → interval\\n/);
    });
  });

  it('suggests tables on the space after FROM and JOIN, join conditions after ON, and nothing on any other', async () => {
    await withServer(async (client) => {
      const column = (name: string) => ({ name, type: 'text' });
      const tables = [{ name: 'accounts', columns: [column('global_id'), column('role_id')] }];
      await client.connection.sendNotification('identityQueries/catalogue', {
        models: [{ name: 'platform_identity', tables }],
      });
      let documents = 0;
      /** Returns the suggestions for a space typed at the end of the text. */
      const afterSpace = async (text: string): Promise<readonly string[]> => {
        const uri = `file:///space-${documents++}.identity.sql`;
        const whole = `-- @model platform_identity\n${text} `;
        await client.open(uri, whole);
        const completion = await client.connection.sendRequest<CompletionList | null>(
          'textDocument/completion',
          {
            textDocument: { uri },
            position: { line: 1, character: text.length + 1 },
            context: { triggerKind: 2, triggerCharacter: ' ' },
          },
        );
        return (completion?.items ?? []).map(({ label }) => label);
      };
      const from = 'SELECT 1 FROM accounts a JOIN accounts b';
      assert.ok((await afterSpace(`${from} ON`)).includes('a.role_id = b.role_id'));
      assert.ok((await afterSpace(`${from} on`)).includes('a.role_id = b.role_id'));
      for (const text of ['SELECT 1 FROM', 'select 1 from', 'SELECT 1 FROM accounts a JOIN', 'FROM']) {
        assert.ok((await afterSpace(text)).includes('accounts'), text);
      }
      assert.ok((await afterSpace('WITH own AS (SELECT 1) SELECT 1 FROM')).includes('own'));
      for (const text of [
        from,
        `${from} ON a.role_id`,
        'SELECT',
        "SELECT 'on",
        "SELECT 'from",
        '-- on',
        '-- from',
        'SELECT 1 on',
        'SELECT EXTRACT(year FROM',
        'SELECT trim(both from',
        'SELECT substring(global_id from',
        'SELECT 1 FROM accounts WHERE global_id IS DISTINCT FROM',
      ]) {
        assert.deepEqual(await afterSpace(text), [], text);
      }
    });
  });

  it('offers each rewrite that the text allows, and fixes and suppressions for a finding', async () => {
    await withServer(async (client) => {
      const columns = ['id', 'name', 'team'].map((name) => ({ name, type: 'text' }));
      const models = [{ name: 'platform_identity', tables: [{ name: 'accounts', columns }] }];
      await client.connection.sendNotification('identityQueries/catalogue', { models });
      /** Returns the text after applying the action with this title at the first `|`. */
      const after = async (marked: string, title: RegExp): Promise<string> => {
        const offset = marked.indexOf('|');
        const own = marked.replace('|', '');
        const document = TextDocument.create(
          `file:///${offset}-${own.length}.identity.sql`,
          'identity-sql',
          1,
          own,
        );
        await client.open(document.uri, own);
        const position = document.positionAt(offset);
        const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
          textDocument: { uri: document.uri },
          range: { start: position, end: position },
          context: { diagnostics: [] },
        });
        const action = actions.find((each) => title.test(each.title));
        assert.ok(action, actions.map((each) => each.title).join(', '));
        return TextDocument.applyEdits(document, action.edit?.changes?.[document.uri] ?? []);
      };
      assert.equal(
        await after('SELECT |* FROM accounts', /^Write out the columns/),
        'SELECT id, name, team FROM accounts',
      );
      assert.equal(
        await after('SELECT na|me FROM accounts a', /^Qualify as a\.name/),
        'SELECT a.name FROM accounts a',
      );
      assert.equal(
        await after("SELECT id FROM accounts WHERE name = |'x'", /a parameter$/),
        "-- @param name text = 'x'\nSELECT id FROM accounts WHERE name = :name",
      );
      assert.equal(
        await after('SELECT id FROM accounts WHERE name = :|who', /^Declare who$/),
        '-- @param who text\nSELECT id FROM accounts WHERE name = :who',
      );
      assert.equal(
        await after('SELECT |name, count(*) FROM accounts', /GROUP BY/),
        'SELECT name, count(*) FROM accounts GROUP BY name',
      );
      assert.match(
        await after('SELECT s.id FROM (|SELECT id FROM accounts) s', /^Move the subquery to WITH/),
        /^WITH s AS \(\s*SELECT id FROM accounts\s*\)\s*SELECT s\.id FROM s/,
      );
      assert.equal(
        await after('SELECT id FROM |acounts', /^Replace with accounts$/),
        'SELECT id FROM accounts',
      );
      assert.match(
        await after('SELECT id FROM accounts WHERE name |= NULL', /^Ignore NULL_COMPARISON here$/),
        /identity-queries-ignore NULL_COMPARISON: /,
      );
    });
  });

  it('links a code to the page that explains it, or to the command of our client', async () => {
    const explained = async (initializationOptions?: unknown): Promise<string> => {
      const client = await startLanguageClient(undefined, undefined, {
        textDocument: { publishDiagnostics: { versionSupport: true, codeDescriptionSupport: true } },
        initializationOptions,
      });
      try {
        await client.open(uri, 'SELECT a FROM t WHERE a = NULL');
        const [found] = (await client.diagnostics(uri, 1)).diagnostics;
        assert.equal(found?.code, 'NULL_COMPARISON');
        return found.codeDescription?.href ?? '';
      } finally {
        assert.equal(await client.stop(), 0);
      }
    };
    const page = new URL(await explained());
    assert.equal(page.hash, '#null_comparison');
    assert.match(await readFile(page, 'utf8'), /^## NULL_COMPARISON$/m);
    assert.equal(
      decodeURIComponent(await explained({ explainsFindings: true })),
      'command:identityQueries.language.explainFinding?["NULL_COMPARISON"]',
    );
  });

  it('reports why it formatted nothing, and changes nothing', async () => {
    await withServer(async (client) => {
      const told = Promise.withResolvers<string>();
      client.connection.onNotification('window/showMessage', ({ message }: { message: string }) =>
        told.resolve(message),
      );
      await client.open(uri, 'SELECT (1');
      const edits = await client.connection.sendRequest<TextEdit[]>('textDocument/formatting', {
        textDocument,
        options: { tabSize: 2, insertSpaces: true },
      });
      assert.deepEqual(edits, []);
      assert.match(await told.promise, /^Nothing was formatted: /);
    });
  });

  it('returns diagnostics on request, and pushes none to clients that support requests', async () => {
    const client = await startLanguageClient(undefined, undefined, { textDocument: { diagnostic: {} } });
    try {
      assert.deepEqual(client.initialized.capabilities.diagnosticProvider, {
        interFileDependencies: false,
        workspaceDiagnostics: false,
      });
      let pushed = 0;
      client.connection.onNotification('textDocument/publishDiagnostics', () => {
        pushed++;
      });
      await client.open(uri, 'SELEC 1');
      const pull = (): Promise<DocumentDiagnosticReport> =>
        client.connection.sendRequest('textDocument/diagnostic', { textDocument });
      const report = await pull();
      assert.ok(report.kind === 'full');
      assert.deepEqual(
        report.items.map(({ code }) => code),
        ['QUERY_PARSE_ERROR'],
      );
      await client.change(uri, 2, 'SELECT 1');
      const after = await pull();
      assert.deepEqual(after.kind === 'full' ? after.items : undefined, []);
      assert.equal(pushed, 0);
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });

  it('responds immediately for a large statement, and makes the editor request the rest later', async () => {
    const refreshed = Promise.withResolvers<string>();
    const client = await startLanguageClient(undefined, undefined, {
      textDocument: { diagnostic: {} },
      workspace: { diagnostics: { refreshSupport: true } },
      refreshed: (method) => {
        if (method === 'workspace/diagnostic/refresh') refreshed.resolve(method);
      },
    });
    try {
      const tables = Array.from(
        { length: 1_500 },
        (_, index) => `c${index} AS (SELECT ${index} AS a, 'text' AS b)`,
      );
      await client.open(uri, `WITH ${tables.join(',\n')}\nSELECT a FROM c7 WHERE b = NULL`);
      const codes = async (): Promise<unknown[]> => {
        const report = await client.connection.sendRequest<DocumentDiagnosticReport>(
          'textDocument/diagnostic',
          {
            textDocument,
          },
        );
        return report.kind === 'full' ? [...new Set(report.items.map(({ code }) => code))] : [];
      };
      assert.deepEqual(await codes(), []);
      await refreshed.promise;
      assert.ok((await codes()).includes('NULL_COMPARISON'));
      // The next request returns all findings again.
      assert.ok((await codes()).includes('NULL_COMPARISON'));
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });

  it('does not announce pull diagnostics to a client that gets them pushed', async () => {
    await withServer((client) => {
      assert.equal(client.initialized.capabilities.diagnosticProvider, undefined);
      return Promise.resolve();
    });
  });
});

describe('features enabled by settings', () => {
  it('shows lenses and inlay hints, and asks the editor to refresh when something changes', async () => {
    const configuration: Record<string, unknown> = {
      'identityQueries.inlayHints': { parameterTypes: true, columnCount: true },
      'identityQueries.codeLens': { enabled: true },
    };
    const asked: string[] = [];
    let look = (): void => undefined;
    /** Resolves once the server has requested both kinds of refresh since the last call. */
    const refreshes = async (): Promise<void> => {
      await new Promise<void>((resolve) => {
        look = () => {
          if (asked.includes('workspace/codeLens/refresh') && asked.includes('workspace/inlayHint/refresh')) {
            resolve();
          }
        };
        look();
      });
      asked.length = 0;
    };
    const client = await startLanguageClient(undefined, undefined, {
      configuration,
      workspace: { codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
      refreshed: (method) => {
        asked.push(method);
        look();
      },
    });
    const lenses = async (of: string): Promise<readonly unknown[]> => {
      const found = await client.connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
        textDocument: { uri: of },
      });
      return found.map(({ command }) => [command?.title, command?.command]);
    };
    const hints = async (): Promise<readonly unknown[]> => {
      const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
      const found = await client.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', {
        textDocument,
        range,
      });
      return found.map(({ label }) => label);
    };
    try {
      await refreshes();
      await client.open(
        uri,
        '-- @param a date\n-- @param b text\nSELECT :b, :a;\nSELECT * FROM accounts WHERE id = ANY (:c)',
      );
      const run = ['Run', 'identityQueries.query.run'];
      const save = ['Save', 'identityQueries.savedQuery.saveAsNew'];
      // As declared, not as used.
      const edit = ['Parameters: :a, :b', 'identityQueries.parameters.edit'];
      const editSecond = ['Parameters: :c', 'identityQueries.parameters.edit'];
      assert.deepEqual(await lenses(uri), [run, save, edit, run, save, editSecond]);
      assert.deepEqual(await hints(), [': text', ': date']);

      const columns = [
        { name: 'id', type: 'uuid' },
        { name: 'email', type: 'text' },
      ];
      const models = [{ name: 'platform_identity', tables: [{ name: 'accounts', columns }] }];
      await client.connection.sendNotification('identityQueries/catalogue', { models });
      await refreshes();
      assert.deepEqual(await hints(), [': text', ': date', '2 columns', ': uuid[]']);

      const saved = 'identity-query:/local/1/name.identity.sql';
      await client.open(saved, 'SELECT 1');
      assert.deepEqual(await lenses(saved), [run, ['Save', 'workbench.action.files.save']]);
      const old = 'identity-query-version:/local/1/name.identity.sql';
      await client.open(old, 'SELECT 1');
      assert.deepEqual(await lenses(old), [run]);

      configuration['identityQueries.codeLens'] = { enabled: false };
      configuration['identityQueries.inlayHints'] = { parameterTypes: false, columnCount: true };
      await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
      await refreshes();
      assert.deepEqual(await lenses(uri), []);
      assert.deepEqual(await hints(), ['2 columns']);
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });

  /** Returns the code lenses of a document that is the only open one. */
  async function lensesOfOnly(text: string): Promise<readonly CodeLens[]> {
    const ready = Promise.withResolvers<boolean>();
    const client = await startLanguageClient(undefined, undefined, {
      configuration: { 'identityQueries.codeLens': { enabled: true } },
      workspace: { codeLens: { refreshSupport: true } },
      refreshed: () => ready.resolve(true),
    });
    try {
      await ready.promise;
      await client.open(uri, text);
      return await client.connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
        textDocument,
      });
    } finally {
      assert.equal(await client.stop(), 0);
    }
  }

  it('numbers the statements of a line in their code lenses', async () => {
    const found = await lensesOfOnly('SELECT 1; SELECT 2;\nSELECT 3');
    assert.deepEqual(
      found.map(({ command }) => command?.title),
      ['Run 1', 'Save 1', 'Run 2', 'Save 2', 'Run', 'Save'],
    );
  });

  it('puts the code lenses of an only statement above its directives', async () => {
    const found = await lensesOfOnly('-- @param a date\n\nSELECT :a');
    assert.deepEqual(
      found.map(({ range, command }) => [command?.title, range.start.line]),
      [
        ['Run', 0],
        ['Save', 0],
        ['Parameters: :a', 0],
      ],
    );
    const [run, , parameters] = found;
    const start = { line: 2, character: 0 };
    assert.deepEqual(run?.command?.arguments, [{ uri, range: { start, end: { line: 2, character: 9 } } }]);
    assert.deepEqual(parameters?.command?.arguments, [uri, start]);
  });

  it('passes the directives of a statement to Save, and its start to Parameters', async () => {
    const ready = Promise.withResolvers<boolean>();
    const client = await startLanguageClient(undefined, undefined, {
      configuration: { 'identityQueries.codeLens': { enabled: true } },
      workspace: { codeLens: { refreshSupport: true } },
      refreshed: () => ready.resolve(true),
    });
    try {
      await ready.promise;
      await client.open(
        uri,
        '-- @model m\n-- @param a date\n-- @param b text\nSELECT :b;\n  SELECT :a + :a, :c',
      );
      const found = await client.connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
        textDocument,
      });
      const line = (number: number, from: number, to: number) => ({
        start: { line: number, character: from },
        end: { line: number, character: to },
      });
      assert.deepEqual(
        found.slice(3).map(({ command }) => command?.arguments),
        [
          [{ uri, range: line(4, 2, 20) }],
          [{ uri, range: line(4, 2, 20), parts: [line(0, 0, 11), line(1, 0, 16), line(4, 2, 20)] }],
          [uri, { line: 4, character: 2 }],
        ],
      );
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });
});
