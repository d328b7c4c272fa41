-- @control SD-04 People who audit applications they administer
-- @expect no rows
-- @severity high
-- @key account_id
-- @tags soc2=CC6.3 soc2=CC4.1 iso27001=A.5.3 iso27001=A.5.35
--
-- Finds: Enabled accounts with an administrator role and an auditor role in the same application.
-- Why it matters: Auditors must not check their own work, or change the data that they audit.
-- What to do: Give the auditor role to a different person.
WITH held AS (
  SELECT x.global_entity_id AS account_id, r.object_metadata ->> 'ApplicationInstanceId' AS application_id,
         r.name, r.application_role_type = 'administrative' AS administers, r.name ILIKE '%auditor%' AS audits
  FROM entity_assigned_access_to_object x
  JOIN roles r ON r.global_id = x.global_assigned_object_id
)
SELECT a.global_id AS account_id, a.alias, a.email, h.application_id, array_agg(DISTINCT h.name) AS roles
FROM held h
JOIN accounts a ON a.global_id = h.account_id
WHERE a.enabled
GROUP BY a.global_id, a.alias, a.email, h.application_id
HAVING bool_or(h.administers) AND bool_or(h.audits)
ORDER BY a.alias
