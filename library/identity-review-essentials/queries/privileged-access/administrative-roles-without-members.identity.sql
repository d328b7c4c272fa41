-- @control PR-05 Administrative roles without members
-- @expect no rows
-- @severity low
-- @key role_id
-- @tags soc2=CC6.3 iso27001=A.5.15
--
-- Finds: Administrative roles that no account or group has.
-- Why it matters: No one watches a forgotten role, so a new member goes unseen.
-- What to do: Delete the role, or write down when it is needed.
SELECT global_id AS role_id, name, type, is_custom, created_date, last_modified_date
FROM roles
WHERE application_role_type = 'administrative'
  AND coalesce(analytics_member_count, 0) = 0
ORDER BY last_modified_date NULLS FIRST, name
