-- @control PR-01 Administrators who use their everyday account
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.3 iso27001=A.8.2
--
-- Finds: Enabled administrator accounts that people also use for everyday work.
-- Why it matters: With administrator rights, one phishing link is enough to take over the application.
-- What to do: Give the person a separate account for administration, and revoke the rights of the
-- everyday account.
SELECT global_id AS account_id, alias, email, department, account_role, sub_type
FROM accounts
WHERE enabled
  AND is_admin
  AND type = 'User'
  AND sub_type IS DISTINCT FROM 'Privileged'
ORDER BY alias
