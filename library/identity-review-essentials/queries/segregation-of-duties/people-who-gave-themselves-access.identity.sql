-- @control SD-05 People who gave themselves access
-- @expect no rows
-- @severity high
-- @key activity_id
-- @tags soc2=CC6.3 soc2=CC7.2 iso27001=A.5.3 iso27001=A.5.18
-- @param since date = 'today - 90 days' Only grants since this date
--
-- Finds: Access grants in which an account granted access to itself.
-- Why it matters: No one else approved this access.
-- What to do: Revoke it, and configure the application to refuse such grants.
SELECT t.global_id AS activity_id, t.timestamp, t.analytics_actor_account_alias AS alias,
       t.activity_type, t.analytics_affected_object_name AS object
FROM activities t
WHERE t.activity_type IN ('Authorization.Access.Granted', 'Account.AccountRoleChanged')
  AND t.timestamp >= :since
  AND (t.global_affected_object_id = t.global_actor_account_id
       OR t.global_actor_account_id = ANY (t.global_secondary_affected_objects))
ORDER BY t.timestamp DESC
