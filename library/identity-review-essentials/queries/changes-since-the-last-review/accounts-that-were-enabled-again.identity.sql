-- @control DR-06 Accounts that were enabled again
-- @warn_if rows > 0
-- @error_if rows > 100
-- @severity medium
-- @key activity_id
-- @tags soc2=CC6.2 iso27001=A.5.18
-- @param since date = 'today - 30 days' The day of the last review
--
-- Finds: Accounts that were enabled since the last review and still are.
-- Why it matters: A disabled account that comes back brings all of its old access along.
-- What to do: Ask who wanted it, and whether its access is still right.
SELECT t.global_id AS activity_id, t.timestamp, a.alias, a.account_role, a.is_admin,
       t.analytics_actor_account_alias AS enabled_by
FROM activities t
JOIN accounts a ON a.global_id = t.global_affected_object_id
WHERE t.activity_type = 'Account.Enabled'
  AND t.timestamp >= :since
  AND a.enabled
ORDER BY t.timestamp DESC
