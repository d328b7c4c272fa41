// Lint configuration: typed rules that find real bugs, and the import layers (ARCHITECTURE.md).
import tseslint from 'typescript-eslint';
import { importX } from 'eslint-plugin-import-x';
import house from './scripts/lib/lint-house.js';

/**
 * Forbids import paths for one layer.
 * @param {string} message the rule of ARCHITECTURE.md that the import breaks
 * @param {string[]} regexes
 * @returns {import('eslint').Linter.RulesRecord}
 */
const forbid = (message, ...regexes) => ({
  'no-restricted-imports': ['error', { patterns: regexes.map((regex) => ({ regex, message })) }],
});

/** Editor functions that show text and have a replacement in client/src/ui/shown. */
const bareShows =
  'show(Information|Warning|Error)Message|show(InputBox|QuickPick|WorkspaceFolderPick)|with(Scm)?Progress|' +
  'setStatusBarMessage|create(QuickPick|InputBox|TreeView|StatusBarItem|LanguageStatusItem|WebviewPanel|Terminal)|' +
  'register(TreeDataProvider|TextDocumentContentProvider)|MarkdownString|FileSystemError';

/**
 * Forbids names of the editor's API in any notation.
 * @param {string} names a regular expression
 * @param {string} message what to use instead
 * @returns {{ selector: string, message: string }[]}
 */
const forbidNames = (names, message) =>
  [
    `MemberExpression[property.name=/^(${names})$/]`,
    `MemberExpression[property.value=/^(${names})$/]`,
    `ObjectPattern > Property[key.name=/^(${names})$/]`,
    `ImportDeclaration[source.value='vscode'] > ImportSpecifier[imported.name=/^(${names})$/]`,
  ].map((selector) => ({ selector, message }));

/** Spreading a long list into a call overflows the stack, at a length that depends on the caller. */
const spreadCalls = [
  'CallExpression[callee.property.name=/^(push|unshift|max|min|fromCodePoint|fromCharCode)$/] > SpreadElement',
].map((selector) => ({
  selector,
  message: 'A long list overflows the stack: take one after another, or reduce.',
}));

/** The system's language may differ from the language of the text around a number or time. */
const localeCalls = [
  {
    selector: 'CallExpression[callee.property.name=/^toLocale(Date|Time)?String$/][arguments.length=0]',
    message: 'Name the language: numberText or locale().',
  },
];

/** Layers of the language analysis. Each may import the layers before it, up to `checks`. */
const languageRooms = ['text', 'tree', 'names', 'types', 'checks', 'editing', 'fixes', 'dialects'];
const sharedRooms = languageRooms.slice(0, languageRooms.indexOf('checks') + 1);

/**
 * Returns the layers that a layer of the language analysis must not import.
 * @param {string} room
 * @returns {string[]}
 */
const roomsHiddenFrom = (room) =>
  languageRooms.filter(
    (other) =>
      other !== room &&
      (!sharedRooms.includes(other) || languageRooms.indexOf(other) > languageRooms.indexOf(room)),
  );

const node = '^(node:|fs$|path$|os$|http$|https$|net$|child_process$|crypto$|worker_threads$)';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'out/',
      '.vscode-test/',
      'node_modules/',
      'test-results/',
      'test/corpora/',
      'test/workspace/',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { 'import-x': importX, house },
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          checkThenables: true,
          // Awaiting a reply waits until it is sent. Calls that set a status or header return the reply too, but need
          // not be awaited.
          allowForKnownSafePromises: [{ from: 'package', package: 'fastify', name: 'FastifyReply' }],
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
            },
          ],
        },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      'house/rooms': 'error',
      'house/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      'preserve-caught-error': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  {
    files: ['api/contract/**/*.ts'],
    rules: forbid(
      'api/contract is data: no Node, no vscode, nothing of ours.',
      node,
      '^vscode',
      '^undici',
      'client/',
      'server/',
      'service/',
    ),
  },
  {
    files: ['api/client/**/*.ts'],
    rules: forbid(
      'api/client may import api/contract only.',
      '^vscode',
      '(^|[/#])(server|service|cli)/',
      'client/src',
      '^#client/',
    ),
  },
  {
    files: ['base/shown-text/**/*.ts'],
    rules: forbid(
      'base/shown-text is pure: text in, text out.',
      node,
      '^vscode',
      '^undici',
      '(^|[/#])(api|client|server|service|cli)/',
    ),
  },
  ...languageRooms.map((room) => ({
    files: [`server/src/language/${room}/**/*.ts`],
    rules: forbid(
      'server/src/language is pure: text in, facts out; a room knows only those before it (ARCHITECTURE.md).',
      node,
      '^vscode$',
      '^undici',
      '/handlers/',
      '/main\\.ts',
      '/parser/',
      '(^|[/#])(client|service|cli)/',
      `^((\\.\\./)+|#server/language/)(${roomsHiddenFrom(room).join('|')})/`,
    ),
  })),
  {
    files: ['server/src/**/*.ts'],
    ignores: ['server/src/language/**'],
    rules: forbid(
      'The server knows neither the editor nor the network.',
      '^vscode$',
      '^undici',
      '^(node:)?https?$',
      '(^|[/#])(client|service|cli)/',
    ),
  },
  {
    files: ['core/src/**/*.ts'],
    ignores: ['base/shown-text/**'],
    rules: {
      ...forbid(
        'core is the product without an editor: api and the language analysis, no vscode, no client, no cli.',
        '^vscode(-languageclient|-languageserver)?(/|$)',
        '(server/src|#server)/(?!language/|parser/|protocol\\.ts)',
        '(^|[/#])(client|webview|panel-protocol|cli|service)/',
      ),
      'no-restricted-globals': ['error', 'window', 'document', 'self', 'localStorage', 'HTMLElement'],
    },
  },
  {
    files: ['client/src/**/*.ts'],
    rules: forbid(
      'client imports vscode, api and server/src/protocol.ts only.',
      '(server/src|#server)/(?!protocol\\.ts)',
      '(service|cli)/src/',
      '^#(service|cli)/',
    ),
  },
  {
    files: ['{api,base,core,server,client,cli,service}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...spreadCalls, ...localeCalls] },
  },
  {
    files: ['client/src/**/*.ts'],
    ignores: ['client/src/ui/shown/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...spreadCalls,
        ...localeCalls,
        ...forbidNames(
          bareShows,
          'The editor runs links in texts: use the function of this name in client/src/ui/shown.',
        ),
        {
          selector: "Literal[value='vscode.diff']",
          message: 'Use showDiff of client/src/ui/shown/diffs.ts.',
        },
      ],
    },
  },
  {
    files: ['client/webview/**/*.ts'],
    rules: forbid(
      'A webview knows neither Node nor the editor API, nor the schemas that the host checks with.',
      node,
      '^vscode$',
      '^undici',
      '^typebox',
      'panel-protocol/panel-message\\.ts',
    ),
  },
  {
    files: ['client/panel-protocol/**/*.ts'],
    rules: {
      ...forbid(
        'panel-protocol is what both sides speak: no Node, no editor, no DOM.',
        node,
        '^vscode',
        '^undici',
      ),
      'no-restricted-globals': ['error', 'window', 'document', 'self', 'localStorage', 'HTMLElement'],
    },
  },
  {
    files: ['service/src/**/*.ts'],
    rules: forbid(
      'service may import api/contract only.',
      '^vscode',
      'api/client',
      '(^|[/#])(client|server|cli)/',
    ),
  },
  {
    files: ['cli/src/**/*.ts'],
    rules: forbid('cli has no editor.', '^vscode$', '(^|/)client/src', '^#client/'),
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);
