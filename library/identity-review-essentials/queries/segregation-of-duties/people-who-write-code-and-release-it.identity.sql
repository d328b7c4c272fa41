-- @control SD-03 People who write code and release it
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity high
-- @key person_id
-- @tags soc2=CC8.1 soc2=CC6.3 iso27001=A.5.3 iso27001=A.8.4
-- @param first text[] = code:developer,code:maintainer Roles that change code
-- @param second text[] = ci:release-manager Roles that release
--
-- Finds: People who can change source code and release it to production.
-- Why it matters: A change reaches customers without a second pair of eyes.
-- What to do: Have a different person approve the release, or revoke one of the roles.
WITH duties AS (
  SELECT coalesce(a.global_directory_entry_id, a.global_id) AS person_id, a.alias, r.name AS role
  FROM accounts a
  CROSS JOIN LATERAL unnest(array_prepend(a.account_role, a.secondary_account_roles)) AS r (name)
  WHERE a.enabled
)
SELECT person_id, array_agg(DISTINCT alias) AS aliases, array_agg(DISTINCT role) AS roles
FROM duties
WHERE role IN (:first) OR role IN (:second)
GROUP BY person_id
HAVING bool_or(role IN (:first)) AND bool_or(role IN (:second))
ORDER BY person_id
