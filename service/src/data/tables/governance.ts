/** The model platform_governance: records from platform_identity, joined for access reviews. */
export interface GovernanceView {
  readonly name: string;
  readonly description: string;
  readonly sql: string;
  readonly columns: Readonly<Record<string, string>>;
}

const identity = 'platform_identity';

export const governanceViews: readonly GovernanceView[] = [
  {
    name: 'access',
    description: 'One row for each access of an account, with its owner and last use: the items of a review.',
    sql: `
      SELECT x.global_id AS access_global_id, a.global_id AS account_global_id, a.alias AS account_alias,
        a.display_name AS account_name, a.email AS account_email, a.type AS account_type, a.department, a.title,
        a.enabled AS account_enabled, a.is_admin AS account_is_admin,
        x.assigned_object_type AS object_type, x.global_assigned_object_id AS object_global_id,
        coalesce(r.name, x.assigned_object_id) AS object_name,
        x.entitlement_specification -> 'reasonSpecificData' ->> 'name' AS entitlement,
        coalesce((x.entitlement_specification -> 'reasonSpecificData' -> 'permissions' ->> 'isPrivileged')::boolean, false) AS is_privileged,
        jsonb_array_length(a.enriched_mfa_status -> 'enrolledAuthenticationMethods' -> 'entries') > 0 AS has_mfa,
        coalesce(NOT d.enabled, false) AS owner_has_left, a.manager_emails,
        x.analytics_first_activity_date AS first_used, x.analytics_last_activity_date AS last_used,
        x.analytics_days_since_last_activity AS days_since_last_use
      FROM ${identity}.entity_assigned_access_to_object x
      JOIN ${identity}.accounts a ON a.global_id = x.global_entity_id
      LEFT JOIN ${identity}.accounts d ON d.global_id = a.global_directory_entry_id
      LEFT JOIN ${identity}.roles r ON r.global_id = x.global_assigned_object_id`,
    columns: {
      access_global_id: 'Global ID of the access assignment.',
      account_global_id: 'Global ID of the account.',
      account_alias: 'User name of the account.',
      account_name: 'Name of the holder.',
      object_type: 'Type of the assigned object: a role, an application or a group.',
      object_name: 'Name of the role, or the local id of another object.',
      entitlement: 'What may be done.',
      is_privileged: 'Whether the access is administrative.',
      has_mfa: 'Whether the account has an enrolled authentication method.',
      owner_has_left: "Whether the holder's directory account is disabled.",
      last_used: 'When the access was last used; null when never.',
      days_since_last_use: 'Days since then; null when never.',
    },
  },
  {
    name: 'privileged_access',
    description: 'The rows of access that are administrative.',
    sql: `SELECT * FROM platform_governance.access WHERE is_privileged`,
    columns: {},
  },
  {
    name: 'people',
    description: 'One row a person of the directory, with the accounts that belong to them.',
    sql: `
      SELECT d.global_id AS directory_account_global_id, d.display_name AS name, d.email, d.department, d.title,
        d.enabled AS is_employed, d.manager_emails,
        count(a.global_id) AS accounts, count(a.global_id) FILTER (WHERE a.enabled) AS enabled_accounts,
        count(a.global_id) FILTER (WHERE a.is_admin) AS admin_accounts, max(a.last_activity_date) AS last_activity_date
      FROM ${identity}.accounts d
      LEFT JOIN ${identity}.accounts a ON a.global_directory_entry_id = d.global_id
      WHERE d.object_metadata ->> 'Profile' = 'DirectoryAccount'
      GROUP BY d.global_id`,
    columns: {
      is_employed: "Whether the person's directory account is enabled.",
      accounts: 'Accounts in other applications.',
      enabled_accounts: 'Those that can sign in.',
      admin_accounts: 'Those that administer.',
    },
  },
];
