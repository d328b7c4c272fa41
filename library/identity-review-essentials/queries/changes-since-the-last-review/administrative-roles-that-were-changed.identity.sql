-- @control DR-03 Administrative roles that were changed
-- @warn_if rows > 0
-- @severity medium
-- @key role_id
-- @tags soc2=CC6.3 soc2=CC8.1 iso27001=A.8.2 iso27001=A.5.15
-- @param since date = 'today - 30 days' The date of the last review
--
-- Finds: Administrative roles that were created or changed since the last review.
-- Why it matters: Every member of the role received the new permissions.
-- What to do: Compare the role's permissions with those that were approved.
SELECT global_id AS role_id, name, is_custom, analytics_member_count AS members, created_date, last_modified_date,
       last_modified_by
FROM roles
WHERE application_role_type = 'administrative'
  AND greatest(created_date, last_modified_date) >= :since
ORDER BY greatest(created_date, last_modified_date) DESC, name
