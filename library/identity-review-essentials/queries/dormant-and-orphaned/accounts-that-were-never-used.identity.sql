-- @control DO-02 Accounts that were never used
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity low
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.18
-- @param new_days int = 30 Days in which a new account may stay unused
--
-- Finds: Enabled personal accounts that have existed for a while and have never been used.
-- Why it matters: They were created for a need that never arose, often with an initial password that
-- is still valid.
-- What to do: Disable the account until it is needed.
SELECT global_id AS account_id, alias, email, department, account_role, created_date
FROM accounts
WHERE enabled
  AND type = 'User'
  AND last_activity_date IS NULL
  AND created_date < now() - make_interval(days => :new_days)
ORDER BY created_date, alias
