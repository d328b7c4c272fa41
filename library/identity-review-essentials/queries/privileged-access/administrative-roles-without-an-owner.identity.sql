-- @control PR-04 Administrative roles without an owner
-- @expect no rows
-- @severity high
-- @key role_id
-- @tags soc2=CC6.3 iso27001=A.5.15 iso27001=A.5.2
--
-- Finds: Administrative roles without an owner and without a steward.
-- Why it matters: Without an owner, no one decides who gets the role.
-- What to do: Name an owner who approves each member.
SELECT global_id AS role_id, name, type, analytics_member_count AS members, last_modified_date
FROM roles
WHERE application_role_type = 'administrative'
  AND coalesce(cardinality(analytics_owners), 0) = 0
  AND coalesce(sor_primary_steward_email, '') = ''
ORDER BY members DESC NULLS LAST, name
