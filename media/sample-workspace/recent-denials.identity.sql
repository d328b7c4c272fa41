-- @param since date Only events from this day on
-- Denied accesses since a day, by account.
SELECT a.alias, count(*) AS denials, max(e.timestamp) AS last_denial
FROM activities e
JOIN accounts a ON a.global_id = e.global_actor_account_id
WHERE e.activity_type = 'Authorization.Access.Denied' AND e.timestamp >= :since
GROUP BY a.alias
ORDER BY denials DESC
LIMIT 50
