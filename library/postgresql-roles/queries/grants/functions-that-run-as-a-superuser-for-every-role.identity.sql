-- @control PG-12 Functions that run as a superuser for every role
-- @expect no rows
-- @severity critical
-- @key grant_id
-- @tags soc2=CC6.1 iso27001=A.8.2
--
-- Finds: SECURITY DEFINER functions of superusers that PUBLIC may execute.
-- Why it matters: Each call runs with the rights of a superuser. A mistake in the function gives
-- them away.
-- What to do: Give the function to a role with few rights, or revoke EXECUTE from PUBLIC.
SELECT grant_id, object_name, owner
FROM postgres_grants
WHERE grantee_id = 'role/0'
  AND runs_as_owner
  AND owner_is_superuser
  AND privilege = 'EXECUTE'
ORDER BY object_name
