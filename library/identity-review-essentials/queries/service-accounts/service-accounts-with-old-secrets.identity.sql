-- @control SV-03 Service accounts with old secrets
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity high
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.5.17
-- @param max_days int = 180 Days that a secret may be used
--
-- Finds: Enabled service accounts whose secret was not changed for the given number of days, or ever.
-- Why it matters: Former colleagues, old backups and logs still have the secret.
-- What to do: Rotate the secret, and let a vault do it from now on.
SELECT global_id AS account_id, alias, account_role, is_admin, manager_emails, last_password_changed_date
FROM accounts
WHERE enabled
  AND type = 'Service'
  AND coalesce(last_password_changed_date, '-infinity') < now() - make_interval(days => :max_days)
ORDER BY last_password_changed_date NULLS FIRST, alias
