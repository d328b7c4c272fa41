/** The manifest matches each feature's contributions.ts, and everything that it refers to exists. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { codeBlock } from '#base/shown-text/for-markdown.ts';
import type { CommandContribution, ShownCommand } from '#client/contribution-types.ts';
import { commands, contextKeys, contributions, views } from '#client/contributions.ts';
import { looksEnded, tools } from '#client/features/agents/contributions.ts';
import { manifestOf } from '#scripts/lib/manifest.ts';
import { textsOf } from '#scripts/lib/texts.js';
import { manifestFiles, oldOnes } from '#scripts/manifest.ts';
import { isFoundBy } from '#test/helpers/palette.ts';

interface Manifest {
  readonly contributes: {
    readonly configurationDefaults: Readonly<Record<string, unknown>>;
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly shortTitle?: string;
    }[];
    readonly menus: Readonly<
      Record<
        string,
        readonly { readonly command: string; readonly submenu?: string; readonly when?: string }[]
      >
    >;
    readonly submenus: readonly { readonly id: string }[];
    readonly keybindings: readonly {
      readonly command: string;
      readonly when?: string;
      readonly key: string;
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly when?: string }[]>>;
    readonly viewsWelcome: readonly {
      readonly view: string;
      readonly contents: string;
      readonly when: string;
    }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, unknown>>;
    }[];
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

const root = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('package.json', root), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const nls = JSON.parse(readFileSync(new URL('package.nls.json', root), 'utf8')) as Record<string, string>;
const { contributes } = manifest;
const sorted = (values: Iterable<string>) => [...values].sort();

suite('contributions', () => {
  test('package.json, package.nls.json and docs/settings.md are up to date (npm run manifest writes them)', async () => {
    const files = await manifestFiles();
    assert.deepEqual([...files.keys()], ['package.json', 'package.nls.json', 'docs/settings.md']);
    assert.deepEqual(oldOnes(files), []);
  });

  test('in the menu of a view, a title says what it opens', () => {
    const titles = new Map(
      contributes.commands.map(({ command, title, shortTitle }) => [command, shortTitle ?? title]),
    );
    const shown = (contributes.menus['view/title'] ?? []).map(
      ({ command }) => nls[(titles.get(command) ?? '').slice(1, -1)],
    );
    assert.ok(shown.includes('Open Saved Query...'));
    assert.deepEqual(
      shown.filter((title) => title === 'Open' || title?.includes('Here') === true),
      [],
    );
  });

  for (const language of ['', '.de', '.es', '.fr', '.ja', '.zh-cn'])
    test(`a link of the walkthrough ends with an ellipsis if its command asks${language}`, () => {
      const file = readFileSync(new URL(`package.nls${language}.json`, root), 'utf8');
      const texts = JSON.parse(file) as Record<string, string>;
      const links = Object.values(texts).flatMap((shown) => [
        ...shown.matchAll(/\[([^\]]+)\]\(command:identityQueries\.([\w.]+)\)/g),
      ]);
      assert.ok(links.length > 5);
      for (const [, label = '', command = ''] of links) {
        const title = texts[`command.${command}`];
        if (title !== undefined)
          assert.equal(label.endsWith('...'), title.endsWith('...'), `${label}: ${title}`);
      }
    });

  test('a command is defined in one place, from which its part of the manifest is generated', () => {
    const after = manifestOf([
      ...contributions,
      {
        commands: {
          planted: {
            id: 'identityQueries.planted.do',
            title: 'Do It',
            icon: '$(add)',
            palette: 'false',
            menus: [{ in: 'view/title', when: 'view == identityQueries.models', group: 'navigation@9' }],
            keys: [{ key: 'f9', when: 'editorLangId == identity-sql' }],
          },
        },
      },
    ]);
    const command = 'identityQueries.planted.do';
    const made = after.contributes as unknown as Manifest['contributes']; // generated in the shape of package.json
    assert.deepEqual(
      made.commands.find((each) => each.command === command),
      {
        command,
        title: '%command.planted.do%',
        category: 'Identity Queries',
        icon: '$(add)',
      },
    );
    assert.deepEqual(
      made.menus['commandPalette']?.find((each) => each.command === command),
      { command, when: 'false' },
    );
    assert.deepEqual(made.menus['view/title']?.at(-1), {
      command,
      when: 'view == identityQueries.models',
      group: 'navigation@9',
    });
    assert.deepEqual(made.keybindings.at(-1), { command, key: 'f9', when: 'editorLangId == identity-sql' });
    assert.equal(after.texts['command.planted.do'], 'Do It');
  });

  test('the palette offers what has a meaning now: fourteen commands at first, twenty with a connection, 32 when connected', () => {
    const nothing = { workspaceFolderCount: 0, 'identityQueries.connection': 'disconnected' };
    const known = { ...nothing, 'identityQueries.hasConnections': true };
    const connected = { ...known, 'identityQueries.connection': 'connected' };
    const offeredIn = (context: Readonly<Record<string, unknown>>) =>
      shownCommands().flatMap(({ title, palette }) => (holds(palette ?? 'true', context) ? [title] : []));
    for (const [context, count] of [
      [nothing, 14],
      [known, 20],
      [connected, 32],
    ] as const)
      assert.equal(offeredIn(context).length, count, offeredIn(context).join(', '));
    // What a person starts with is there at all times.
    for (const title of ['Start Sandbox', 'Add Connection...', 'New Query', 'Show Log'])
      assert.ok(offeredIn(nothing).includes(title), title);
  });

  test('there are no more commands than these, and no command stands in for another', () => {
    assert.ok(contributes.commands.length <= 132, String(contributes.commands.length));
    assert.equal(contributes.commands.length, shownCommands().length);
  });

  test('there are no more settings than these: what the editor has is no setting of ours', () => {
    const names = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    assert.ok(names.length <= 29, String(names.length));
    assert.deepEqual(
      names.filter((name) => /codeLens|inlayHints/i.test(name)),
      [],
    );
  });

  test('a key of a row stands beside its entry in the menu', () => {
    const inMenu = new Set((contributes.menus['view/item/context'] ?? []).map(({ command }) => command));
    const ofRows = contributes.keybindings.filter(({ when }) => when?.includes('listFocus'));
    assert.deepEqual(
      ofRows.map(({ key, command }) => [key, inMenu.has(command)]),
      [
        ['f2', true],
        ['delete', true],
      ],
    );
  });

  test('one ID or key with two meanings is refused', () => {
    const command = { id: 'identityQueries.planted.do', title: 'Do It' } as const;
    assert.throws(
      () => manifestOf([{ commands: { one: command } }, { commands: { other: command } }]),
      /identityQueries\.planted\.do is contributed twice/,
    );
    assert.throws(
      () => manifestOf([{ texts: { displayName: 'One' } }, { texts: { displayName: 'Other' } }]),
      /two texts have the key displayName/,
    );
  });

  test('a test run and debugging save nothing, since a saved query would get a version that nobody asked for', () => {
    assert.equal(contributes.configurationDefaults['testing.saveBeforeTest'], false);
    assert.partialDeepStrictEqual(contributes.configurationDefaults, {
      '[identity-sql]': { 'debug.saveBeforeStart': 'none' },
    });
  });

  test('what the editor closes by itself can be typed over, so that a typed comment stays one', () => {
    const { autoClosingPairs } = JSON.parse(
      readFileSync(new URL('syntaxes/language-configuration.json', root), 'utf8'),
    ) as {
      readonly autoClosingPairs: readonly { readonly close: string }[];
    };
    assert.deepEqual(
      autoClosingPairs.filter(({ close }) => close.length > 1),
      [],
    );
  });

  test('the part in the bundle is plain JSON', () => {
    for (const value of [commands, contextKeys, views])
      assert.deepEqual(JSON.parse(JSON.stringify(value)), value);
  });

  test('names in code are unique', () => {
    const named = contributions.flatMap((feature) =>
      [feature.commands, feature.views, feature.settings, feature.contextKeys].flatMap((part, index) =>
        Object.keys(part ?? {}).map((name) => `${index} ${name}`),
      ),
    );
    assert.deepEqual(sorted(named), sorted(new Set(named)));
  });

  test('a result beside its query has the same menu as the panel', () => {
    const of = (menu: string, place: string) =>
      (contributes.menus[menu] ?? [])
        .filter(({ when }) => when === place)
        .map(({ command }) => command)
        .toSorted();
    assert.deepEqual(
      of('editor/title', 'activeWebviewPanelId == identityQueries.result'),
      of('view/title', 'view == identityQueries.results'),
    );
  });

  test('menus and keys name commands that exist', () => {
    const known = new Set<string>(Object.values(commands));
    const entries = Object.values(contributes.menus).flat();
    const named = [...entries.filter(({ submenu }) => submenu === undefined), ...contributes.keybindings].map(
      (each) => each.command,
    );
    assert.deepEqual(
      named.filter((id) => !known.has(id)),
      [],
    );
    // A submenu has a place and entries.
    const submenus = sorted(contributes.submenus.map(({ id }) => id));
    assert.deepEqual(sorted(entries.flatMap(({ submenu }) => submenu ?? [])), submenus);
    assert.deepEqual(
      submenus.filter((id) => (contributes.menus[id] ?? []).length < 2),
      [],
    );
  });

  test('beside both texts of a conflict, each way out of it is one click', () => {
    const beside = (contributes.menus['editor/title'] ?? []).filter(
      ({ when = '' }) => when === 'resource in identityQueries.conflictedQueries && isInDiffEditor',
    );
    assert.deepEqual(
      beside.map(({ command }) => command.replace('identityQueries.conflict.', '')),
      ['saveMine', 'takeTheirs', 'merge'],
    );
  });

  test('the menu of a cell has records only where there is one, copies in a submenu, and the keys of the rows', () => {
    const cells = contributes.menus['webview/context'] ?? [];
    const ofRecords = cells.filter(({ command }) =>
      ['identityQueries.record.openSelected', 'identityQueries.changes.make'].includes(command),
    );
    assert.equal(ofRecords.length, 2);
    assert.ok(ofRecords.every(({ when = '' }) => when.startsWith('hasRecord && ')));
    assert.ok(cells.length <= 13, `${cells.length} entries`);
    const inside = contributes.menus['identityQueries.menu.copyAs'] ?? [];
    assert.ok(inside.every(({ command }) => command.startsWith('identityQueries.results.copy')));
    assert.equal(inside.length, 6);
    const keyOf = (name: string) =>
      contributes.keybindings.find(({ command }) => command === `identityQueries.results.${name}`)?.key;
    assert.deepEqual(
      [keyOf('copy'), keyOf('copyWithHeaders'), keyOf('showRecord')],
      ['ctrl+c', 'ctrl+shift+c', 'shift+enter'],
    );
  });

  test('the title of the results has at most two icons, beside those of its page', () => {
    for (const [menu, place] of [
      ['view/title', 'view == identityQueries.results'],
      ['editor/title', 'activeWebviewPanelId == identityQueries.result'],
    ] as const) {
      const icons = contributions
        .flatMap(({ commands: own }) => Object.values(own ?? {}))
        .filter(isShownCommand)
        .flatMap(({ menus = [] }) => menus)
        .filter((one) => one.in === menu && one.when === place && one.group.startsWith('navigation'));
      assert.equal(icons.length, 2, menu);
    }
  });

  test('context keys in when clauses exist in the code', () => {
    const used = text.match(/identityQueries\.\w+(?= ==| !=|\b(?=[^."]* &&))/g) ?? [];
    const known = new Set<string>([...Object.values(contextKeys), ...Object.values(views)]);
    assert.deepEqual(
      used.filter((key) => !known.has(key)),
      [],
    );
  });

  test('a view that a starting window shows has words of ours: the editor’s own are about data providers', () => {
    // Before the extension starts, no context key has a value.
    const holds = (when: string) =>
      when
        .split('||')
        .some((all) => all.split('&&').every((one) => /^\s*!|!=/.test(one) && !one.includes('==')));
    const trees = contributes.views['identityQueries'] ?? [];
    const shown = trees.filter(({ when }) => when === undefined || holds(when)).map(({ id }) => id);
    const told = contributes.viewsWelcome.filter(({ when }) => holds(when)).map(({ view }) => view);
    assert.ok(shown.length > 2);
    assert.deepEqual(
      shown.filter((id) => !told.includes(id)),
      [],
    );
  });

  test('links in welcome texts lead to commands that exist', () => {
    const known = new Set<string>([...Object.values(commands), 'workbench.action.openSettings']);
    const links = Object.values(nls).flatMap((value) =>
      [...value.matchAll(/\(command:([\w.]+)/g)].map((m) => m[1] ?? ''),
    );
    assert.ok(links.length > 0);
    assert.deepEqual(
      links.filter((id) => !known.has(id) && !id.endsWith('.focus')),
      [],
    );
  });

  test('every button that updates the client secret has the same name', () => {
    const sources = globSync('client/src/**/*.ts', { cwd: root }).map((file) =>
      readFileSync(new URL(file, root), 'utf8'),
    );
    const labels = sources.flatMap((source) =>
      [...source.matchAll(/t\('([^']+)'\),\s*(?:command: )?commands\.connectionUpdateSecret/g)].map(
        ([, label]) => label,
      ),
    );
    assert.equal(labels.length, 3);
    assert.deepEqual([...new Set(labels)], ['Enter Client Secret...']);
  });

  test('settings are grouped by topic, each once', () => {
    const titles = contributes.configuration.map(({ title }) => nls[title.replaceAll('%', '')]);
    assert.deepEqual(titles, [
      'Connections and Network',
      'Editor and Checks',
      'Running Queries',
      'Results',
      'Saved Queries and Models',
      'Controls',
      'Run History',
      'AI Access',
    ]);
    const names = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    assert.deepEqual(sorted(names), sorted(new Set(names)));
  });

  test('an action on a row of a view does not repeat the object', () => {
    const titleOf = (id: string) => contributes.commands.find(({ command }) => command === id)?.title ?? '';
    const entries = (contributes.menus['view/item/context'] ?? []).filter(({ when }) =>
      when?.includes('savedQuery'),
    );
    const shown = entries.map(({ command }) => nls[titleOf(command).replaceAll('%', '')] ?? '');
    assert.ok(shown.includes('Rename...'));
    assert.deepEqual(
      shown.filter((title) => /saved quer/i.test(title)),
      [],
    );
  });

  test('there is only one kind of ellipsis', () => {
    const texts = ['client/src', 'client/webview', 'base', 'core/src'].flatMap((folder) => [
      ...textsOf(folder).keys(),
    ]);
    assert.deepEqual(
      [...texts, ...Object.values(nls)].filter((each) => each.includes('\u2026')),
      [],
    );
  });

  test('a label typed into the palette finds only its command', () => {
    const labels = paletteLabels();
    for (const label of labels)
      for (const typed of [label, label.replace(/\.\.\.$/, '')])
        assert.deepEqual(
          labels.filter((other) => isFoundBy(typed, other)),
          [label],
          `"${typed}"`,
        );
  });

  test('no command that clears or shows something else comes first for what opens a query or the activity', () => {
    const labels = paletteLabels().toSorted((a, b) => a.localeCompare(b));
    const first = (typed: string) => labels.find((label) => isFoundBy(typed, label));
    assert.equal(first('Identity Queries: Open'), 'Identity Queries: Open by ID or Link...');
    assert.equal(first('Show Activity'), undefined, 'the view is found');
  });

  test('keybindings apply only in our languages and views', () => {
    for (const key of contributes.keybindings)
      assert.match(key.when ?? '', /editorLangId == identity-(sql|record)|^focusedView == identityQueries\./);
  });

  test('settings that decide where a token goes are restricted in untrusted workspaces', () => {
    const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
    assert.ok(restricted.has('identityQueries.connections'));
    const network = contributes.configuration
      .flatMap(({ properties }) => Object.keys(properties))
      .filter((name) => name.startsWith('identityQueries.network.'));
    assert.ok(network.length > 0);
    assert.deepEqual(
      network.filter((name) => !restricted.has(name)),
      [],
    );
  });

  test('what a model may ask to run is shown to the person whole', () => {
    for (const { inputSchema } of tools) {
      const longest = 'x'.repeat(inputSchema.properties.sql.maxLength);
      assert.ok(codeBlock(longest, 'sql').includes(longest));
    }
    // Seen in a dialog: what follows is below its end, and nothing tells of it.
    for (const gap of [
      '\n'.repeat(300),
      '\n  '.repeat(30),
      '\r\n'.repeat(30),
      ' '.repeat(500),
      '\r'.repeat(30),
      '\n\u3164'.repeat(30),
      `-- ${'\u00a0'.repeat(300)}\n`,
      `-- ${'\u200b'.repeat(300)}\n`,
    ])
      for (const before of ['SELECT 1 AS harmless', ''])
        assert.ok(looksEnded(`${before}${gap}, email FROM accounts`), JSON.stringify(before + gap));
    assert.ok(!looksEnded(`SELECT 1\n\n\n${' '.repeat(90)}AS one\nFROM accounts${'\n'.repeat(50)}`));
  });
});

function shownCommands(): readonly ShownCommand[] {
  return contributions
    .flatMap((feature): readonly CommandContribution[] => Object.values(feature.commands ?? {}))
    .flatMap((command) => (command.title === undefined ? [] : [command]));
}

/** Returns what the palette shows of the commands that it may offer. */
function paletteLabels(): readonly string[] {
  return shownCommands()
    .filter(({ palette }) => palette !== 'false')
    .map(({ title, category = 'Identity Queries' }) => `${category}: ${title}`);
}

/** Evaluates a `when` clause without parentheses, as far as the palette's ones go. */
function holds(clause: string, context: Readonly<Record<string, unknown>>): boolean {
  return clause.split(' || ').some((all) =>
    all.split(' && ').every((one) => {
      const [name = '', operator, value = ''] = one.split(/ (==|!=|=~|>|in) /);
      if (operator === undefined)
        return one === 'true' || (one.startsWith('!') ? !context[one.slice(1)] : Boolean(context[one]));
      const now = context[name];
      if (operator === '==') return now === value;
      if (operator === '!=') return now !== value;
      return operator === '>' && Number(now) > Number(value);
    }),
  );
}

function isShownCommand(
  command: CommandContribution,
): command is Extract<CommandContribution, { readonly title: string }> {
  return command.title !== undefined;
}
