/** Reads PostgreSQL's function catalog from PGlite and writes the part needed to prove that a query is read-only. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { formatted } from './format.js';
import { fromRoot } from './paths.js';

/**
 * @typedef {object} Functions Each name is in exactly one list.
 * @property {readonly string[]} immutable
 * @property {readonly string[]} stable
 * @property {readonly string[]} volatile
 * @property {readonly string[]} types
 * @property {readonly string[]} operators
 */

/**
 * @typedef {object} Catalogue
 * @property {string} version
 * @property {Functions} builtIn
 * @property {readonly string[]} aggregates names of aggregate functions that no other function has
 * @property {readonly string[]} ofRows functions that take a whole row as their only argument
 * @property {readonly string[]} mixed `name:count`, for functions that are volatile only with this number of arguments
 * @property {readonly string[]} views `view:function`, for PostgreSQL's views that call volatile functions
 * @property {Readonly<Record<string, Functions>>} extensions by name
 */

/** Opens a PGlite database with all extensions that PGlite includes. */
export async function openCatalogue() {
  const folder = fromRoot('node_modules/@electric-sql/pglite/dist/contrib');
  const modules = readdirSync(folder).filter((name) => name.endsWith('.js'));
  /** @type {Record<string, import('@electric-sql/pglite').Extension>} */
  const extensions = {};
  for (const module of modules) {
    const name = path.basename(module, '.js');
    const loaded = /** @type {Record<string, import('@electric-sql/pglite').Extension>} */ (
      await import(path.join(folder, module))
    );
    const extension = loaded[name];
    if (extension !== undefined) extensions[name] = extension;
  }
  const database = await PGlite.create({ extensions });
  for (const name of Object.keys(extensions)) {
    const sqlName = name.replaceAll('_ossp', '-ossp');
    const { rows } = await database.query('SELECT 1 FROM pg_available_extensions WHERE name = $1', [sqlName]);
    if (rows.length > 0) await database.exec(`CREATE EXTENSION IF NOT EXISTS "${sqlName}" CASCADE`);
  }
  return database;
}

/**
 * Excludes functions that queries cannot call: triggers, and functions that only the server calls with its own data.
 */
const callable = `NOT ('internal'::regtype = ANY (p.proargtypes::oid[])) AND p.prokind <> 'p'
  AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'language_handler'::regtype, 'internal'::regtype)`;
const ownerOf = (/** @type {string} */ table) =>
  `(SELECT e.extname FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
     WHERE d.classid = '${table}'::regclass AND d.objid = o.oid AND d.deptype = 'e'
       AND d.refclassid = 'pg_extension'::regclass)`;
const home = `CASE WHEN n.nspname = 'pg_catalog' THEN '' ELSE n.nspname END`;

/**
 * @param {PGlite} database
 * @returns {Promise<Catalogue>}
 */
export async function readCatalogue(database) {
  const rows = async (/** @type {string} */ sql) =>
    /** @type {Record<string, string>[]} */ ((await database.query(sql)).rows);
  const functions = await rows(`
    SELECT coalesce(owner, home) AS home, proname AS name, string_agg(DISTINCT provolatile::text, '') AS volatility,
      string_agg(DISTINCT pronargs::text, ',') FILTER (WHERE provolatile = 'v') AS volatile_counts
    FROM (SELECT o.*, ${ownerOf('pg_proc')} AS owner, ${home} AS home
      FROM pg_proc o JOIN pg_namespace n ON n.oid = o.pronamespace) p
    WHERE ${callable} GROUP BY 1, 2 ORDER BY 1, proname COLLATE "C"`);
  const types = await rows(`
    SELECT coalesce(${ownerOf('pg_type')}, ${home}) AS home, o.typname AS name
    FROM pg_type o JOIN pg_namespace n ON n.oid = o.typnamespace
    WHERE o.typtype IN ('b', 'r', 'm', 'd', 'e', 'p') AND o.typelem = 0 OR o.typname IN ('name', 'point', 'box', 'lseg', 'line', 'int2vector', 'oidvector')
    ORDER BY 1, o.typname COLLATE "C"`);
  const operators = await rows(`
    SELECT DISTINCT coalesce(${ownerOf('pg_operator')}, ${home}) AS home, o.oprname COLLATE "C" AS name
    FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace ORDER BY 1, 2`);
  const views = await rows(`
    SELECT DISTINCT c.relname COLLATE "C" AS view, p.proname COLLATE "C" AS function
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
      JOIN pg_proc p ON position(':funcid ' || p.oid || ' ' IN r.ev_action::text) > 0
    WHERE r.ev_type = '1' AND p.provolatile = 'v'
      AND c.relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) ORDER BY 1, 2`);
  await refuseVolatileParts(rows);
  const named = (/** @type {Record<string, string>[]} */ list, /** @type {string} */ owner) =>
    list.filter((row) => row['home'] === owner).map((row) => row['name'] ?? '');
  const functionsOf = (/** @type {string} */ owner) => ({
    immutable: named(
      functions.filter((row) => row['volatility'] === 'i'),
      owner,
    ),
    stable: named(
      functions.filter((row) => /^i?s$/.test(row['volatility'] ?? '')),
      owner,
    ),
    volatile: named(
      functions.filter((row) => row['volatility']?.includes('v')),
      owner,
    ),
    types: named(types, owner),
    operators: named(operators, owner),
  });
  const owners = new Set([...functions, ...types, ...operators].map((row) => row['home'] ?? ''));
  owners.delete('');
  owners.delete('plpgsql');
  const version =
    /^PostgreSQL [\d.]+/.exec((await rows('SELECT version()'))[0]?.['version'] ?? '')?.[0] ?? '';
  return {
    version,
    builtIn: functionsOf(''),
    aggregates: (
      await rows(`SELECT proname COLLATE "C" AS name FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
        GROUP BY 1 HAVING bool_and(prokind = 'a') ORDER BY 1`)
    ).map(({ name = '' }) => name),
    ofRows: await readFunctionsOfRows(database, rows),
    mixed: functions.flatMap((row) =>
      row['home'] === '' && /[is]/.test(row['volatility'] ?? '') && row['volatile_counts']
        ? [`${row['name']}:${row['volatile_counts']}`]
        : [],
    ),
    views: views.map((row) => `${row['view']}:${row['function']}`),
    extensions: Object.fromEntries([...owners].sort().map((owner) => [owner, functionsOf(owner)])),
  };
}

/**
 * Asks PostgreSQL which functions can be written like a column of a table. A volatile function is left out, so that its
 * call is never taken for a column.
 * @param {PGlite} database
 * @param {(sql: string) => Promise<Record<string, string>[]>} rows
 */
async function readFunctionsOfRows(database, rows) {
  const names = await rows(`SELECT proname COLLATE "C" AS name FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace AND pronargs > 0 AND prokind IN ('f', 'a')
    GROUP BY 1 HAVING bool_and(provolatile <> 'v') ORDER BY 1`);
  await database.exec('CREATE TABLE of_rows (one integer, other text)');
  const found = [];
  for (const { name = '' } of names) {
    const isTaken = await database.query(`EXPLAIN SELECT of_rows."${name}" FROM of_rows`).then(
      () => true,
      () => false,
    );
    if (isTaken) found.push(name);
  }
  await database.exec('DROP TABLE of_rows');
  return found;
}

/**
 * Refuses volatile parts. The proof treats PostgreSQL's operators, casts, types and aggregates as harmless because none
 * of them uses a volatile function. If that changes, the proof must handle it before this catalog is written.
 * @param {(sql: string) => Promise<Record<string, string>[]>} rows
 */
async function refuseVolatileParts(rows) {
  const found = await rows(`
    SELECT 'operator ' || oprname AS part FROM pg_operator o JOIN pg_proc p ON p.oid = oprcode WHERE provolatile = 'v'
    UNION ALL SELECT 'cast ' || castsource::regtype || ' to ' || casttarget::regtype
      FROM pg_cast JOIN pg_proc p ON p.oid = castfunc WHERE provolatile = 'v'
    UNION ALL SELECT 'type ' || typname FROM pg_type JOIN pg_proc p ON p.oid IN (typinput, typoutput)
      WHERE provolatile = 'v' AND typtype <> 'p'
    UNION ALL SELECT 'aggregate ' || aggfnoid FROM pg_aggregate
      JOIN pg_proc p ON p.oid IN (aggtransfn, aggfinalfn, aggcombinefn, aggmtransfn, aggmfinalfn) WHERE provolatile = 'v'`);
  if (found.length > 0) {
    throw new Error(
      `Volatile functions behind ${found.map(({ part }) => part).join(', ')}: teach the proof first.`,
    );
  }
}

/** @param {readonly string[]} names */
function words(names) {
  const lines = [''];
  for (const name of names) {
    const line = lines[lines.length - 1] ?? '';
    if (line.length + name.length > 108) lines.push(name);
    else lines[lines.length - 1] = line === '' ? name : `${line} ${name}`;
  }
  return `\`${lines.join('\n').replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

const firstLine = (/** @type {string} */ version) =>
  `// Generated by scripts/function-catalogue.js from PGlite's catalogue (${version}). Do not edit: run it again.`;

/**
 * @param {Catalogue} catalogue
 * @returns {Promise<string>} the content of the file with the names that the trees of queries are read with
 */
export async function writtenNames({ version, aggregates, ofRows }) {
  const text = `${firstLine(version)}

/** Names of aggregate functions that no other function has, with white space between them. */
export const aggregateNames = ${words(aggregates)};

/** Functions that take a whole row as their only argument and are not volatile. */
export const rowFunctionNames = ${words(ofRows)};
`;
  return formatted('server/src/language/tree/function-names.ts', text);
}

/**
 * @param {Catalogue} catalogue
 * @returns {Promise<string>} the file's content
 */
export async function writtenCatalogue({ version, builtIn, mixed, views, extensions }) {
  const functions = (/** @type {Functions} */ own) =>
    `{ ${Object.entries(own)
      .map(([kind, names]) => `${kind}: ${words(names)}`)
      .join(', ')} }`;
  const text = `${firstLine(version)}

/** Names, with white space between them. */
export interface CatalogueNames {
  readonly immutable: string;
  readonly stable: string;
  readonly volatile: string;
  readonly types: string;
  readonly operators: string;
}

export const builtIn: CatalogueNames = ${functions(builtIn)};

/** Functions that are volatile only with this number of arguments. */
export const mixedVolatility = ${words(mixed)};

/** PostgreSQL's own views that call volatile functions, each with one of them. */
export const volatileViews = ${words(views)};

/** By the extension that provides them. */
export const ofExtensions: Readonly<Record<string, CatalogueNames>> = {
${Object.entries(extensions)
  .map(([name, own]) => `'${name}': ${functions(own)},`)
  .join('\n')}
};
`;
  return formatted('server/src/language/checks/read-only/effects/function-catalogue.ts', text);
}
