/**
 * The rules of the house that a linter cannot state: who may import whom, which packages a folder may use, and calls
 * that have a safer form here. `scripts/house.js` applies them to the whole tree.
 */
import ts from 'typescript-api';
import { resolved, sourceFolders, specifiersOf } from './import-graph.js';

/** A table of strings. */
const translations = ['base/texts.ts', 'base/translate.ts'];

/** What the language analysis may import of `base`, and the messages that it fills. */
const languageBase = [
  ...translations,
  'base/dialects.ts',
  'base/finding-severities.ts',
  'base/sql-names.ts',
  'base/values',
  'server/src/protocol.ts',
];

/** Layers of the language analysis. Each may import the layers before it, up to `checks`. */
const languageRooms = ['text', 'tree', 'names', 'types', 'checks', 'editing', 'fixes', 'dialects'];
const sharedRooms = languageRooms.slice(0, languageRooms.indexOf('checks') + 1);

/** @returns {Record<string, readonly string[]>} */
function languageLayers() {
  const language = 'server/src/language';
  return Object.fromEntries(
    languageRooms.map((room, index) => [
      `${language}/${room}`,
      [
        ...languageBase,
        ...sharedRooms.filter((_, other) => other < index).map((each) => `${language}/${each}`),
      ],
    ]),
  );
}

/**
 * Allowed imports between folders (ARCHITECTURE.md). A folder may import itself and the listed folders. If several
 * folders contain a file, the longest path applies. `*` matches any name.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const layers = {
  base: ['base/shown-text'],
  'base/shown-text': [],
  'api/contract': [],
  'api/client': ['api/contract', 'base'],
  'core/src': [
    'api',
    'base',
    'core/src',
    'server/src/language',
    'server/src/parser',
    'server/src/protocol.ts',
  ],
  // Under runs, records, exports' files and controls, which all read with it.
  'core/src/reading': ['api', 'base', 'core/src/failures', 'core/src/rows', 'server/src/protocol.ts'],
  'server/src/language': languageBase,
  ...languageLayers(),
  'server/src/parser': [...translations, 'server/src/language'],
  'server/src/protocol.ts': [],
  'server/src': ['base', 'server/src'],
  'client/panel-protocol': ['base', 'core/src'],
  'client/src/ui': ['api', 'base', 'core', 'client/src/contributions.ts'],
  'client/src/session': ['api', 'base', 'core', 'client/src/contributions.ts', 'client/src/ui'],
  'client/src/features/*': [
    'api',
    'base',
    'core',
    'client/panel-protocol',
    'server/src/protocol.ts',
    'client/src/contributions.ts',
    'client/src/contribution-types.ts',
    'client/src/menu-places.ts',
    'client/src/ui',
    'client/src/session',
    'client/src/features/*/index.ts',
  ],
  'client/src/contributions.ts': [
    'client/src/contribution-types.ts',
    'client/src/product.ts',
    'client/src/features/*/contributions.ts',
  ],
  'client/src/contribution-types.ts': [],
  'client/src/menu-places.ts': ['client/src/contribution-types.ts'],
  'client/src/product.ts': ['client/src/contribution-types.ts'],
  'client/src': [
    'base',
    'core',
    'client/src/contributions.ts',
    'client/src/ui',
    'client/src/session',
    'client/src/features/*/index.ts',
  ],
  'client/webview': ['client/panel-protocol'],
  service: ['api/contract', 'base'],
  cli: ['api', 'base', 'core', 'server/src'],
};

/**
 * @param {string} pattern
 * @param {string} file
 * @returns {string | undefined} the folder or file that the pattern matches
 */
function within(pattern, file) {
  const parts = pattern.split('/');
  const own = file.split('/').slice(0, parts.length);
  return own.length === parts.length && parts.every((part, index) => part === '*' || part === own[index])
    ? own.join('/')
    : undefined;
}

/**
 * @param {string} file
 * @returns {[pattern: string, folder: string] | undefined} the file's layer
 */
function layerOf(file) {
  return Object.keys(layers)
    .map((pattern) => /** @type {const} */ ([pattern, within(pattern, file)]))
    .filter((found) => found[1] !== undefined)
    .sort(([one], [other]) => other.split('/').length - one.split('/').length)
    .map(([pattern, folder]) => /** @type {[string, string]} */ ([pattern, folder]))[0];
}

/**
 * @param {string} file relative to the root
 * @param {string} target relative to the root
 * @returns {boolean} whether the file may import the target
 */
export function mayImport(file, target) {
  const layer = layerOf(file);
  // A new folder says first whom it may import.
  if (layer === undefined) return false;
  const [pattern, folder] = layer;
  if (layerOf(target)?.[1] === folder) return true;
  return (layers[pattern] ?? []).some((allowed) => within(allowed, target) !== undefined);
}

const node = String.raw`node:|(?:fs|path|os|https?|net|child_process|crypto|worker_threads)$`;

/**
 * Packages and Node modules that a folder must not import, with the reason. Every entry that contains a file applies.
 * @type {readonly { in: string, not?: string, never: RegExp, why: string }[]}
 */
const foreign = [
  { in: 'api/contract', never: RegExp(`^(?:${node}|vscode|undici)`), why: 'api/contract is data' },
  { in: 'api/client', never: /^vscode/, why: 'api/client has no editor' },
  { in: 'base', never: /^(?:vscode|undici)/, why: 'base is under everything' },
  { in: 'base/shown-text', never: RegExp(`^(?:${node})`), why: 'base/shown-text is pure: text in, text out' },
  {
    in: 'server/src/language',
    never: RegExp(`^(?:${node}|vscode$|undici)`),
    why: 'the language analysis is pure: text in, facts out',
  },
  {
    in: 'server/src',
    never: /^(?:vscode$|undici|(?:node:)?https?$)/,
    not: 'server/src/language',
    why: 'the server knows neither the editor nor the network',
  },
  {
    in: 'core/src',
    never: /^vscode(?:-languageclient|-languageserver)?(?:\/|$)/,
    why: 'core is the product without an editor',
  },
  {
    in: 'client/webview',
    never: RegExp(`^(?:${node}|vscode$|undici|typebox)`),
    why: 'a page knows neither Node nor the editor, nor the schemas that the host checks with',
  },
  {
    in: 'client/panel-protocol',
    never: RegExp(`^(?:${node}|vscode|undici)`),
    why: 'the protocol is what both sides speak',
  },
  { in: 'service/src', never: /^vscode/, why: 'the service has no editor' },
  { in: 'cli/src', never: /^vscode$/, why: 'the command line has no editor' },
];

/** Schemas for what a page sends: the page itself must not load them. */
const hostSchemas = 'client/panel-protocol/panel-message.ts';

/**
 * @param {string} file relative to the root
 * @param {string} text
 * @returns {string[]} forbidden imports, one sentence each
 */
export function importProblems(file, text) {
  return specifiersOf(text).flatMap(({ specifier }) => {
    const target = resolved(file, specifier);
    if (target !== undefined) {
      const isHostSchema = target === hostSchemas && within('client/webview', file) !== undefined;
      if (mayImport(file, target) && !isHostSchema) return [];
      return within('client/src/features/*', target)
        ? [`${file}: of another feature only its index.ts may be imported, ${target} is its inside`]
        : [`${file} may not import ${target}: ARCHITECTURE.md says who may import whom`];
    }
    return foreign
      .filter((rule) => within(rule.in, file) !== undefined && rule.never.test(specifier))
      .filter((rule) => rule.not === undefined || within(rule.not, file) === undefined)
      .map(({ why }) => `${file} may not import ${specifier}: ${why}`);
  });
}

/** Top folders, whose files import each other by name. */
const topFolders = new Set([...sourceFolders, 'scripts', 'test']);

/**
 * @param {string} file relative to the root
 * @param {string} text
 * @returns {string[]} relative imports of another top folder, one sentence each
 */
export function nameProblems(file, text) {
  const [top, ...below] = file.split('/');
  if (below.length === 0) return [];
  return specifiersOf(text).flatMap(({ specifier }) => {
    const other = specifier.startsWith('.') ? resolved(file, specifier)?.split('/')[0] : undefined;
    return other !== undefined && other !== top && topFolders.has(other)
      ? [`${file}: import ${specifier} by name (imports in package.json): it is in another top folder`]
      : [];
  });
}

/** Folders of product code, to which the rules about calls apply. */
const products = ['api', 'base', 'core', 'server', 'client', 'cli', 'service'];

/**
 * Sorting imports takes a comment along with the import below it.
 * @param {string} file relative to the root
 * @param {string} text
 * @returns {string[]} comments between imports, which say what the module is for
 */
export function purposeProblems(file, text) {
  const found = /^import [^]*?^(\/\*\*[^]*?\*\/\nimport )/m.exec(text);
  if (found === null) return [];
  const line = text.slice(0, found.index + found[0].length - (found[1]?.length ?? 0)).split('\n').length;
  return [`${file}:${line}: a module starts with its purpose: move this comment above the imports`];
}

/** Who may walk through pages: the owner of the walk, the one reader of rows, and the service, which makes pages. */
const walking = ['api/client/answers/paging.ts', 'service', 'core/src/reading'];

/** Reads and writes page tokens, or walks a list with the walk of `paging.ts`, but asks in no loop of its own. */
const knowsTokens = ['api', 'core/src/records/records-source.ts', 'core/src/records/kept-pages.ts'];

/**
 * Finds loops over pages, and the functions that such a loop asks: a reader's `load` or a page token inside a function
 * counts where the function is called in a loop, or calls itself.
 * @param {string} file relative to the root
 * @param {string} text
 * @returns {string[]} loops over pages besides the one reader, one sentence each
 */
export function readingProblems(file, text) {
  const isProduct = products.some((folder) => within(folder, file) !== undefined);
  if (!isProduct || walking.some((folder) => within(folder, file) !== undefined)) return [];
  if (!/next_?page_?token|pageToken|PageWalk|walkPages|\bload\b|\bhasMore\b/i.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mayKnow = knowsTokens.some((place) => within(place, file) !== undefined);
  const isApi = within('api', file) !== undefined;
  const asking = askingFunctions(source, (at) => isLoad(at, text) || isNextRequest(at));
  /** @type {string[]} */
  const problems = [];
  /** @param {ts.Node} at @param {boolean} isLooped */
  const visit = (at, isLooped) => {
    const name = ts.isIdentifier(at) || ts.isStringLiteral(at) ? at.text : '';
    const isToken = /^next_?page_?token$/i.test(name) && (isLooped || !mayKnow);
    const isWalk = ts.isIdentifier(at) && (name === 'PageWalk' || (name === 'walkPages' && !isApi));
    const isAsking =
      isLooped &&
      (isLoad(at, text) || asking.has(calledName(at) ?? '') || (name === 'hasMore' && isRead(at)));
    if (isToken || isWalk || isAsking) {
      const { line } = source.getLineAndCharacterOfPosition(at.getStart(source));
      problems.push(
        `${file}:${line + 1}: only core/src/reading asks for further pages: give PageReader a feed, or use inTurn, readAll or readUntil`,
      );
    }
    const isLoop = ts.isIterationStatement(at, false) || isRecursive(at);
    ts.forEachChild(at, (child) => visit(child, isLooped || isLoop));
  };
  visit(source, false);
  return problems;
}

/**
 * @param {ts.Node} source
 * @param {(at: ts.Node) => boolean} asks
 * @returns {ReadonlySet<string>} names of functions that ask for a page, by themselves or by calling one that does
 */
function askingFunctions(source, asks) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {{ name: string, calls: ReadonlySet<string> }[]} */
  const functions = [];
  /** @param {ts.Node} at */
  const visit = (at) => {
    const name = functionName(at);
    if (name !== undefined) {
      if (containsNode(at, asks)) names.add(name);
      /** @type {Set<string>} */
      const calls = new Set();
      containsNode(at, (inner) => {
        const called = calledName(inner);
        if (called !== undefined) calls.add(called);
        return false;
      });
      functions.push({ name, calls });
    }
    ts.forEachChild(at, visit);
  };
  visit(source);
  for (let before = -1; before < names.size;) {
    before = names.size;
    for (const { name, calls } of functions)
      if ([...calls].some((called) => names.has(called))) names.add(name);
  }
  return names;
}

/** @param {ts.Node} at @param {(at: ts.Node) => boolean} is @returns {boolean} whether the node or one within it is so */
function containsNode(at, is) {
  return is(at) || (ts.forEachChild(at, (child) => containsNode(child, is) || undefined) ?? false);
}

/** @param {ts.Node} at @returns {boolean} whether a function calls itself: its method of that name, or the function */
function isRecursive(at) {
  const name = functionName(at);
  if (name === undefined) return false;
  const isOwn = (/** @type {ts.Node} */ called) =>
    ts.isIdentifier(called) ||
    (ts.isPropertyAccessExpression(called) && called.expression.kind === ts.SyntaxKind.ThisKeyword);
  return containsNode(
    at,
    (inner) => calledName(inner) === name && ts.isCallExpression(inner) && isOwn(inner.expression),
  );
}

/** @param {ts.Node} at @returns {string | undefined} the name of a function, a method, or a variable that holds one */
function functionName(at) {
  if (!ts.isFunctionLike(at)) return undefined;
  const named =
    at.name ??
    (ts.isVariableDeclaration(at.parent) ||
    ts.isPropertyDeclaration(at.parent) ||
    ts.isPropertyAssignment(at.parent)
      ? at.parent.name
      : undefined);
  return named !== undefined && (ts.isIdentifier(named) || ts.isPrivateIdentifier(named))
    ? named.text
    : undefined;
}

/** @param {ts.Node} at @returns {string | undefined} the name of the function that a call calls */
function calledName(at) {
  if (!ts.isCallExpression(at)) return undefined;
  const { expression } = at;
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isElementAccessExpression(expression) && ts.isStringLiteralLike(expression.argumentExpression)
    ? expression.argumentExpression.text
    : undefined;
}

/**
 * @param {ts.Node} at
 * @param {string} text of the module
 * @returns {boolean} whether a reader is asked for its next page, or all of them: `load` of something with a boolean
 */
function isLoad(at, text) {
  if (!ts.isCallExpression(at) || ts.isIdentifier(at.expression) || calledName(at) !== 'load') return false;
  const [all] = at.arguments;
  if (all === undefined || at.arguments.length > 1) return false;
  if (ts.isIdentifier(all))
    return RegExp(String.raw`\b${all.text}(?:\??: boolean\b| = (?:true|false|!))`).test(text);
  return (
    all.kind === ts.SyntaxKind.TrueKeyword ||
    all.kind === ts.SyntaxKind.FalseKeyword ||
    isJudgement(all) ||
    (ts.isPrefixUnaryExpression(all) && all.operator === ts.SyntaxKind.ExclamationToken)
  );
}

const judging = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

/** @param {ts.Expression} at @returns {boolean} whether an expression is true or false by its operator */
function isJudgement(at) {
  return ts.isBinaryExpression(at) && judging.has(at.operatorToken.kind);
}

/** @param {ts.Node} at @returns {boolean} whether the name takes a member of a value, as `hasMore` of a feed */
function isRead(at) {
  const { parent } = at;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === at) ||
    (ts.isElementAccessExpression(parent) && parent.argumentExpression === at) ||
    (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === at)
  );
}

/** @param {ts.Node} at @returns {boolean} whether a page is requested by its token */
function isNextRequest(at) {
  return (
    (ts.isShorthandPropertyAssignment(at) || ts.isPropertyAssignment(at)) &&
    ts.isIdentifier(at.name) &&
    at.name.text === 'pageToken' &&
    ts.isObjectLiteralExpression(at.parent)
  );
}

/** Spreading a long list into a call overflows the stack, at a length that depends on the caller. */
const spreading = /^(?:push|unshift|max|min|fromCodePoint|fromCharCode)$/;

/** Without a language, the system's is used, which may differ from that of the text around a number or time. */
const localized = /^toLocale(?:Date|Time)?String$/;

/** Functions of the editor that show text, where links would be run, and have a replacement in client/src/ui/shown. */
const showing =
  /^(?:show(?:Information|Warning|Error)Message|show(?:InputBox|QuickPick|WorkspaceFolderPick)|with(?:Scm)?Progress|setStatusBarMessage|create(?:QuickPick|InputBox|TreeView|StatusBarItem|LanguageStatusItem|WebviewPanel|Terminal)|register(?:TreeDataProvider|TextDocumentContentProvider)|MarkdownString|FileSystemError)$/;

/**
 * @param {string} file relative to the root
 * @param {string} text
 * @returns {string[]} calls that have a safer form, one sentence each
 */
export function callProblems(file, text) {
  if (!products.some((folder) => within(folder, file) !== undefined)) return [];
  const shows = within('client/src', file) !== undefined && within('client/src/ui/shown', file) === undefined;
  if (!/\.\.\.|toLocale/.test(text) && !(shows && text.includes('vscode'))) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const problems = [];
  /** @param {ts.Node} at @param {string} what */
  const report = (at, what) => {
    const { line } = source.getLineAndCharacterOfPosition(at.getStart(source));
    problems.push(`${file}:${line + 1}: ${what}`);
  };
  /** @param {ts.Node} at */
  const visit = (at) => {
    if (ts.isCallExpression(at) && ts.isPropertyAccessExpression(at.expression)) {
      const { name } = at.expression;
      if (spreading.test(name.text) && at.arguments.some(ts.isSpreadElement))
        report(at, 'a long list overflows the stack: take one after another, or reduce');
      if (localized.test(name.text) && at.arguments.length === 0)
        report(at, 'name the language: numberText or locale()');
    }
    if (shows) {
      const name = shownName(at);
      if (name !== undefined && showing.test(name))
        report(at, `the editor runs links in texts: use ${name} of client/src/ui/shown`);
      if (ts.isStringLiteral(at) && at.text === 'vscode.diff')
        report(at, 'use showDiff of client/src/ui/shown/diffs.ts');
    }
    ts.forEachChild(at, visit);
  };
  visit(source);
  return problems;
}

/**
 * @param {ts.Node} at
 * @returns {string | undefined} the name that a value of the editor's API is taken by
 */
function shownName(at) {
  if (ts.isPropertyAccessExpression(at)) return at.name.text;
  if (ts.isElementAccessExpression(at) && ts.isStringLiteral(at.argumentExpression))
    return at.argumentExpression.text;
  if (ts.isBindingElement(at) && ts.isObjectBindingPattern(at.parent)) {
    const name = at.propertyName ?? at.name;
    return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;
  }
  if (ts.isImportSpecifier(at)) {
    const from = at.parent.parent.parent.moduleSpecifier;
    return ts.isStringLiteral(from) && from.text === 'vscode' ? (at.propertyName ?? at.name).text : undefined;
  }
  return undefined;
}
