-- @control AC-06 Dormant accounts that became active
-- @expect no rows
-- @severity medium
-- @key account_id
-- @tags soc2=CC7.2 iso27001=A.8.16
-- @param since date = 'today - 14 days' Only accounts that became active since this date
-- @param idle_days int = 40 Days without activity before that
--
-- Finds: Accounts that are active again after no activity for the given number of days.
-- Why it matters: Intruders prefer old accounts, because their owners no longer look at them.
-- What to do: Ask the owner whether it was them.
WITH used AS (
  SELECT t.global_actor_account_id AS account_id, t.timestamp,
         lag(t.timestamp) OVER (PARTITION BY t.global_actor_account_id ORDER BY t.timestamp) AS before
  FROM activities t
)
SELECT u.account_id, a.alias, a.account_role, a.is_admin, u.before AS last_before, u.timestamp AS woke_up
FROM used u
JOIN accounts a ON a.global_id = u.account_id
WHERE u.timestamp >= :since
  AND u.timestamp > u.before + make_interval(days => :idle_days)
ORDER BY u.timestamp DESC
