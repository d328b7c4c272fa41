-- @control DO-06 Expired accounts that can still sign in
-- @expect no rows
-- @severity high
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.18
--
-- Finds: Enabled accounts whose expiration date has passed.
-- Why it matters: The application ignores the agreed end date.
-- What to do: Disable the account, or agree on a new date with its manager.
SELECT global_id AS account_id, alias, email, sub_type, expiration_date, manager_emails, last_activity_date
FROM accounts
WHERE enabled
  AND expiration_date < now()
ORDER BY expiration_date, alias
