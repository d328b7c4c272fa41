-- @control AC-03 Weakened sign-in policies
-- @warn_if rows > 0
-- @error_if rows > 20
-- @severity high
-- @key activity_id
-- @tags soc2=CC6.1 soc2=CC7.2 iso27001=A.8.5 iso27001=A.8.16
-- @param since date = 'today - 30 days' Only changes since this date
--
-- Finds: Changes since the given date that turn off multi-factor authentication or allow a method to
-- be reset.
-- Why it matters: Attackers turn off protection before they act, and one-day exceptions last for
-- years.
-- What to do: Undo the change, or write down who approved it and until when.
SELECT t.global_id AS activity_id, t.timestamp, t.activity_type, t.analytics_actor_account_alias AS administrator,
       t.analytics_affected_object_name AS object, t.ip_address
FROM activities t
WHERE t.activity_type IN ('Authentication.Policy.MFA.NotRequired', 'Authentication.Methods.ResetAllowed')
  AND t.timestamp >= :since
ORDER BY t.timestamp DESC
