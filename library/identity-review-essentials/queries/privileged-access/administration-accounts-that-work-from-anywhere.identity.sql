-- @control PR-09 Administration accounts that work from anywhere
-- @expect no rows
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.6 iso27001=A.8.2 iso27001=A.8.5
--
-- Finds: Enabled accounts set apart for administration that may be used from any location.
-- Why it matters: A stolen session of an administrator should not work from the other side of the
-- world.
-- What to do: Limit these accounts to the networks from which administration is done.
SELECT global_id AS account_id, alias, email, account_role,
       authorized_locations #>> '{policy,allowAll}' AS allows_all, last_activity_date
FROM accounts
WHERE enabled
  AND sub_type = 'Privileged'
  AND coalesce(authorized_locations #>> '{policy,allowAll}', 'true') = 'true'
ORDER BY last_activity_date DESC NULLS LAST, alias
