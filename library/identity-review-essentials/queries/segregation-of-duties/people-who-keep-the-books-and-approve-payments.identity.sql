-- @control SD-01 People who keep the books and approve payments
-- @expect no rows
-- @severity critical
-- @key person_id
-- @tags soc2=CC6.3 soc2=CC5.1 iso27001=A.5.3
-- @param first text[] = fin:bookkeeper Roles that enter
-- @param second text[] = fin:payment-approver Roles that approve
--
-- Finds: People who have the roles to enter a payment and to approve it, in one account or in several.
-- Why it matters: A person with both roles can pay themselves without a second approval.
-- What to do: Revoke one of the two roles. Until then, have each of that person's payments approved by
-- someone else.
WITH duties AS (
  SELECT coalesce(a.global_directory_entry_id, a.global_id) AS person_id, a.alias, r.name AS role
  FROM accounts a
  CROSS JOIN LATERAL unnest(array_prepend(a.account_role, a.secondary_account_roles)) AS r (name)
  WHERE a.enabled
)
SELECT person_id, array_agg(DISTINCT alias) AS aliases, array_agg(DISTINCT role) AS roles
FROM duties
WHERE role IN (:first) OR role IN (:second)
GROUP BY person_id
HAVING bool_or(role IN (:first)) AND bool_or(role IN (:second))
ORDER BY person_id
