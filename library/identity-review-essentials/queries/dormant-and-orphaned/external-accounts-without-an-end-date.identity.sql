-- @control DO-07 External accounts without an end date
-- @expect no rows
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.19 iso27001=A.5.18
--
-- Finds: Enabled accounts of external people that have no expiration date.
-- Why it matters: The application does not learn that a contract ended. Without a date, the account
-- stays forever.
-- What to do: Set the end of the contract as the expiration date.
SELECT global_id AS account_id, alias, email, company_name, created_date, manager_emails
FROM accounts
WHERE enabled
  AND sub_type = 'External'
  AND expiration_date IS NULL
ORDER BY created_date NULLS FIRST, alias
