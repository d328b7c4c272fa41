-- @control PG-13 Privileges that may be granted on
-- @expect no rows
-- @severity medium
-- @key grant_id
-- @tags soc2=CC6.3 iso27001=A.5.18
--
-- Finds: Privileges with GRANT OPTION, except those of owners.
-- Why it matters: Who has them decides who else gets them, and the owner does not notice.
-- What to do: Revoke the GRANT OPTION.
SELECT grant_id, grantee, object_name, column_name, privilege, grantor
FROM postgres_grants
WHERE is_grantable
  AND NOT is_owner
ORDER BY grantee, object_name, privilege
