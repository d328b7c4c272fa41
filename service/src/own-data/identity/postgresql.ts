/**
 * The preset `postgresql`: the roles of the server as accounts and roles, and what they hold as access. Everything is
 * read from catalogues that each login may read. Activities, authenticators and people have no counterpart there, so
 * their tables do not exist. (Nor does PostgreSQL record when a role last signed in.)
 */
import type { ColumnClass } from '#api/contract/records/classes.ts';
import type { IdentitySource, IdentityTable } from './tables.ts';

/** Since 16, inheritance belongs to the membership, before to the member. */
const firstWithMemberOptions = 16;
const firstWithParameterAcl = 15;
const firstWithDatabaseOwner = 14;

/** @param major the server's major version */
export function postgresqlPreset(major: number): IdentitySource {
  return {
    shown: 'the preset postgresql',
    description:
      'The roles of this PostgreSQL server: logins as accounts, other roles as roles, their memberships and grants as access.',
    tables: tablesOf(major),
    exports: [],
    explain: (table, { message }) =>
      `The table ${table} of the preset postgresql cannot be made on this server: ${message}.`,
  };
}

/** Local objects only: those of the system belong to the server, not to a person's decisions. */
const isLocal = (schema: string): string =>
  `${schema} NOT IN ('pg_catalog', 'information_schema') AND ${schema} !~ '^pg_(temp|toast)'`;
const named = (schema: string, name: string): string => `format('%I.%I', ${schema}, ${name})`;

const rolesSql = `SELECT 'role/' || r.oid AS role_id, r.rolname::text AS role, r.rolcanlogin AS is_login,
    r.rolsuper AS is_superuser, r.rolcreaterole AS may_create_roles, r.rolcreatedb AS may_create_databases,
    r.rolreplication AS may_replicate, r.rolbypassrls AS bypasses_row_security, r.rolinherit AS inherits,
    NULLIF(r.rolvaliduntil, 'infinity') AS password_valid_until,
    COALESCE(r.rolvaliduntil <= now(), false) AS is_expired,
    NULLIF(r.rolconnlimit, -1) AS connection_limit, r.oid < 16384 AND r.rolname ~ '^pg_' AS is_predefined,
    shobj_description(r.oid, 'pg_authid') AS comment
  FROM pg_roles r`;

function membershipsSql(major: number): string {
  const has = major >= firstWithMemberOptions;
  const given = `SELECT 'membership/' || m.roleid || '/' || m.member || '/' || m.grantor AS membership_id, m.roleid, m.member,
      m.grantor, m.admin_option, ${has ? 'm.inherit_option' : 'NULL::boolean'} AS inherits,
      ${has ? 'm.set_option' : 'true'} AS may_set, false AS is_implicit
    FROM pg_auth_members m`;
  const owner = `UNION ALL SELECT 'membership/owner', o.oid, d.datdba, NULL::oid, false, true, true, true
    FROM pg_database d JOIN pg_roles o ON o.rolname = 'pg_database_owner' AND o.oid < 16384
    WHERE d.datname = current_database()`;
  return `SELECT m.membership_id, 'role/' || m.roleid AS role_id, r.rolname::text AS role, 'role/' || m.member AS member_id,
      u.rolname::text AS member, u.rolcanlogin AS member_is_login, 'role/' || m.grantor AS grantor_id,
      g.rolname::text AS grantor, m.admin_option AS is_grantable, COALESCE(m.inherits, u.rolinherit) AS inherits,
      m.may_set AS may_set_role, m.is_implicit
    FROM (${given} ${major >= firstWithDatabaseOwner ? owner : ''}) m
      JOIN pg_roles r ON r.oid = m.roleid JOIN pg_roles u ON u.oid = m.member LEFT JOIN pg_roles g ON g.oid = m.grantor`;
}

/** Every object that can be granted, with its owner and what is granted on it; NULL stands for the server's default. */
function objectsSql(major: number): string {
  const acl = (own: string, kind: string, owner: string): string =>
    `COALESCE(${own}, acldefault(${kind}, ${owner})) AS acl, ${own} IS NULL AS is_default`;
  const parts = [
    `SELECT 'relation/' || c.oid AS object_id,
      CASE c.relkind WHEN 'S' THEN 'Sequence' WHEN 'v' THEN 'View' WHEN 'm' THEN 'Materialized view'
        WHEN 'f' THEN 'Foreign table' ELSE 'Table' END AS object_type,
      ${named('n.nspname', 'c.relname')} AS object_name, NULL::text AS column_name, c.relowner AS owner,
      ${acl('c.relacl', `CASE c.relkind WHEN 'S' THEN 's'::"char" ELSE 'r'::"char" END`, 'c.relowner')}, false AS is_definer
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND ${isLocal('n.nspname')}`,
    `SELECT 'column/' || c.oid || '/' || a.attnum, 'Column', ${named('n.nspname', 'c.relname')}, a.attname::text, c.relowner,
      a.attacl, false, false
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE a.attacl IS NOT NULL AND NOT a.attisdropped AND ${isLocal('n.nspname')}`,
    `SELECT 'schema/' || n.oid, 'Schema', quote_ident(n.nspname), NULL, n.nspowner, ${acl('n.nspacl', `'n'`, 'n.nspowner')}, false
    FROM pg_namespace n WHERE ${isLocal('n.nspname')}`,
    `SELECT 'database/' || d.oid, 'Database', quote_ident(d.datname), NULL, d.datdba, ${acl('d.datacl', `'d'`, 'd.datdba')}, false
    FROM pg_database d WHERE NOT d.datistemplate`,
    `SELECT 'function/' || p.oid, CASE p.prokind WHEN 'p' THEN 'Procedure' ELSE 'Function' END,
      ${named('n.nspname', 'p.proname')} || '(' || pg_get_function_identity_arguments(p.oid) || ')', NULL, p.proowner,
      ${acl('p.proacl', `'f'`, 'p.proowner')}, p.prosecdef
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${isLocal('n.nspname')}`,
    `SELECT 'type/' || t.oid, 'Type', ${named('n.nspname', 't.typname')}, NULL, t.typowner, ${acl('t.typacl', `'T'`, 't.typowner')}, false
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE t.typtype <> 'm' AND COALESCE(c.relkind, 'c') = 'c' AND ${isLocal('n.nspname')}
      AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid)`,
    `SELECT 'language/' || l.oid, 'Language', quote_ident(l.lanname), NULL, l.lanowner, ${acl('l.lanacl', `'l'`, 'l.lanowner')}, false
    FROM pg_language l WHERE l.lanispl`,
    `SELECT 'tablespace/' || t.oid, 'Tablespace', quote_ident(t.spcname), NULL, t.spcowner, ${acl('t.spcacl', `'t'`, 't.spcowner')}, false
    FROM pg_tablespace t`,
    `SELECT 'wrapper/' || w.oid, 'Foreign data wrapper', quote_ident(w.fdwname), NULL, w.fdwowner, ${acl('w.fdwacl', `'F'`, 'w.fdwowner')}, false
    FROM pg_foreign_data_wrapper w`,
    `SELECT 'server/' || s.oid, 'Foreign server', quote_ident(s.srvname), NULL, s.srvowner, ${acl('s.srvacl', `'S'`, 's.srvowner')}, false
    FROM pg_foreign_server s`,
    `SELECT 'large-object/' || o.oid, 'Large object', o.oid::text, NULL, o.lomowner, ${acl('o.lomacl', `'L'`, 'o.lomowner')}, false
    FROM pg_largeobject_metadata o`,
    `SELECT 'default/' || d.oid, 'Default privileges',
      CASE d.defaclobjtype WHEN 'r' THEN 'tables' WHEN 'S' THEN 'sequences' WHEN 'f' THEN 'functions' WHEN 'T' THEN 'types'
        WHEN 'n' THEN 'schemas' ELSE 'large objects' END || COALESCE(' in ' || quote_ident(n.nspname), ''), NULL, d.defaclrole,
      d.defaclacl, false, false
    FROM pg_default_acl d LEFT JOIN pg_namespace n ON n.oid = d.defaclnamespace`,
    ...(major >= firstWithParameterAcl
      ? [
          `SELECT 'parameter/' || p.oid, 'Parameter', p.parname, NULL, 10::oid, p.paracl, false, false FROM pg_parameter_acl p`,
        ]
      : []),
  ];
  return parts.join('\n    UNION ALL ');
}

/** Objects that have an owner, and that nothing can be granted on. The prefix is that of the catalogue's columns. */
const ungrantable: readonly (readonly [
  type: string,
  catalogue: string,
  prefix: string,
  isInSchema: boolean,
])[] = [
  ['Collation', 'pg_collation', 'coll', true],
  ['Conversion', 'pg_conversion', 'con', true],
  ['Event trigger', 'pg_event_trigger', 'evt', false],
  ['Extension', 'pg_extension', 'ext', false],
  ['Operator', 'pg_operator', 'opr', true],
  ['Operator class', 'pg_opclass', 'opc', true],
  ['Operator family', 'pg_opfamily', 'opf', true],
  ['Publication', 'pg_publication', 'pub', false],
  ['Statistics', 'pg_statistic_ext', 'stx', true],
  ['Text search configuration', 'pg_ts_config', 'cfg', true],
  ['Text search dictionary', 'pg_ts_dict', 'dict', true],
];
/** Before 15, not every login may read the OID of a subscription. */
const ungrantableSql = `
    UNION ALL SELECT 'subscription/' || s.subdbid || '/' || s.subname, 'Subscription', quote_ident(s.subname), s.subowner, false
    FROM pg_subscription s${ungrantable
      .map(
        ([type, catalogue, prefix, isInSchema]) => `
    UNION ALL SELECT '${type.toLowerCase().replaceAll(' ', '-')}/' || o.oid, '${type}',
      (pg_identify_object('${catalogue}'::regclass, o.oid, 0)).identity, o.${prefix}owner, false
    FROM ${catalogue} o ${isInSchema ? `JOIN pg_namespace n ON n.oid = o.${prefix}namespace WHERE ${isLocal('n.nspname')}` : ''}`,
      )
      .join('')}`;

const ownedSql = (major: number): string => `SELECT o.object_id, o.object_type, o.object_name,
    'role/' || o.owner AS owner_id, r.rolname::text AS owner, r.rolcanlogin AS owner_is_login,
    r.rolsuper AS owner_is_superuser, COALESCE(r.rolvaliduntil <= now(), false) AS owner_is_expired,
    o.is_definer AS runs_as_owner
  FROM (SELECT g.object_id, g.object_type, g.object_name, g.owner, g.is_definer FROM (${objectsSql(major)}) g
      WHERE g.object_type NOT IN ('Column', 'Parameter', 'Default privileges')${ungrantableSql}) o
    LEFT JOIN pg_roles r ON r.oid = o.owner`;

const grantsSql = (
  major: number,
): string => `SELECT o.object_id || '/' || g.grantor || '/' || g.grantee || '/' || g.privilege_type AS grant_id,
    o.object_id, o.object_type, o.object_name, o.column_name, 'role/' || o.owner AS owner_id, w.rolname::text AS owner,
    COALESCE(w.rolsuper, false) AS owner_is_superuser, g.privilege_type AS privilege, 'role/' || g.grantee AS grantee_id,
    CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE e.rolname::text END AS grantee, COALESCE(e.rolcanlogin, false) AS grantee_is_login,
    'role/' || g.grantor AS grantor_id, t.rolname::text AS grantor, g.is_grantable, g.grantee = o.owner AS is_owner,
    o.is_default, o.is_definer AS runs_as_owner
  FROM (${objectsSql(major)}) o CROSS JOIN LATERAL aclexplode(o.acl) g
    LEFT JOIN pg_roles w ON w.oid = o.owner LEFT JOIN pg_roles e ON e.oid = g.grantee LEFT JOIN pg_roles t ON t.oid = g.grantor`;

/** The attributes of roles, which are access to the server itself. */
const attributes = [
  ['SUPERUSER', 'is_superuser', 'May do everything, and is bound by no grant.'],
  ['CREATEROLE', 'may_create_roles', 'May create roles, and change those that it administers.'],
  ['CREATEDB', 'may_create_databases', 'May create databases.'],
  ['REPLICATION', 'may_replicate', 'May copy the whole server.'],
  ['BYPASSRLS', 'bypasses_row_security', 'Row level security does not bind it.'],
] as const;
const attributesOf = (role: string): string =>
  `array_remove(ARRAY[${attributes.map(([name, column]) => `CASE WHEN ${role}.${column} THEN '${name}' END`).join(', ')}], NULL)`;

const object = (profile: string): string =>
  `jsonb_build_object('ApplicationInstanceId', (SELECT md5(d.oid || '/' || d.datname)::uuid FROM pg_database d WHERE d.datname = current_database()),
    'Profile', '${profile}', 'ObjectOrRelationshipType', '${profile}')`;

const accountsSql = `SELECT r.role_id AS id, r.role_id AS global_id, r.role AS alias, r.role AS display_name,
    r.is_superuser OR COALESCE(r.connection_limit, 1) <> 0 AS enabled, r.is_superuser OR r.may_create_roles AS is_admin,
    COALESCE((${attributesOf('r')})[1], 'LOGIN') AS account_role, (${attributesOf('r')})[2:] AS secondary_account_roles,
    r.password_valid_until AS expiration_date, ${object('Account')} AS object_metadata
  FROM (${rolesSql}) r WHERE r.is_login`;

const groupRolesSql = (
  major: number,
): string => `SELECT r.role_id AS id, r.role_id AS global_id, r.role AS name, NOT r.is_predefined AS is_custom,
    CASE WHEN r.is_predefined THEN 'Standard' ELSE 'Custom' END AS type,
    CASE WHEN r.is_predefined THEN 'predefined role' ELSE 'role' END AS application_role_type, r.comment AS description,
    COALESCE(m.members, 0)::numeric AS analytics_member_count, COALESCE(m.logins, 0)::numeric AS analytics_member_accounts_count,
    ${object('Role')} AS object_metadata
  FROM (${rolesSql}) r LEFT JOIN (SELECT role_id, count(DISTINCT member_id) AS members,
      count(DISTINCT member_id) FILTER (WHERE member_is_login) AS logins FROM (${membershipsSql(major)}) each GROUP BY role_id) m
    ON m.role_id = r.role_id
  WHERE NOT r.is_login
  UNION ALL SELECT 'role/0', 'role/0', 'PUBLIC', false, 'Standard', 'every role', 'Every role is a member.', NULL, NULL, ${object('Role')}`;

const accountRolesSql = [...attributes, ['LOGIN', '', 'May sign in.'] as const]
  .map(
    ([name]) =>
      `SELECT 'attribute/${name}' AS id, 'attribute/${name}' AS global_id, '${name}' AS name, '${name}' AS display_name, ${object('AccountRole')} AS object_metadata`,
  )
  .join(' UNION ALL ');

const entitlement = (name: string, flags: string, facts: string): string =>
  `jsonb_build_object('reason', 'AccessControl', 'reasonSpecificData', jsonb_build_object('name', ${name}, 'enabled', true,
    'permissions', jsonb_build_object(${flags}), 'accessControlMetadata', jsonb_build_array(${facts})))`;
const fact = (name: string, value: string): string =>
  `jsonb_build_object('name', '${name}', 'value', ${value})`;

const accessSql = (
  major: number,
): string => `SELECT x.id, x.id AS global_id, x.entity AS entity_id, x.entity_type, x.object AS assigned_object_id, x.object_type AS assigned_object_type,
    x.specification AS entitlement_specification, x.entity AS global_entity_id, x.entity_type AS global_entity_type,
    x.global_object AS global_assigned_object_id, x.object_type AS global_assigned_object_type, ${object('EntityAssignedAccessToObject')} AS object_metadata
  FROM (
    SELECT g.grant_id AS id, g.grantee_id AS entity, CASE WHEN g.grantee_is_login THEN 'Account' ELSE 'Role' END AS entity_type,
      g.object_name || COALESCE('.' || quote_ident(g.column_name), '') AS object, g.object_id AS global_object, g.object_type,
      ${entitlement(
        'g.privilege',
        `'isRead', g.privilege IN ('SELECT', 'USAGE', 'CONNECT'), 'isCreate', g.privilege IN ('INSERT', 'CREATE', 'TEMPORARY'),
        'isUpdate', g.privilege IN ('UPDATE', 'SET', 'ALTER SYSTEM', 'TRIGGER', 'REFERENCES', 'MAINTAIN'),
        'isDelete', g.privilege IN ('DELETE', 'TRUNCATE'), 'isExecute', g.privilege = 'EXECUTE', 'isShare', g.is_grantable OR g.is_owner,
        'ownershipLevel', CASE WHEN g.is_owner THEN 'Owner' ELSE 'None' END`,
        [
          fact('grantor', 'g.grantor_id'),
          fact('owner', 'g.owner_id'),
          fact('isDefault', 'g.is_default'),
        ].join(', '),
      )} AS specification
    FROM (${grantsSql(major)}) g
    UNION ALL SELECT m.membership_id, m.member_id, CASE WHEN m.member_is_login THEN 'Account' ELSE 'Role' END, m.role, m.role_id, 'Role',
      ${entitlement(
        `'MEMBER'`,
        `'isShare', m.is_grantable`,
        [
          fact('grantor', 'm.grantor_id'),
          fact('inherit', 'm.inherits'),
          fact('set', 'm.may_set_role'),
          fact('isImplicit', 'm.is_implicit'),
        ].join(', '),
      )}
    FROM (${membershipsSql(major)}) m
    UNION ALL SELECT r.role_id || '/' || a.name, r.role_id, CASE WHEN r.is_login THEN 'Account' ELSE 'Role' END, a.name, 'attribute/' || a.name,
      'AccountRole', ${entitlement('a.name', `'isPrivileged', true`, '')}
    FROM (${rolesSql}) r CROSS JOIN LATERAL unnest(${attributesOf('r')}) a(name)) x`;

function tablesOf(major: number): readonly IdentityTable[] {
  return [
    table('accounts', 'Roles that can sign in.', accountsSql, {
      alias: 'Name of the role.',
      enabled: 'Whether it may connect: its connection limit is not 0.',
      is_admin: 'Whether it is a superuser or may create roles.',
      account_role: 'Its strongest attribute, or LOGIN.',
      secondary_account_roles: 'Its other attributes.',
      expiration_date: 'Until when its password is valid.',
    }),
    table('roles', 'Roles that cannot sign in, the predefined ones, and PUBLIC.', groupRolesSql(major), {
      description: 'Comment on the role.',
      analytics_member_count: 'Direct members.',
      analytics_member_accounts_count: 'Direct members that can sign in.',
    }),
    table('account_roles', 'Attributes of roles.', accountRolesSql, {}),
    table(
      'entity_assigned_access_to_object',
      'Grants, memberships and attributes, a row each. postgres_grants and postgres_memberships have them in columns.',
      accessSql(major),
      {
        entity_id: 'The role that has the access.',
        assigned_object_id: 'Name of the object, with its schema.',
        entitlement_specification: 'The privilege, whether it may be granted on, and who granted it.',
      },
    ),
    ownTable('role_id', 'postgres_roles', 'Every role with its attributes.', rolesSql, {
      role_id: 'ID in every table of this model.',
      password_valid_until: 'Until when its password is valid; null for ever.',
      is_expired: 'Whether its password is no longer valid.',
      connection_limit: 'Most connections at a time; null without a limit.',
      inherits: 'Whether new memberships give their privileges without SET ROLE.',
      is_predefined: 'Whether it is one of the predefined roles of PostgreSQL.',
    }),
    ownTable(
      'membership_id',
      'postgres_memberships',
      'Memberships of roles in roles, a row for each grantor.',
      membershipsSql(major),
      {
        is_grantable: 'ADMIN OPTION: whether the member may make others members.',
        inherits: 'Whether the member has the privileges of the role without SET ROLE.',
        may_set_role: 'Whether the member may become the role with SET ROLE.',
        is_implicit: 'The owner of the database is a member of pg_database_owner without a grant.',
      },
    ),
    ownTable(
      'grant_id',
      'postgres_grants',
      'Privileges on objects and columns, a row for each privilege, grantee and grantor. Superusers need none.',
      grantsSql(major),
      {
        object_name: 'Name with its schema.',
        column_name: 'For a privilege on one column.',
        grantee: 'The role that has the privilege; PUBLIC is every role.',
        is_grantable: 'GRANT OPTION: whether the grantee may grant it to others.',
        is_owner: 'Whether the grantee owns the object.',
        is_default: 'Whether nobody granted or revoked anything on the object.',
        runs_as_owner: 'SECURITY DEFINER: whether a function runs with the rights of its owner.',
      },
    ),
    ownTable(
      'object_id',
      'postgres_objects',
      'Objects outside the schemas of the system, with their owners.',
      ownedSql(major),
      {
        object_name: 'Name with its schema.',
        runs_as_owner: 'SECURITY DEFINER: whether a function runs with the rights of its owner.',
      },
    ),
  ];
}

function table(
  name: string,
  description: string,
  sql: string,
  columns: IdentityTable['columns'],
): IdentityTable {
  return { name, description, sql, columns };
}

/** Returns a table that no collection has. */
function ownTable(key: string, ...described: Parameters<typeof table>): IdentityTable {
  return {
    ...table(...described),
    key,
    classOf: ownClassOf,
    relationOf(column) {
      if (column === key || !column.endsWith('_id')) return undefined;
      return column === 'object_id'
        ? { table: 'postgres_objects', column }
        : { table: 'postgres_roles', column: 'role_id' };
    },
  };
}

/** What an agent may see of the preset's own tables. */
function ownClassOf(column: string): ColumnClass {
  if (column.endsWith('_id')) return 'identifier';
  if (column === 'comment') return 'free text';
  return ['role', 'member', 'grantor', 'grantee', 'owner'].includes(column) ? 'personal' : 'harmless';
}
