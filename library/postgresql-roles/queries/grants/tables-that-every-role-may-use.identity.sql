-- @control PG-10 Tables that every role may use
-- @expect no rows
-- @severity high
-- @key grant_id
-- @tags soc2=CC6.1 iso27001=A.8.3
--
-- Finds: Privileges of PUBLIC on tables, views, columns and sequences.
-- Why it matters: Every login of the server has them, also those that are made later.
-- What to do: Revoke them from PUBLIC, and grant them to roles.
SELECT grant_id, object_name, column_name, object_type, privilege, grantor
FROM postgres_grants
WHERE grantee_id = 'role/0'
  AND object_type IN ('Table', 'View', 'Materialized view', 'Foreign table', 'Sequence', 'Column')
ORDER BY object_name, column_name, privilege
