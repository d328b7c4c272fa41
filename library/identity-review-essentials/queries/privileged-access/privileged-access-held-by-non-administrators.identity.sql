-- @control PR-10 Privileged access held by non-administrators
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity high
-- @key access_id
-- @tags soc2=CC6.3 iso27001=A.8.2 iso27001=A.5.18
-- @model platform_governance
--
-- Finds: Administrative access held by enabled accounts that are not marked as administrators.
-- Why it matters: Reviews of administrators do not show these accounts.
-- What to do: Confirm the access with its owner, or revoke it.
SELECT access_global_id AS access_id, account_alias, department, object_type, object_name, entitlement, last_used
FROM privileged_access
WHERE account_enabled
  AND account_is_admin IS NOT TRUE
ORDER BY last_used DESC NULLS LAST, account_alias
