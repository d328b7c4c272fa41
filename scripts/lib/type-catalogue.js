/** Reads the parts of PostgreSQL's catalog needed to infer expression types, as lines of text that compress well. */

/**
 * @typedef {object} WrittenTypeCatalogue
 * @property {string} version
 * @property {string} types one line per type: name, category, whether preferred, kind, element, array, display name
 * @property {string} ranges one line per range: name, subtype, multirange
 * @property {string} casts one line per cast: source, target, context (i, a, e)
 * @property {string} operators one line per operator: name, left, right, result
 * @property {string} functions one line per function: name, kind, result, arguments, variadic, defaults, names, outputs
 * @property {string} collations names
 * @property {string} zones time zone names in lower case
 * @property {string} extensionOperators like `operators`, for extension operators on PostgreSQL's own types
 * @property {string} extensionFunctions function names from all extensions
 */

const isOwn = (/** @type {string} */ table) =>
  `NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = '${table}'::regclass AND d.objid = o.oid AND d.deptype = 'e')`;
/** Excludes row types of tables and the domains of information_schema. */
const usedTypes = `SELECT o.oid FROM pg_type o LEFT JOIN pg_type e ON e.oid = o.typelem
  WHERE o.typnamespace = 'pg_catalog'::regnamespace AND ${isOwn('pg_type')}
    AND o.typtype IN ('b', 'r', 'm', 'p') AND coalesce(e.typtype, 'b') IN ('b', 'r', 'm', 'p')`;
const name = (/** @type {string} */ oid) => `(SELECT typname FROM pg_type WHERE oid = ${oid})`;

/**
 * @param {import('@electric-sql/pglite').PGlite} database
 * @returns {Promise<WrittenTypeCatalogue>}
 */
export async function readTypeCatalogue(database) {
  const lines = async (/** @type {string} */ sql) =>
    /** @type {{ line: string }[]} */ (
      (await database.query(`SELECT line FROM (${sql}) l ORDER BY line COLLATE "C"`)).rows
    )
      .map(({ line }) => line)
      .join('\n');
  const [{ version } = { version: '' }] = /** @type {{ version: string }[]} */ (
    (await database.query(`SELECT split_part(version(), ' ', 2) AS version`)).rows
  );
  await database.query(`CREATE TEMP TABLE used AS ${usedTypes}`);
  const operators = (/** @type {string} */ where) =>
    lines(`SELECT concat_ws(' ', oprname, coalesce(${name('nullif(oprleft, 0)')}, '-'), ${name('oprright')},
        ${name('oprresult')}) AS line
      FROM pg_operator o WHERE oprright <> 0 AND oprresult <> 0 AND ${where}
        AND oprright IN (SELECT oid FROM used) AND (oprleft = 0 OR oprleft IN (SELECT oid FROM used))`);
  return {
    version,
    types:
      await lines(`SELECT concat_ws('|', typname, typcategory, CASE WHEN typispreferred THEN 1 ELSE 0 END, typtype,
        coalesce(CASE WHEN typsubscript = 'array_subscript_handler'::regproc THEN ${name('nullif(o.typelem, 0)')} END, ''),
        coalesce(${name('nullif(o.typarray, 0)')}, ''), format_type(oid, NULL)) AS line
      FROM pg_type o WHERE oid IN (SELECT oid FROM used)`),
    ranges:
      await lines(`SELECT concat_ws(' ', ${name('rngtypid')}, ${name('rngsubtype')}, ${name('rngmultitypid')}) AS line
      FROM pg_range WHERE rngtypid IN (SELECT oid FROM used)`),
    casts:
      await lines(`SELECT concat_ws(' ', ${name('castsource')}, ${name('casttarget')}, castcontext) AS line
      FROM pg_cast WHERE castsource IN (SELECT oid FROM used) AND casttarget IN (SELECT oid FROM used)`),
    operators: await operators(isOwn('pg_operator')),
    functions: await lines(`SELECT concat_ws('|', proname,
        prokind::text || CASE WHEN proretset THEN 's' ELSE '' END || coalesce((SELECT CASE aggkind WHEN 'n' THEN '' ELSE aggkind::text || aggnumdirectargs END
          FROM pg_aggregate WHERE aggfnoid = o.oid), ''),
        ${name('prorettype')},
        (SELECT coalesce(string_agg(${name('type')}, ' ' ORDER BY nth), '') FROM unnest(proargtypes::oid[]) WITH ORDINALITY AS t (type, nth)),
        CASE WHEN provariadic <> 0 THEN 'v' ELSE '' END, coalesce(nullif(pronargdefaults, 0)::text, ''),
        CASE WHEN proargnames IS NULL THEN '' ELSE
          (SELECT coalesce(string_agg(proargnames[i], ' ' ORDER BY i), '') FROM generate_subscripts(proargnames, 1) AS i
            WHERE proargmodes IS NULL OR proargmodes[i] IN ('i', 'b', 'v')) END,
        CASE WHEN proargmodes IS NULL THEN '' ELSE
          (SELECT coalesce(string_agg(proargnames[i] || ' ' || ${name('proallargtypes[i]')}, ' ' ORDER BY i), '')
            FROM generate_subscripts(proargmodes, 1) AS i WHERE proargmodes[i] IN ('o', 'b', 't')) END) AS line
      FROM (SELECT * FROM pg_proc o WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind <> 'p' AND ${isOwn('pg_proc')}
        AND NOT 'internal'::regtype = ANY (proargtypes::oid[])
        AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'language_handler'::regtype, 'internal'::regtype)) o`).then(
      (text) => text.replaceAll(/\|+$/gm, ''),
    ),
    collations: await lines(`SELECT DISTINCT collname::text AS line FROM pg_collation `),
    zones: await lines(`SELECT DISTINCT lower(name) AS line FROM (SELECT name FROM pg_timezone_names
      UNION SELECT abbrev FROM pg_timezone_abbrevs) z `),
    extensionOperators: await operators(`NOT ${isOwn('pg_operator')}`),
    extensionFunctions: await lines(`SELECT DISTINCT proname::text AS line FROM pg_proc o
      WHERE NOT ${isOwn('pg_proc')} `),
  };
}
