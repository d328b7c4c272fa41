-- Accounts that nobody used for a long time.
SELECT alias, email, last_activity_date
FROM accounts
WHERE enabled AND last_activity_date < now() - interval '90 days'
ORDER BY last_activity_date
LIMIT 50
