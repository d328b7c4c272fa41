-- @control LV-02 Accounts used after their owner left
-- @expect no rows
-- @severity critical
-- @key account_id
-- @tags soc2=CC6.2 soc2=CC7.2 iso27001=A.5.18
-- @param grace_days int = 1 Days after the last working day that still count as work
--
-- Finds: Accounts with activity after their owner's directory account was disabled.
-- Why it matters: The access of a person who has left is still in use: by that person, by a colleague
-- who knows the password, or by a script.
-- What to do: Treat it as an incident. Disable the account, then check what it has done since that
-- day.
SELECT a.global_id AS account_id, a.alias, a.enabled, a.is_admin, d.display_name AS owner,
       d.last_modified_date AS owner_left_on, a.last_activity_date
FROM accounts a
JOIN accounts d ON d.global_id = a.global_directory_entry_id
WHERE NOT d.enabled
  AND a.last_activity_date > d.last_modified_date + make_interval(days => :grace_days)
ORDER BY a.last_activity_date DESC, a.alias
