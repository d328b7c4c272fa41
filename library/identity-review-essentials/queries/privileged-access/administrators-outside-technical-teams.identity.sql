-- @control PR-07 Administrators outside technical teams
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.3 iso27001=A.8.2 iso27001=A.5.15
-- @param technical_families text[] = Technology Job families of administrators
--
-- Finds: Enabled administrator accounts of people whose job family does not include administration.
-- Why it matters: Permissions from a project or a former job often remain when the job changes.
-- What to do: Ask the manager whether they are still needed, and revoke them if not.
SELECT global_id AS account_id, alias, email, department, title, job_family, account_role
FROM accounts
WHERE enabled
  AND is_admin
  AND type = 'User'
  AND job_family IS NOT NULL
  AND job_family NOT IN (:technical_families)
ORDER BY department, alias
