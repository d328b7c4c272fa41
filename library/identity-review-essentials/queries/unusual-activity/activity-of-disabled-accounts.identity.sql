-- @control AC-05 Activity of disabled accounts
-- @expect no rows
-- @severity critical
-- @key account_id
-- @tags soc2=CC6.2 soc2=CC7.2 iso27001=A.8.16 iso27001=A.5.18
-- @param grace_days int = 1 Days that ending sessions may take
--
-- Finds: Disabled accounts that did something after they were last changed.
-- Why it matters: Disabling did not work: a session, a token or a second way in still works.
-- What to do: End the sessions and revoke the tokens of the account in the application.
SELECT a.global_id AS account_id, a.alias, a.account_role, a.last_modified_date AS disabled_on,
       count(*) AS activities, max(t.timestamp) AS last_time
FROM accounts a
JOIN activities t ON t.global_actor_account_id = a.global_id
WHERE NOT a.enabled
  AND t.timestamp > a.last_modified_date + make_interval(days => :grace_days)
GROUP BY a.global_id, a.alias, a.account_role, a.last_modified_date
ORDER BY last_time DESC
