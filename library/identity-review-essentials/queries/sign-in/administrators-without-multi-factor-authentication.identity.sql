-- @control MF-01 Administrators without multi-factor authentication
-- @expect no rows
-- @severity critical
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.8.5 iso27001=A.8.2
--
-- Finds: Enabled personal administrator accounts without an enrolled authentication method.
-- Why it matters: One guessed or reused password is enough to take over the application.
-- What to do: Enroll a method with the owner now, and require it for the role.
SELECT global_id AS account_id, alias, email, account_role, mfa_requirements, last_activity_date
FROM accounts
WHERE enabled
  AND is_admin
  AND type = 'User'
  AND jsonb_path_exists(enriched_mfa_status, '$.enrolledAuthenticationMethods.entries[*]') IS NOT TRUE
ORDER BY last_activity_date DESC NULLS LAST, alias
