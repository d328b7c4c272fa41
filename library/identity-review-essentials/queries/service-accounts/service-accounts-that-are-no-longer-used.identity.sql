-- @control SV-05 Service accounts that are no longer used
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.18
-- @param idle_days int = 60 Days without activity
--
-- Finds: Enabled service accounts without activity for the given number of days, or ever.
-- Why it matters: The system is gone, but its secret still works.
-- What to do: Disable the account for a month, then delete it.
SELECT global_id AS account_id, alias, account_role, is_admin, manager_emails, created_date, last_activity_date
FROM accounts
WHERE enabled
  AND type = 'Service'
  AND coalesce(last_activity_date, created_date, '-infinity') < now() - make_interval(days => :idle_days)
ORDER BY last_activity_date NULLS FIRST, alias
