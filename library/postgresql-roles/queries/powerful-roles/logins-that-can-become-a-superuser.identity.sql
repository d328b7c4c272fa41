-- @control PG-05 Logins that can become a superuser
-- @expect no rows
-- @severity critical
-- @key role_id
-- @tags soc2=CC6.3 iso27001=A.8.2
--
-- Finds: Logins that are members of a superuser role, directly or through others.
-- Why it matters: SET ROLE makes them superusers, which the list of superusers does not show.
-- What to do: Revoke the membership.
WITH RECURSIVE reach AS (
  SELECT member_id AS holder_id, role_id
  FROM postgres_memberships
  WHERE may_set_role
  UNION
  SELECT reach.holder_id, m.role_id
  FROM reach
  JOIN postgres_memberships m ON m.member_id = reach.role_id
  WHERE m.may_set_role
)
SELECT holder.role_id, holder.role, string_agg(top.role, ', ' ORDER BY top.role) AS superusers
FROM reach
JOIN postgres_roles holder ON holder.role_id = reach.holder_id
JOIN postgres_roles top ON top.role_id = reach.role_id
WHERE top.is_superuser
  AND holder.is_login
  AND NOT holder.is_superuser
GROUP BY holder.role_id, holder.role
ORDER BY holder.role
