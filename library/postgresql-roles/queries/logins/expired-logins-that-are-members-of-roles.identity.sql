-- @control PG-09 Expired logins that are members of roles
-- @expect no rows
-- @severity medium
-- @key membership_id
-- @tags soc2=CC6.2 iso27001=A.5.18
--
-- Finds: Memberships of logins whose password is no longer valid.
-- Why it matters: VALID UNTIL ends only the password: by a certificate or another method, the role
-- still signs in with everything it holds.
-- What to do: Revoke the memberships, then drop the role.
SELECT m.membership_id, m.member, m.role, r.password_valid_until
FROM postgres_memberships m
JOIN postgres_roles r ON r.role_id = m.member_id
WHERE r.is_login
  AND r.is_expired
ORDER BY m.member, m.role
