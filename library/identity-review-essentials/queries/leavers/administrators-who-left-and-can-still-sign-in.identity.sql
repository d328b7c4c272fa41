-- @control LV-03 Administrators who left and can still sign in
-- @expect no rows
-- @severity critical
-- @key account_id
-- @tags soc2=CC6.2 soc2=CC6.3 iso27001=A.8.2
--
-- Finds: Enabled administrator accounts whose owner's directory account is disabled.
-- Why it matters: Attackers look for unwatched administrator accounts first.
-- What to do: Disable the account immediately and change every shared secret its owner knew.
SELECT a.global_id AS account_id, a.alias, a.account_role, d.display_name AS owner,
       d.last_modified_date AS owner_left_on, a.last_activity_date
FROM accounts a
JOIN accounts d ON d.global_id = a.global_directory_entry_id
WHERE a.enabled
  AND a.is_admin
  AND NOT d.enabled
ORDER BY a.last_activity_date DESC NULLS LAST, a.alias
