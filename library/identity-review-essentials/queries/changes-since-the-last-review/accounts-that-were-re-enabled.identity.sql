-- @control DR-06 Accounts that were re-enabled
-- @warn_if rows > 0
-- @error_if rows > 100
-- @severity medium
-- @key activity_id
-- @tags soc2=CC6.2 iso27001=A.5.18
-- @param since date = 'today - 30 days' The date of the last review
--
-- Finds: Accounts that were enabled since the last review and still are.
-- Why it matters: An account that is enabled again regains all of its old access.
-- What to do: Ask who requested it, and whether its access is still appropriate.
SELECT t.global_id AS activity_id, t.timestamp, a.alias, a.account_role, a.is_admin,
       t.analytics_actor_account_alias AS enabled_by
FROM activities t
JOIN accounts a ON a.global_id = t.global_affected_object_id
WHERE t.activity_type = 'Account.Enabled'
  AND t.timestamp >= :since
  AND a.enabled
ORDER BY t.timestamp DESC
