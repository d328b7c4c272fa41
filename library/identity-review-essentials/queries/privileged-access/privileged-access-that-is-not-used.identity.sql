-- @control PR-02 Privileged access that is not used
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity high
-- @key access_id
-- @tags soc2=CC6.3 iso27001=A.8.2
-- @model platform_governance
-- @param idle_days int = 60 Days since the access was last used
--
-- Finds: Administrative access of enabled accounts that was not used for the given number of days, or
-- ever.
-- Why it matters: Least privilege means only the access that is used. The rest is unnecessary risk.
-- What to do: Revoke it, and grant it on request when it is needed.
SELECT access_global_id AS access_id, account_alias, object_type, object_name, entitlement, last_used,
       days_since_last_use
FROM privileged_access
WHERE account_enabled
  AND (days_since_last_use >= :idle_days OR last_used IS NULL)
ORDER BY last_used NULLS FIRST, account_alias
