-- @control LV-01 Enabled accounts of people who left
-- @expect no rows
-- @severity high
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.18
-- @param grace_days int = 3 Days allowed for disabling an account
--
-- Finds: Accounts that can still sign in even though their owner's directory account is disabled.
-- Why it matters: A person who left can still get in, and so can anyone who has stolen their password.
-- What to do: Disable the account today, then find out why the leaver process missed the application.
SELECT a.global_id AS account_id, a.alias, a.account_role, a.is_admin,
       d.display_name AS owner, d.last_modified_date AS owner_left_on, a.last_activity_date
FROM accounts a
JOIN accounts d ON d.global_id = a.global_directory_entry_id
WHERE a.enabled
  AND NOT d.enabled
  AND (d.last_modified_date IS NULL
       OR d.last_modified_date < now() - make_interval(days => :grace_days))
ORDER BY a.is_admin DESC, d.last_modified_date, a.alias
