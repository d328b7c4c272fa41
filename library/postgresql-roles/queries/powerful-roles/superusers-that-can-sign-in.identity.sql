-- @control PG-01 Superusers that can sign in
-- @expect no rows
-- @severity high
-- @key role_id
-- @tags soc2=CC6.3 iso27001=A.8.2
-- @param known text = 'postgres' The superuser that you know of
--
-- Finds: Logins that are superusers, other than the one that you know of.
-- Why it matters: A superuser is bound by no grant and no row level security, and may run programs
-- on the server.
-- What to do: Take SUPERUSER from the role, and grant what it needs.
SELECT role_id, role, password_valid_until, connection_limit
FROM postgres_roles
WHERE is_superuser
  AND is_login
  AND role <> :known
ORDER BY role
