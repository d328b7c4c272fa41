-- @control MF-07 Passwords allowed alongside single sign-on
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.5.16 iso27001=A.8.5
--
-- Finds: Enabled accounts of people in the directory that sign in with the application's own password.
-- Why it matters: The application's password is not tied to the directory: no policy, no second
-- factor, no end when the person leaves.
-- What to do: Require single sign-on for the application and remove the passwords.
SELECT global_id AS account_id, alias, email, account_role, is_admin, last_password_changed_date
FROM accounts
WHERE enabled
  AND global_directory_entry_id IS NOT NULL
  AND sso_requirements IS DISTINCT FROM 'Required'
  AND jsonb_path_exists(authentication_methods, '$[*] ? (@.type == "Password")')
ORDER BY is_admin DESC, alias
