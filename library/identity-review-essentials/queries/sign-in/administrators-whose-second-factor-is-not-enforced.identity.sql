-- @control MF-04 Administrators whose second factor is not enforced
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.8.5
--
-- Finds: Administrators with enrolled methods for whom no policy enforces multi-factor authentication.
-- Why it matters: Enrollment reports look complete, but every sign-in works without the second factor.
-- What to do: Put the account under the policy for administrators.
SELECT global_id AS account_id, alias, email, account_role,
       enriched_mfa_status ->> 'enforcementStatus' AS enforcement
FROM accounts
WHERE enabled
  AND is_admin
  AND type = 'User'
  AND coalesce(enriched_mfa_status ->> 'enforcementStatus', 'NotEnforced') = 'NotEnforced'
  AND jsonb_path_exists(enriched_mfa_status, '$.enrolledAuthenticationMethods.entries[*]')
ORDER BY alias
