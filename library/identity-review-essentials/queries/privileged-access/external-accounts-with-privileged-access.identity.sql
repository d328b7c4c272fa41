-- @control PR-08 External accounts with privileged access
-- @expect no rows
-- @severity critical
-- @key access_id
-- @tags soc2=CC6.3 soc2=CC9.2 iso27001=A.8.2 iso27001=A.5.19
--
-- Finds: Administrative access held by enabled accounts of external people.
-- Why it matters: A different company decides who these people are, and how their devices are secured.
-- What to do: Replace it with temporary access for a task, supervised by an employee.
SELECT x.global_id AS access_id, a.alias, a.email, a.company_name, x.assigned_object_type AS object_type,
       x.entitlement_specification #>> '{reasonSpecificData,name}' AS entitlement,
       x.analytics_last_activity_date AS last_used
FROM entity_assigned_access_to_object x
JOIN accounts a ON a.global_id = x.global_entity_id
WHERE a.enabled
  AND a.sub_type = 'External'
  AND jsonb_path_exists(x.entitlement_specification, '$.reasonSpecificData.permissions.isPrivileged ? (@ == true)')
ORDER BY a.alias, x.global_id
