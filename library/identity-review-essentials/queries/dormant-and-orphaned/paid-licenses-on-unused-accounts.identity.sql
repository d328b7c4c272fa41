-- @control DO-08 Paid licenses on unused accounts
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity low
-- @key account_id
-- @tags soc2=CC6.2 iso27001=A.5.18
-- @param idle_days int = 90 Days without activity
--
-- Finds: Accounts with an active, paid license that are disabled or have not been used for the given
-- number of days.
-- Why it matters: The license is wasted, and if a license is not revoked, access often isn't either.
-- What to do: Release the license together with the account.
SELECT global_id AS account_id, alias, account_role, license_type, enabled, last_activity_date
FROM accounts
WHERE license_level = 'Paid'
  AND license_status = 'Active'
  AND (NOT enabled OR last_activity_date < now() - make_interval(days => :idle_days))
ORDER BY last_activity_date, alias
