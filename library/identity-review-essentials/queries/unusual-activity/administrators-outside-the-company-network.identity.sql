-- @control AC-04 Administrators outside the company network
-- @warn_if rows > 0
-- @error_if rows > 20
-- @severity medium
-- @key activity_id
-- @tags soc2=CC6.6 soc2=CC7.2 iso27001=A.8.16
-- @param since date = 'today - 30 days' Only sign-ins since this date
--
-- Finds: Sign-ins of dedicated administrator accounts from addresses outside all known offices.
-- Why it matters: An administrator's sign-in from an unknown network may mean a stolen password.
-- What to do: Ask the owner. Limit the account to known networks.
SELECT t.global_id AS activity_id, t.timestamp, t.analytics_actor_account_alias AS alias, t.ip_address,
       t.enriched_user_agent AS client
FROM activities t
WHERE t.activity_type = 'Login.Success'
  AND t.analytics_actor_account_sub_type = 'Privileged'
  AND t.actor_location IS NULL
  AND t.timestamp >= :since
ORDER BY t.timestamp DESC
