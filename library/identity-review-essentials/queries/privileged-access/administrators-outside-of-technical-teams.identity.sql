-- @control PR-07 Administrators outside of technical teams
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.3 iso27001=A.8.2 iso27001=A.5.15
-- @param technical_families text[] = Technology Job families that administer
--
-- Finds: Enabled administrator accounts of people whose job family is not one that administers.
-- Why it matters: Rights that came with a project or a former job stay when the job changes.
-- What to do: Ask the manager what they are needed for, and revoke them otherwise.
SELECT global_id AS account_id, alias, email, department, title, job_family, account_role
FROM accounts
WHERE enabled
  AND is_admin
  AND type = 'User'
  AND job_family IS NOT NULL
  AND job_family NOT IN (:technical_families)
ORDER BY department, alias
