-- @control PG-06 Members of roles that reach the server itself
-- @expect no rows
-- @severity high
-- @key membership_id
-- @tags soc2=CC6.1 iso27001=A.8.2
--
-- Finds: Direct members of predefined roles that read or write files of the server, run programs,
-- or write all data.
-- Why it matters: Programs and files of the server are a way around every grant.
-- What to do: Revoke the membership. For bulk loads, use COPY FROM STDIN.
SELECT membership_id, member, role, is_grantable
FROM postgres_memberships
WHERE role IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files', 'pg_write_all_data')
ORDER BY member, role
