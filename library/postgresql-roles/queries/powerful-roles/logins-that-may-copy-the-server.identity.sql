-- @control PG-04 Logins that may copy the server
-- @expect no rows
-- @severity high
-- @key role_id
-- @tags soc2=CC6.1 iso27001=A.8.3
--
-- Finds: Logins with REPLICATION that are not superusers.
-- Why it matters: Who may replicate may copy every database of the server, whatever is granted.
-- What to do: Keep REPLICATION for standbys and backups, from their addresses only.
SELECT role_id, role, password_valid_until
FROM postgres_roles
WHERE may_replicate
  AND is_login
  AND NOT is_superuser
ORDER BY role
