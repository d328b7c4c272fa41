-- @param table_name text = 'public.salaries' The table, with its schema
--
-- Who may read a table, or columns of it, and through which role. Access to its schema is not looked at.
WITH RECURSIVE granted AS (
  SELECT grantee_id, grantee, column_name
  FROM postgres_grants
  WHERE object_name = :table_name
    AND privilege = 'SELECT'
    AND object_type IN ('Table', 'View', 'Materialized view', 'Foreign table', 'Column')
  UNION
  SELECT role_id, role, NULL
  FROM postgres_roles
  WHERE role = 'pg_read_all_data'
),
reach AS (
  SELECT grantee_id AS holder_id, grantee AS through, column_name
  FROM granted
  UNION
  SELECT m.member_id, reach.through, reach.column_name
  FROM reach
  JOIN postgres_memberships m ON m.role_id = reach.holder_id
  WHERE m.inherits
)
SELECT r.role_id, r.role, r.is_login, NULL AS column_name, 'SUPERUSER' AS through
FROM postgres_roles r
WHERE r.is_superuser
UNION
SELECT r.role_id, r.role, r.is_login, reach.column_name, reach.through
FROM reach
JOIN postgres_roles r ON r.role_id = reach.holder_id
UNION
SELECT r.role_id, r.role, r.is_login, granted.column_name, granted.grantee
FROM granted
CROSS JOIN postgres_roles r
WHERE granted.grantee_id = 'role/0'
ORDER BY role, column_name NULLS FIRST, through
