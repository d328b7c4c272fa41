-- @control MF-08 Confidential data behind a password only
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity high
-- @key account_id
-- @tags soc2=CC6.1 soc2=CC6.7 iso27001=A.8.5 iso27001=A.5.15
-- @param data_class text = Confidential The class of data that needs more than a password
--
-- Finds: Enabled accounts of people that reach confidential data and have no enrolled authentication
-- method.
-- Why it matters: Confidential data needs more protection than a password.
-- What to do: Enroll a method, or take the access to the data away until that is done.
SELECT global_id AS account_id, alias, email, account_role, enriched_data_classifications AS data_classes
FROM accounts
WHERE enabled
  AND type = 'User'
  AND :data_class = ANY (enriched_data_classifications)
  AND jsonb_path_exists(enriched_mfa_status, '$.enrolledAuthenticationMethods.entries[*]') IS NOT TRUE
ORDER BY is_admin DESC, alias
