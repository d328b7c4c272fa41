-- @control PG-03 Logins that may create roles
-- @expect no rows
-- @severity high
-- @key role_id
-- @tags soc2=CC6.3 iso27001=A.8.2
--
-- Finds: Logins with CREATEROLE that are not superusers.
-- Why it matters: They make logins and memberships. Before PostgreSQL 16, they may change every
-- role but superusers.
-- What to do: Take CREATEROLE from the role, or let a role that cannot sign in have it.
SELECT role_id, role, password_valid_until
FROM postgres_roles
WHERE may_create_roles
  AND is_login
  AND NOT is_superuser
ORDER BY role
