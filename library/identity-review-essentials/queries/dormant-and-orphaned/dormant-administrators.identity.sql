-- @control DO-03 Dormant administrators
-- @expect no rows
-- @severity high
-- @key account_id
-- @tags soc2=CC6.2 soc2=CC6.3 iso27001=A.8.2
-- @param idle_days int = 45 Days without activity
--
-- Finds: Enabled administrator accounts without activity for the given number of days, or ever.
-- Why it matters: An administrator who never administers does not need the rights, and will not notice
-- when the account is misused.
-- What to do: Revoke the administrator role, and grant it again when it is needed.
SELECT global_id AS account_id, alias, email, type, account_role, created_date, last_activity_date
FROM accounts
WHERE enabled
  AND is_admin
  AND coalesce(last_activity_date, created_date, '-infinity') < now() - make_interval(days => :idle_days)
ORDER BY last_activity_date NULLS FIRST, alias
