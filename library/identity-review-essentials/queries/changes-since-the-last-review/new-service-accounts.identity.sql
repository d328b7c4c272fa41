-- @control DR-04 New service accounts
-- @warn_if rows > 0
-- @error_if rows > 100
-- @severity low
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.16
-- @param since date = 'today - 30 days' The date of the last review
--
-- Finds: Enabled service accounts that were created since the last review.
-- Why it matters: Service accounts are created in a hurry and live for years.
-- What to do: Make sure that each has an owner, few permissions and a secret in a vault.
SELECT global_id AS account_id, alias, account_role, is_admin, manager_emails, created_date, created_by
FROM accounts
WHERE enabled
  AND type = 'Service'
  AND created_date >= :since
ORDER BY created_date DESC, alias
