-- @control SV-06 People with API access and no second factor
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.8.5 iso27001=A.5.17
--
-- Finds: Enabled personal accounts that can use the API and have no enrolled authentication method.
-- Why it matters: A password alone gives access to everything that can be downloaded.
-- What to do: Enroll a method, or revoke the API access.
SELECT global_id AS account_id, alias, email, account_role, is_admin, last_activity_date
FROM accounts
WHERE enabled
  AND type = 'User'
  AND has_api_access
  AND jsonb_path_exists(enriched_mfa_status, '$.enrolledAuthenticationMethods.entries[*]') IS NOT TRUE
ORDER BY is_admin DESC, alias
