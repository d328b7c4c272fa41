-- @control LV-05 Group memberships of disabled accounts
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity low
-- @key access_id
-- @tags soc2=CC6.2 iso27001=A.5.18
-- @param grace_days int = 30 Days that cleaning up may take
--
-- Finds: Disabled accounts that are still members of groups.
-- Why it matters: Groups grant access in applications that never check the account again, and they
-- make member lists inaccurate.
-- What to do: Remove the membership, or let the leaver process do it.
SELECT x.global_id AS access_id, a.alias, a.email, x.assigned_object_id AS group_id, a.last_modified_date
FROM entity_assigned_access_to_object x
JOIN accounts a ON a.global_id = x.global_entity_id
WHERE x.assigned_object_type = 'UserGroup'
  AND NOT a.enabled
  AND (a.last_modified_date IS NULL
       OR a.last_modified_date < now() - make_interval(days => :grace_days))
ORDER BY a.last_modified_date, a.alias
