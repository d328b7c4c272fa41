-- @control DO-04 Accounts of people who are not in the directory
-- @expect no rows
-- @severity high
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.16
--
-- Finds: Enabled personal accounts in applications that belong to no directory entry, except external
-- accounts.
-- Why it matters: The leaver process starts in the directory. An account that is not linked to it is
-- never disabled.
-- What to do: Link the account to its owner, or disable it if there is none.
SELECT a.global_id AS account_id, a.alias, a.email, a.account_role, a.is_admin, a.last_activity_date
FROM accounts a
WHERE a.enabled
  AND a.type = 'User'
  AND a.sub_type IS DISTINCT FROM 'External'
  AND a.global_directory_entry_id IS NULL
  AND NOT EXISTS (
    -- The directory's own entries have no other entry to point to.
    SELECT 1 FROM accounts p
    WHERE p.global_directory_provider_id = a.object_metadata ->> 'ApplicationInstanceId')
ORDER BY a.is_admin DESC, a.alias
