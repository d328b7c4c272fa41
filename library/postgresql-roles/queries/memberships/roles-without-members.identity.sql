-- @control PG-16 Roles without members
-- @expect no rows
-- @severity low
-- @key role_id
-- @tags soc2=CC6.2 iso27001=A.5.18
--
-- Finds: Roles that cannot sign in and have no member, other than the predefined ones.
-- Why it matters: What is granted to them is not in use, until somebody joins unnoticed.
-- What to do: Drop the role, or note what it is for.
SELECT r.role_id, r.role, r.comment
FROM postgres_roles r
WHERE NOT r.is_login
  AND NOT r.is_predefined
  AND NOT EXISTS (SELECT FROM postgres_memberships m WHERE m.role_id = r.role_id)
ORDER BY r.role
