-- @control PR-09 Administrator accounts that work from anywhere
-- @expect no rows
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.6 iso27001=A.8.2 iso27001=A.8.5
--
-- Finds: Enabled dedicated administrator accounts that can be used from any location.
-- Why it matters: An administrator's stolen session should not work from the other side of the world.
-- What to do: Limit these accounts to the networks that administrators use.
SELECT global_id AS account_id, alias, email, account_role,
       authorized_locations #>> '{policy,allowAll}' AS allows_all, last_activity_date
FROM accounts
WHERE enabled
  AND sub_type = 'Privileged'
  AND coalesce(authorized_locations #>> '{policy,allowAll}', 'true') = 'true'
ORDER BY last_activity_date DESC NULLS LAST, alias
