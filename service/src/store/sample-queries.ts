/** A new sandbox's saved queries: useful questions, grouped by the part of the name before the slash. */
import type { SavedQueryCreate } from '#api/contract/saved-queries.ts';

type Sample = SavedQueryCreate & { model: string };

function sample(name: string, description: string, sql: string, model = 'platform_identity'): Sample {
  return { name, description, model, query_string: `${sql.trim()}\n` };
}

export const sampleQueries: readonly Sample[] = [
  sample(
    'Access reviews/Accounts still enabled after their owner left',
    'The directory entry of the owner is disabled, the account in the application is not.',
    `
SELECT a.alias, a.email, a.object_metadata ->> 'Profile' AS profile, a.is_admin,
       d.display_name AS owner, d.last_modified_date AS owner_left_on, a.last_activity_date,
       a.global_id
FROM accounts a
JOIN accounts d ON d.global_id = a.global_directory_entry_id
WHERE a.enabled
  AND NOT d.enabled
ORDER BY a.is_admin DESC, a.last_activity_date DESC NULLS LAST`,
  ),
  sample(
    'Access reviews/Stale accounts still enabled',
    'The account has not been used for a while, or ever, and can still sign in.',
    `
-- @param stale_days int = 90 Days without any activity
SELECT alias, email, department, type, is_admin, created_date, last_activity_date, global_id
FROM accounts
WHERE enabled
  AND coalesce(last_activity_date, created_date) < now() - make_interval(days => :stale_days)
ORDER BY last_activity_date NULLS FIRST, alias`,
  ),
  sample(
    'Access reviews/Admins without MFA',
    'Enabled administrators with no enrolled authentication method.',
    `
SELECT alias, email, department, mfa_requirements, last_activity_date, global_id
FROM accounts
WHERE enabled
  AND is_admin
  AND jsonb_array_length(enriched_mfa_status -> 'enrolledAuthenticationMethods' -> 'entries') = 0
ORDER BY last_activity_date DESC NULLS LAST`,
  ),
  sample(
    'Access reviews/Over-privileged roles',
    'Broad roles that many of their members do not use.',
    `
-- @param min_reach int = 200 Resource instances the role can reach
SELECT name, type, application_role_type,
       analytics_access_to_resource_instances_count AS reach,
       analytics_member_count AS members,
       analytics_inactive_member_count AS inactive_members,
       round(100 * analytics_inactive_member_count / nullif(analytics_member_count, 0), 1) AS inactive_percent
FROM roles
WHERE analytics_access_to_resource_instances_count >= :min_reach
ORDER BY inactive_members DESC, reach DESC`,
  ),
  sample(
    'Access reviews/Dormant access',
    'Access that has not been used for the given number of days.',
    `
-- @param idle_days int = 60 Days since the access was last used
SELECT a.alias, a.department,
       x.assigned_object_type,
       x.entitlement_specification -> 'reasonSpecificData' ->> 'name' AS entitlement,
       x.analytics_last_activity_date AS last_used, x.analytics_days_since_last_activity AS days_idle
FROM entity_assigned_access_to_object x
JOIN accounts a ON a.global_id = x.global_entity_id
WHERE a.enabled
  AND (x.analytics_days_since_last_activity >= :idle_days OR x.analytics_last_activity_date IS NULL)
ORDER BY days_idle DESC NULLS FIRST, a.alias`,
  ),
  sample(
    'Access reviews/Privileged access by department',
    'Where privileged entitlements sit, and how many of them belong to accounts without MFA.',
    `
SELECT department, count(*) AS grants, count(DISTINCT account_global_id) AS accounts,
       count(*) FILTER (WHERE NOT has_mfa) AS grants_without_mfa
FROM privileged_access
GROUP BY department
ORDER BY grants DESC`,
    'platform_governance',
  ),
  sample(
    'Access reviews/Items to review for a department',
    'One row for each access in the departments you choose, the most questionable first.',
    `
-- @param departments text[] = 'Finance, Engineering' Departments to review
SELECT account_alias, account_name, object_type, entitlement, is_privileged, owner_has_left, days_since_last_use
FROM access
WHERE department IN (:departments)
ORDER BY owner_has_left DESC, is_privileged DESC, days_since_last_use DESC NULLS FIRST`,
    'platform_governance',
  ),
  sample(
    'Enrollments/Pending for too long',
    'An enrollment was started and never completed.',
    `
-- @param since_days int = 14 Days since the enrollment was started
SELECT e.account_key, e.enrolled_at, e.device_info ->> 'deviceName' AS device, e.authentication_methods
FROM authenticator_enrollments e
WHERE e.enrollment_status = 'Pending'
  AND e.enrolled_at < now() - make_interval(days => :since_days)
ORDER BY e.enrolled_at`,
  ),
  sample(
    'Enrollments/Methods in use',
    'Authentication methods that people actually have.',
    `
SELECT m ->> 'type' AS method, e.enrollment_status AS status, count(*) AS enrollments
FROM authenticator_enrollments e
CROSS JOIN LATERAL jsonb_array_elements(e.authentication_methods) AS m
GROUP BY 1, 2
ORDER BY enrollments DESC`,
  ),
  sample(
    'Activity/Denied and failed by account',
    'Accounts that were refused access since a given date.',
    `
-- @param since date = 2026-01-01 Only activities from this day on
SELECT t.analytics_actor_account_alias AS alias, t.activity_type, t.error_code, count(*) AS times, max(t.timestamp) AS last_time
FROM activities t
WHERE t.timestamp >= :since
  AND (t.activity_type = 'Authorization.Access.Denied' OR t.error_code IS NOT NULL)
GROUP BY 1, 2, 3
ORDER BY times DESC, alias
LIMIT 200`,
  ),
  sample(
    'Activity/By day and type',
    'Activity in the last thirty days.',
    `
SELECT date_trunc('day', timestamp)::date AS day, activity_type, count(*) AS activities,
       count(DISTINCT global_actor_account_id) AS actors
FROM activities
WHERE timestamp >= now() - interval '30 days'
GROUP BY 1, 2
ORDER BY 1 DESC, 3 DESC`,
  ),
  sample(
    'Accounts/Find by alias, name or email',
    'Matches any part of the text.',
    `
-- @param text text A part of the alias, name or email
SELECT alias, display_name, email, type, enabled, is_admin, last_activity_date
FROM accounts
WHERE concat_ws(' ', alias, display_name, email) ILIKE '%' || :text || '%'
ORDER BY alias
LIMIT 100`,
  ),
  sample(
    'Accounts/One person, several accounts in one application',
    'The same email address twice in one application: a duplicate, or a separate account for administration.',
    `
SELECT enriched_normalized_email AS email, object_metadata ->> 'ApplicationInstanceId' AS application,
       count(*) AS accounts, array_agg(alias ORDER BY alias) AS aliases, bool_or(is_admin) AS has_admin
FROM accounts
GROUP BY 1, 2
HAVING count(*) > 1
ORDER BY accounts DESC, email`,
  ),
  sample(
    'Service accounts/Without an owner',
    'Service accounts that have no owner.',
    `
SELECT alias, object_metadata ->> 'Profile' AS profile, has_api_access, is_admin, created_date,
       last_password_changed_date
FROM accounts
WHERE type = 'Service'
  AND enabled
  AND cardinality(manager_emails) = 0
ORDER BY is_admin DESC, last_password_changed_date NULLS FIRST`,
  ),
];
