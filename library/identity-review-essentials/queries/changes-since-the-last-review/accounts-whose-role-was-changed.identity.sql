-- @control DR-02 Accounts whose role was changed
-- @warn_if rows > 0
-- @error_if rows > 200
-- @severity medium
-- @key activity_id
-- @tags soc2=CC6.3 iso27001=A.5.18
-- @param since date = 'today - 30 days' The date of the last review
--
-- Finds: Account role changes since the last review.
-- Why it matters: Permissions grow with each move within the company, and seldom shrink.
-- What to do: Check whether the old role was revoked, and who approved the new one.
SELECT t.global_id AS activity_id, t.timestamp, t.analytics_affected_object_name AS account,
       t.analytics_secondary_affected_object_names AS roles, t.analytics_actor_account_alias AS changed_by
FROM activities t
WHERE t.activity_type = 'Account.AccountRoleChanged'
  AND t.timestamp >= :since
ORDER BY t.timestamp DESC
