-- @control PG-18 Objects whose owner nobody can become
-- @expect no rows
-- @severity low
-- @key object_id
-- @tags soc2=CC6.2 iso27001=A.5.18
--
-- Finds: Objects of roles that cannot sign in and have no member.
-- Why it matters: Only a superuser can change or drop them.
-- What to do: Make a role a member of the owner, or change the owner.
SELECT o.object_id, o.object_type, o.object_name, o.owner
FROM postgres_objects o
WHERE NOT o.owner_is_login
  AND NOT o.owner_is_superuser
  AND NOT EXISTS (SELECT FROM postgres_memberships m WHERE m.role_id = o.owner_id)
ORDER BY o.owner, o.object_name
