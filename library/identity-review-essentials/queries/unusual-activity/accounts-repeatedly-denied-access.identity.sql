-- @control AC-01 Accounts repeatedly denied access
-- @expect no rows
-- @severity medium
-- @key account_id
-- @tags soc2=CC7.2 iso27001=A.8.16
-- @param since date = 'today - 60 days' Only refusals since this date
-- @param min_refusals int = 4 Number of refusals that is unusual
--
-- Finds: Accounts that were refused access several times since the given date.
-- Why it matters: An intruder or a curious colleague tries one door after another.
-- What to do: Ask the owner what they were looking for. If they do not know, treat it as an incident.
SELECT t.global_actor_account_id AS account_id, min(t.analytics_actor_account_alias) AS alias,
       count(*) AS refusals, count(DISTINCT t.global_affected_object_id) AS objects, max(t.timestamp) AS last_time
FROM activities t
WHERE t.activity_type = 'Authorization.Access.Denied'
  AND t.timestamp >= :since
  AND t.global_actor_account_id IS NOT NULL
GROUP BY t.global_actor_account_id
HAVING count(*) >= :min_refusals
ORDER BY refusals DESC, alias
