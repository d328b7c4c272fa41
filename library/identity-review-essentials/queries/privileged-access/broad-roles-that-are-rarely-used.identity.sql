-- @control PR-03 Broad roles that are rarely used
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key role_id
-- @tags soc2=CC6.3 iso27001=A.5.15 iso27001=A.8.2
-- @param min_reach int = 200 Resource instances that the role reaches
-- @param min_percent int = 50 Share of members who do not use it
--
-- Finds: Roles with a wide reach that many members do not use.
-- Why it matters: The role grants more than its members need, and each member is a way to everything
-- it reaches.
-- What to do: Split the role, or move members who do not use it to a smaller one.
SELECT global_id AS role_id, name, application_role_type,
       analytics_access_to_resource_instances_count AS reach,
       analytics_member_count AS members, analytics_inactive_member_count AS inactive_members,
       round(100 * analytics_inactive_member_count / nullif(analytics_member_count, 0), 1) AS inactive_percent
FROM roles
WHERE analytics_access_to_resource_instances_count >= :min_reach
  AND analytics_member_count > 0
  AND 100 * analytics_inactive_member_count >= :min_percent * analytics_member_count
ORDER BY inactive_percent DESC, reach DESC, name
