-- @control LV-04 Privileged access that leavers still hold
-- @expect no rows
-- @severity high
-- @key access_id
-- @tags soc2=CC6.2 soc2=CC6.3 iso27001=A.8.2
-- @model platform_governance
--
-- Finds: Administrative access assigned to accounts whose owner has left, whether the account is
-- enabled or not.
-- Why it matters: Disabling an account is undone with one click. Access that stays assigned comes back
-- with it.
-- What to do: Revoke the assignment, not only the account.
SELECT access_global_id AS access_id, account_alias, account_enabled, object_type, object_name,
       entitlement, last_used
FROM privileged_access
WHERE owner_has_left
ORDER BY account_enabled DESC, last_used DESC NULLS LAST, account_alias
