-- @control DR-01 New administrators
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.3 iso27001=A.8.2 iso27001=A.5.18
-- @param since date = 'today - 30 days' The date of the last review
--
-- Finds: Enabled administrator accounts that were created since the last review.
-- Why it matters: The last review did not see these administrators.
-- What to do: Compare each account with its approved request.
SELECT global_id AS account_id, alias, email, type, account_role, created_date, created_by
FROM accounts
WHERE enabled
  AND is_admin
  AND created_date >= :since
ORDER BY created_date DESC, alias
