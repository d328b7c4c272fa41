-- @control PG-15 Logins that may make others members
-- @expect no rows
-- @severity medium
-- @key membership_id
-- @tags soc2=CC6.3 iso27001=A.5.18
--
-- Finds: Memberships of logins with ADMIN OPTION, except those of superusers and those of
-- CREATEROLE in what it made.
-- Why it matters: Who has it decides who else becomes a member.
-- What to do: Revoke the ADMIN OPTION.
SELECT m.membership_id, m.member, m.role, m.grantor
FROM postgres_memberships m
JOIN postgres_roles r ON r.role_id = m.member_id
WHERE m.is_grantable
  AND m.member_is_login
  AND NOT r.is_superuser
  AND NOT r.may_create_roles
ORDER BY m.member, m.role
