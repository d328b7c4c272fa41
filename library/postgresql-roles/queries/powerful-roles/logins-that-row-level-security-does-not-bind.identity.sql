-- @control PG-02 Logins that row level security does not bind
-- @expect no rows
-- @severity high
-- @key role_id
-- @tags soc2=CC6.1 iso27001=A.8.3
--
-- Finds: Logins with BYPASSRLS that are not superusers.
-- Why it matters: They see every row, whatever the policies of a table say.
-- What to do: Take BYPASSRLS from the role, unless it makes backups.
SELECT role_id, role, password_valid_until
FROM postgres_roles
WHERE bypasses_row_security
  AND is_login
  AND NOT is_superuser
ORDER BY role
