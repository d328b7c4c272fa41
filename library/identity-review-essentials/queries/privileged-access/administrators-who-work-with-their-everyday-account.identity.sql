-- @control PR-01 Administrators who work with their everyday account
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.3 iso27001=A.8.2
--
-- Finds: Enabled administrator accounts of people that are not set apart for administration.
-- Why it matters: With administrator rights, one phished link is enough to take the application over.
-- What to do: Give the person a second account for administration, and take the rights from the
-- everyday one.
SELECT global_id AS account_id, alias, email, department, account_role, sub_type
FROM accounts
WHERE enabled
  AND is_admin
  AND type = 'User'
  AND sub_type IS DISTINCT FROM 'Privileged'
ORDER BY alias
