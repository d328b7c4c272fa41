-- @control SV-04 Service accounts that sign in like people
-- @expect no rows
-- @severity high
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.5.16 iso27001=A.8.5
--
-- Finds: Enabled service accounts that can sign in interactively.
-- Why it matters: People use such an account to get around multi-factor authentication, and the log
-- names a machine.
-- What to do: Allow programmatic sign-in only.
SELECT global_id AS account_id, alias, account_role, is_admin, authentication_functions, last_activity_date
FROM accounts
WHERE enabled
  AND type = 'Service'
  AND 'Interactive' = ANY (authentication_functions)
ORDER BY is_admin DESC, alias
