-- @control MF-08 Confidential data protected only by a password
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity high
-- @key account_id
-- @tags soc2=CC6.1 soc2=CC6.7 iso27001=A.8.5 iso27001=A.5.15
-- @param data_class text = Confidential The class of data that needs more than a password
--
-- Finds: Enabled personal accounts that can reach confidential data and have no enrolled
-- authentication method.
-- Why it matters: Confidential data needs more protection than a password.
-- What to do: Enroll a method, or revoke access to the data until that is done.
SELECT global_id AS account_id, alias, email, account_role, enriched_data_classifications AS data_classes
FROM accounts
WHERE enabled
  AND type = 'User'
  AND :data_class = ANY (enriched_data_classifications)
  AND jsonb_path_exists(enriched_mfa_status, '$.enrolledAuthenticationMethods.entries[*]') IS NOT TRUE
ORDER BY is_admin DESC, alias
