-- @control DO-01 Accounts not used for a long time
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.18
-- @param idle_days int = 90 Days without activity
--
-- Finds: Enabled personal accounts without activity for the given number of days.
-- Why it matters: Owners do not miss unused accounts, and do not notice when they are stolen.
-- What to do: Ask the owner once, then disable the account.
SELECT global_id AS account_id, alias, email, department, account_role, last_activity_date
FROM accounts
WHERE enabled
  AND type = 'User'
  AND last_activity_date < now() - make_interval(days => :idle_days)
ORDER BY last_activity_date, alias
