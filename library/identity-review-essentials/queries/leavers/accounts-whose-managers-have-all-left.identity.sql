-- @control LV-07 Accounts whose managers have all left
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.16
--
-- Finds: Enabled accounts that name managers, none of whom has an enabled directory account.
-- Why it matters: No manager can confirm in a review that the account is still needed.
-- What to do: Name a new manager, or disable the account.
WITH employed AS (
  SELECT DISTINCT lower(email) AS email
  FROM accounts
  WHERE enabled
    AND object_metadata ->> 'ApplicationInstanceId' IN (SELECT global_directory_provider_id FROM accounts)
)
SELECT a.global_id AS account_id, a.alias, a.type, a.is_admin, a.manager_emails
FROM accounts a
CROSS JOIN LATERAL unnest(a.manager_emails) AS m (email)
LEFT JOIN employed e ON e.email = lower(m.email)
WHERE a.enabled
GROUP BY a.global_id, a.alias, a.type, a.is_admin, a.manager_emails
HAVING count(e.email) = 0
ORDER BY a.is_admin DESC, a.alias
