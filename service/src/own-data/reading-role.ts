/**
 * Tests the login before it is trusted. The login is the boundary: what it may not do, no query can do. A query reaches
 * every schema, so the login must be unable to write anything in the database, to become a role that can, or to reach
 * around the server's own rules.
 */
import type { Rows } from './database.ts';

export interface RoleReport {
  /** Why the login is refused; each a clause such as "it is a superuser". */
  readonly blocking: readonly string[];
  /** Sentences about what the login can do beyond reading. */
  readonly warnings: readonly string[];
}

interface Reached {
  readonly oid: number;
  readonly name: string;
  readonly isSelf: boolean;
  readonly super: boolean;
  readonly bypassrls: boolean;
  readonly replication: boolean;
  readonly createrole: boolean;
}

/** The owner of the database is a member of pg_database_owner, which no catalogue lists. */
const reachedSql = `WITH RECURSIVE reached(oid) AS (
    SELECT oid FROM pg_catalog.pg_roles WHERE rolname = session_user
    UNION SELECT m.roleid FROM (
      SELECT roleid, member FROM pg_catalog.pg_auth_members
      UNION ALL SELECT o.oid, d.datdba FROM pg_catalog.pg_database d
        JOIN pg_catalog.pg_roles o ON o.rolname = 'pg_database_owner' AND o.oid < 16384
        WHERE d.datname = pg_catalog.current_database()) m JOIN reached r ON m.member = r.oid)
  SELECT r.oid::pg_catalog.int8::pg_catalog.float8 AS oid, r.rolname::pg_catalog.text AS name,
    r.rolname = session_user AS "isSelf", r.rolsuper AS super, r.rolbypassrls AS bypassrls,
    r.rolreplication AS replication, r.rolcreaterole AS createrole
  FROM pg_catalog.pg_roles r JOIN reached USING (oid)`;

const powers = [
  ['super', 'a superuser'],
  ['bypassrls', 'a role that row level security does not bind (BYPASSRLS)'],
  ['replication', 'a role that may copy the whole server (REPLICATION)'],
  ['createrole', 'a role that may make other roles (CREATEROLE)'],
] as const;

/** Predefined roles that may write, run programs, read files, or end the sessions of others. */
const predefined =
  /^pg_(?:write_.*|read_server_files|execute_server_program|signal_backend|signal_autovacuum_worker|maintain|create_subscription|checkpoint)$/;

/**
 * @param schemas the served schemas
 * @param needs.temporary whether a preset or a mapping needs temporary views
 */
export async function testRole(
  rows: Rows,
  schemas: readonly string[],
  needs: { readonly temporary: boolean } = { temporary: false },
): Promise<RoleReport> {
  const reached = (await rows(reachedSql)) as unknown as readonly Reached[]; // the columns of reachedSql
  const blocking: string[] = [];
  for (const role of reached) {
    const who = role.isSelf ? 'it is' : `it is a member of ${role.name},`;
    // A superuser has every power, so the others would say nothing.
    const held = powers.filter(([power]) => role[power] && (power === 'super' || !role.super));
    for (const [, words] of held) blocking.push(`${who} ${words}`);
    if (!role.isSelf && predefined.test(role.name)) blocking.push(`it is a member of ${role.name}`);
  }
  if (reached.some((role) => role.super)) return { blocking, warnings: [] };
  const oids = reached.map(({ oid }) => oid);
  const named = (list: readonly { readonly name: string }[]): string => {
    const shown = list.slice(0, 3).map(({ name }) => name);
    return `${shown.join(', ')}${list.length > 3 ? ` and ${list.length - 3} more` : ''}`;
  };
  const look = async (sql: string): Promise<readonly { readonly name: string }[]> =>
    await rows<{ name: string }>(sql, [schemas, oids]);
  const block = async (words: string, sql: string): Promise<void> => {
    const found = await look(sql);
    if (found.length > 0) blocking.push(`${words} ${named(found)}`);
  };
  await block('it owns', ownedSql);
  await block('it may write', writableSql);
  await block('it may write columns of', writableColumnsSql);
  await block('it may write the large objects', largeObjectsSql);
  await block('it may call functions that the server keeps from others:', keptFunctionsSql);
  const [keepsSettings] = await rows<{ is: boolean }>(
    `SELECT pg_catalog.to_regclass('pg_catalog.pg_parameter_acl') IS NOT NULL AS is`,
  );
  if (keepsSettings?.is === true) await block("it may change the server's settings:", serverSettingsSql);
  const warnings: string[] = [];
  const warn = async (sql: string, say: (what: string) => string): Promise<void> => {
    const found = await look(sql);
    if (found.length > 0) warnings.push(say(named(found)));
  };
  await warn(creatableSql, (what) => `The login may create objects in ${what}. Revoke CREATE there.`);
  await warn(
    schemasSql,
    (what) => `The login may create schemas in the database ${what}. Revoke CREATE on the database.`,
  );
  await warn(
    laterSql,
    (what) =>
      `The login may write tables or sequences that are made later by ${what}. Take that back with ALTER DEFAULT PRIVILEGES.`,
  );
  if (!needs.temporary)
    await warn(
      temporarySql,
      (what) =>
        `The login may create temporary tables in the database ${what}. Only a preset and a mapping need that: REVOKE TEMPORARY ON DATABASE ${what} FROM PUBLIC;`,
    );
  await warn(
    definerSql,
    (what) =>
      `The login may call functions that run with the rights of their owner: ${what}. Revoke EXECUTE on what it must not call.`,
  );
  await warn(
    untrustedSql,
    (what) =>
      `The login may call functions in languages that the server does not bound, which may do what its operating system lets it: ${what}. Revoke EXECUTE on what it must not call.`,
  );
  await warn(
    extensionsSql,
    (what) =>
      `The login may call functions of extensions that reach other servers: ${what}. Revoke EXECUTE on their functions.`,
  );
  await warn(
    plantedSql,
    (what) =>
      `Others than its owner may create objects in ${what}, such as operators that a query would use.`,
  );
  await warn(
    policyViewsSql,
    (what) => `Views read tables with row level security as their owner, not as this login: ${what}.`,
  );
  await warn(
    settingPoliciesSql,
    (what) =>
      `Policies of ${what} depend on current_setting, which a query may change: for the readers of this service they are no boundary.`,
  );
  return { blocking, warnings };
}

/** $1 is the list of served schemas, $2 the list of roles that the login is or can become. */
const given = `(SELECT $1::pg_catalog.text[] AS schemas,
  $2::pg_catalog.float8[]::pg_catalog.int8[]::pg_catalog.oid[] AS roles) a`;
const relations = `pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  CROSS JOIN ${given}`;
const served = `${relations} WHERE n.nspname = ANY (a.schemas) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`;
const notSystem = `n.nspname !~ '^pg_(?:temp|toast)' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`;
/** What a query may name, also in schemas that are not served, such as a partition of a served table. */
const own = `${relations} WHERE ${notSystem} AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  AND (n.nspname = ANY (a.schemas) OR EXISTS (
    SELECT FROM pg_catalog.unnest(a.roles) r WHERE pg_catalog.has_schema_privilege(r, n.oid, 'USAGE')))`;
const relation = "pg_catalog.format('%I.%I', n.nspname, c.relname)";
const isWritable = `CASE c.relkind WHEN 'S' THEN pg_catalog.has_sequence_privilege(r, c.oid, 'USAGE, UPDATE')
  ELSE pg_catalog.has_table_privilege(r, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER' ||
    CASE WHEN pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 170000 THEN ', MAINTAIN' ELSE '' END) END`;

const ownedSql = `SELECT ${relation} AS name FROM ${own} AND c.relowner = ANY (a.roles)
  UNION ALL SELECT 'the schema ' || n.nspname FROM pg_catalog.pg_namespace n CROSS JOIN ${given}
    WHERE ${notSystem} AND n.nspowner = ANY (a.roles)
  UNION ALL SELECT 'the database ' || d.datname FROM pg_catalog.pg_database d CROSS JOIN ${given}
    WHERE d.datname = pg_catalog.current_database() AND d.datdba = ANY (a.roles)
  ORDER BY 1 LIMIT 1000`;
const writableSql = `SELECT ${relation} AS name FROM ${own} AND EXISTS (
    SELECT FROM pg_catalog.unnest(a.roles) r WHERE ${isWritable}) ORDER BY 1 LIMIT 1000`;
const writableColumnsSql = `SELECT ${relation} AS name FROM ${own} AND c.relkind <> 'S' AND EXISTS (
    SELECT FROM pg_catalog.unnest(a.roles) r WHERE NOT ${isWritable}
      AND pg_catalog.has_any_column_privilege(r, c.oid, 'INSERT, UPDATE')) ORDER BY 1 LIMIT 1000`;
const largeObjectsSql = `SELECT o.oid::pg_catalog.text AS name FROM pg_catalog.pg_largeobject_metadata o CROSS JOIN ${given}
  WHERE o.lomowner = ANY (a.roles) OR pg_catalog.current_setting('lo_compat_privileges')::pg_catalog.bool OR EXISTS (
    SELECT FROM pg_catalog.aclexplode(o.lomacl) g
    WHERE g.privilege_type = 'UPDATE' AND (g.grantee = 0 OR g.grantee = ANY (a.roles))) ORDER BY o.oid LIMIT 1000`;
/**
 * Such as pg_read_file and lo_export: PUBLIC could not call them when the server was made. Predefined roles that only
 * read, such as pg_monitor, have some of them.
 */
const keptFunctionsSql = `SELECT DISTINCT p.proname::pg_catalog.text AS name FROM pg_catalog.pg_proc p
    JOIN pg_catalog.pg_init_privs i ON i.objoid = p.oid AND i.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass
    CROSS JOIN ${given}
    CROSS JOIN pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) g
  WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
    AND (g.grantee = 0 OR g.grantee = ANY (a.roles) AND g.grantee >= 16384)
    AND NOT EXISTS (SELECT FROM pg_catalog.aclexplode(i.initprivs) e WHERE e.grantee = 0) ORDER BY 1 LIMIT 1000`;
/** By ALTER SYSTEM, since PostgreSQL 15. */
const serverSettingsSql = `SELECT s.parname AS name FROM pg_catalog.pg_parameter_acl s
    CROSS JOIN ${given}
  WHERE EXISTS (SELECT FROM pg_catalog.aclexplode(s.paracl) g
    WHERE g.privilege_type = 'ALTER SYSTEM' AND (g.grantee = 0 OR g.grantee = ANY (a.roles))) ORDER BY 1`;
const creatableSql = `SELECT n.nspname::pg_catalog.text AS name FROM pg_catalog.pg_namespace n CROSS JOIN ${given}
  WHERE ${notSystem} AND EXISTS (
    SELECT FROM pg_catalog.unnest(a.roles) r WHERE pg_catalog.has_schema_privilege(r, n.oid, 'CREATE')) ORDER BY 1`;
const schemasSql = `SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS name FROM ${given}
  WHERE EXISTS (SELECT FROM pg_catalog.unnest(a.roles) r
    WHERE pg_catalog.has_database_privilege(r, pg_catalog.current_database(), 'CREATE'))`;
const laterSql = `SELECT DISTINCT pg_catalog.quote_ident(o.rolname)
    || COALESCE(' in the schema ' || pg_catalog.quote_ident(n.nspname), '') AS name
  FROM pg_catalog.pg_default_acl d JOIN pg_catalog.pg_roles o ON o.oid = d.defaclrole
    LEFT JOIN pg_catalog.pg_namespace n ON n.oid = d.defaclnamespace
    CROSS JOIN ${given} CROSS JOIN pg_catalog.aclexplode(d.defaclacl) g
  WHERE d.defaclobjtype IN ('r', 'S') AND g.privilege_type NOT IN ('SELECT', 'REFERENCES')
    AND g.grantee <> d.defaclrole AND (g.grantee = 0 OR g.grantee = ANY (a.roles)) ORDER BY 1 LIMIT 1000`;
const temporarySql = `SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS name FROM ${given}
  WHERE pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMP')`;
/** Only an event calls a function for triggers. */
const mayCall = `EXISTS (
    SELECT FROM pg_catalog.unnest(a.roles) r WHERE pg_catalog.has_function_privilege(r, p.oid, 'EXECUTE')
      AND pg_catalog.has_schema_privilege(r, n.oid, 'USAGE'))
  AND p.prorettype NOT IN ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)`;
const definerSql = `SELECT p.oid::pg_catalog.regprocedure::pg_catalog.text AS name FROM pg_catalog.pg_proc p
  JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace CROSS JOIN ${given}
  WHERE p.prosecdef AND ${notSystem} AND ${mayCall} ORDER BY 1 LIMIT 1000`;
/** Those of extensions in C are known by the name of the extension; those of a range type were made with it. */
const untrustedSql = `SELECT p.oid::pg_catalog.regprocedure::pg_catalog.text AS name FROM pg_catalog.pg_proc p
  JOIN pg_catalog.pg_language l ON l.oid = p.prolang AND NOT l.lanpltrusted
  JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace CROSS JOIN ${given}
  WHERE ${notSystem} AND (l.lanispl OR NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
      WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype IN ('e', 'i')))
    AND ${mayCall} ORDER BY 1 LIMIT 1000`;
const extensionsSql = `SELECT e.extname::pg_catalog.text AS name FROM pg_catalog.pg_extension e CROSS JOIN ${given}
  WHERE e.extname IN ('dblink', 'http', 'pg_net', 'pg_background', 'pg_curl', 'plsh') AND EXISTS (
    SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_proc p ON p.oid = d.objid
      CROSS JOIN pg_catalog.unnest(a.roles) r
    WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.refobjid = e.oid AND d.deptype = 'e'
      AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
      AND pg_catalog.has_function_privilege(r, p.oid, 'EXECUTE')
      AND pg_catalog.has_schema_privilege(r, p.pronamespace, 'USAGE')) ORDER BY 1`;
const plantedSql = `SELECT DISTINCT n.nspname::pg_catalog.text AS name FROM pg_catalog.pg_namespace n CROSS JOIN ${given}
  CROSS JOIN pg_catalog.aclexplode(COALESCE(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) g
  WHERE g.privilege_type = 'CREATE' AND g.grantee <> n.nspowner
    AND (n.nspname = ANY (a.schemas) OR EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE e.extnamespace = n.oid))
    AND ${notSystem} ORDER BY 1`;
/** Also over other views: one of them that reads as its owner is enough, and a materialized view always does. */
const policyViewsSql = `WITH RECURSIVE reads (view, relation, is_owner) AS (
    SELECT w.ev_class, d.refobjid, v.relkind = 'm' OR NOT COALESCE(
      pg_catalog.array_to_string(v.reloptions, ',') ~* '(^|,)security_invoker=(true|on|yes|1)(,|$)', false)
    FROM pg_catalog.pg_rewrite w JOIN pg_catalog.pg_class v ON v.oid = w.ev_class AND v.relkind IN ('v', 'm')
      JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
        AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> w.ev_class
  ), reached (view, relation, is_owner) AS (
    SELECT * FROM reads
    UNION SELECT o.view, i.relation, o.is_owner OR i.is_owner FROM reached o JOIN reads i ON i.view = o.relation
  )
  SELECT DISTINCT ${relation} AS name FROM ${served} AND EXISTS (
    SELECT FROM reached r JOIN pg_catalog.pg_class t ON t.oid = r.relation AND t.relrowsecurity
    WHERE r.view = c.oid AND r.is_owner) ORDER BY 1 LIMIT 1000`;
/** Also by a function that a policy calls. */
const settingPoliciesSql = `SELECT DISTINCT ${relation} AS name FROM ${served} AND EXISTS (
    SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND (
      pg_catalog.concat(pg_catalog.pg_get_expr(p.polqual, p.polrelid), pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)) ~ 'current_setting'
      OR EXISTS (SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_proc f ON f.oid = d.refobjid AND f.prokind = 'f'
        WHERE d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND d.objid = p.oid
          AND d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
          AND pg_catalog.pg_get_functiondef(f.oid) ~ 'current_setting')))
  ORDER BY 1 LIMIT 1000`;
