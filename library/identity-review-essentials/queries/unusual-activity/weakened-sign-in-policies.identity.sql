-- @control AC-03 Weakened sign-in policies
-- @warn_if rows > 0
-- @error_if rows > 20
-- @severity high
-- @key activity_id
-- @tags soc2=CC6.1 soc2=CC7.2 iso27001=A.8.5 iso27001=A.8.16
-- @param since date = 'today - 30 days' Only changes from this day on
--
-- Finds: Changes since the day you choose that make multi-factor authentication unnecessary or let a
-- method be reset.
-- Why it matters: Attackers switch protection off before they act, and exceptions for a day last for
-- years.
-- What to do: Undo the change, or write down who approved it and until when.
SELECT t.global_id AS activity_id, t.timestamp, t.activity_type, t.analytics_actor_account_alias AS administrator,
       t.analytics_affected_object_name AS object, t.ip_address
FROM activities t
WHERE t.activity_type IN ('Authentication.Policy.MFA.NotRequired', 'Authentication.Methods.ResetAllowed')
  AND t.timestamp >= :since
ORDER BY t.timestamp DESC
