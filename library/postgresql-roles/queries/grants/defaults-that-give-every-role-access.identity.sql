-- @control PG-14 Defaults that give every role access
-- @expect no rows
-- @severity medium
-- @key grant_id
-- @tags soc2=CC6.1 iso27001=A.5.15
--
-- Finds: Default privileges that grant something to PUBLIC.
-- Why it matters: Every object that the role makes from now on is open to everybody.
-- What to do: ALTER DEFAULT PRIVILEGES ... REVOKE ... FROM PUBLIC
SELECT grant_id, owner AS for_objects_of, object_name AS objects, privilege
FROM postgres_grants
WHERE object_type = 'Default privileges'
  AND grantee_id = 'role/0'
  AND NOT (privilege IN ('EXECUTE', 'USAGE') AND object_name IN ('functions', 'types'))
ORDER BY owner, object_name, privilege
