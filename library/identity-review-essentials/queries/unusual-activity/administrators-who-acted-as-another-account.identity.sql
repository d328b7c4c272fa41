-- @control AC-02 Administrators who acted as another account
-- @warn_if rows > 0
-- @error_if rows > 20
-- @severity high
-- @key activity_id
-- @tags soc2=CC7.2 soc2=CC6.3 iso27001=A.8.16 iso27001=A.8.2
-- @param since date = 'today - 30 days' Only impersonations since this date
--
-- Finds: Impersonations since the given date.
-- Why it matters: The log names the other account, not the administrator.
-- What to do: Compare each with a ticket from the account's owner.
SELECT t.global_id AS activity_id, t.timestamp, t.analytics_actor_account_alias AS administrator,
       t.analytics_affected_object_name AS acted_as, t.ip_address
FROM activities t
WHERE t.activity_type = 'Account.Impersonated'
  AND t.timestamp >= :since
ORDER BY t.timestamp DESC
