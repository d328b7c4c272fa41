-- @control SV-01 Service accounts without an owner
-- @expect no rows
-- @severity high
-- @key account_id
-- @tags soc2=CC6.1 soc2=CC6.3 iso27001=A.5.16 iso27001=A.5.2
--
-- Finds: Enabled service accounts without a manager.
-- Why it matters: Without an owner, the secret is never rotated and the account is never switched off.
-- What to do: Find the team whose system uses it and name an owner. Disable it if there is none.
SELECT global_id AS account_id, alias, account_role, is_admin, created_date, last_activity_date
FROM accounts
WHERE enabled
  AND type = 'Service'
  AND coalesce(cardinality(manager_emails), 0) = 0
ORDER BY is_admin DESC, last_activity_date DESC NULLS LAST, alias
