-- @control DR-05 New external accounts
-- @warn_if rows > 0
-- @error_if rows > 100
-- @severity low
-- @key account_id
-- @tags soc2=CC6.2 soc2=CC9.2 iso27001=A.5.19 iso27001=A.5.16
-- @param since date = 'today - 30 days' The date of the last review
--
-- Finds: Enabled accounts of external people that were created since the last review.
-- Why it matters: One click invites a guest, and no review has seen these yet.
-- What to do: Confirm each with the person who invited them, and set an end date.
SELECT global_id AS account_id, alias, email, company_name, manager_emails, created_date, expiration_date
FROM accounts
WHERE enabled
  AND sub_type = 'External'
  AND created_date >= :since
ORDER BY created_date DESC, alias
