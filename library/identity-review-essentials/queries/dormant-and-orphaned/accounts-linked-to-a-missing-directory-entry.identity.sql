-- @control DO-05 Accounts linked to a missing directory entry
-- @expect no rows
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.16
--
-- Finds: Enabled accounts that refer to a directory entry unknown to the service.
-- Why it matters: The owner was deleted from the directory, not disabled, so no check for leavers sees
-- the account.
-- What to do: Find the former owner, then disable the account or link it again.
SELECT a.global_id AS account_id, a.alias, a.email, a.account_role, a.is_admin,
       a.global_directory_entry_id AS missing_directory_entry, a.last_activity_date
FROM accounts a
LEFT JOIN accounts d ON d.global_id = a.global_directory_entry_id
WHERE a.enabled
  AND a.global_directory_entry_id IS NOT NULL
  AND d.global_id IS NULL
ORDER BY a.is_admin DESC, a.alias
