-- @control MF-03 Administrators not required to use a second factor
-- @expect no rows
-- @severity high
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.8.5 iso27001=A.8.2
--
-- Finds: Enabled personal administrator accounts for which the application does not require
-- multi-factor authentication.
-- Why it matters: An enrolled method that is never required protects nothing.
-- What to do: Require multi-factor authentication for the administrator role in the application.
SELECT global_id AS account_id, alias, email, account_role, mfa_requirements, last_activity_date
FROM accounts
WHERE enabled
  AND is_admin
  AND type = 'User'
  AND mfa_requirements IS DISTINCT FROM 'Required'
ORDER BY last_activity_date DESC NULLS LAST, alias
