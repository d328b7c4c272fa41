-- @control SV-02 Service accounts with administrator rights
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity high
-- @key account_id
-- @tags soc2=CC6.3 iso27001=A.8.2
--
-- Finds: Enabled service accounts with administrator rights.
-- Why it matters: Their secrets are stored in files and pipelines, and no second factor protects them.
-- What to do: Give the machine the few permissions that it uses.
SELECT global_id AS account_id, alias, account_role, manager_emails, last_password_changed_date, last_activity_date
FROM accounts
WHERE enabled
  AND type = 'Service'
  AND is_admin
ORDER BY last_activity_date DESC NULLS LAST, alias
