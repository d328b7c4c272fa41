-- @control MF-05 Text messages as the only second factor
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.8.5 iso27001=A.5.17
--
-- Finds: Enabled accounts whose only enrolled methods are codes sent by text message.
-- Why it matters: Text messages can be intercepted with a cloned SIM card or read from a locked
-- screen.
-- What to do: Ask the owner to enroll a security key, a passkey or an app.
SELECT global_id AS account_id, alias, email, department, is_admin
FROM accounts
WHERE enabled
  AND jsonb_path_exists(enriched_mfa_status, '$.enrolledAuthenticationMethods.entries[*] ? (@.type == "SMS")')
  AND NOT jsonb_path_exists(enriched_mfa_status, '$.enrolledAuthenticationMethods.entries[*] ? (@.type != "SMS")')
ORDER BY is_admin DESC, alias
