-- @control PG-07 Logins whose password is valid for ever
-- @expect no rows
-- @severity low
-- @key role_id
-- @tags soc2=CC6.1 iso27001=A.5.17
--
-- Finds: Logins without VALID UNTIL that are not superusers.
-- Why it matters: A password that leaked stays usable until somebody notices. (PostgreSQL does not
-- record when a role last signed in.)
-- What to do: Set VALID UNTIL, or use certificates or an external sign-in.
SELECT role_id, role, connection_limit
FROM postgres_roles
WHERE is_login
  AND NOT is_superuser
  AND password_valid_until IS NULL
ORDER BY role
