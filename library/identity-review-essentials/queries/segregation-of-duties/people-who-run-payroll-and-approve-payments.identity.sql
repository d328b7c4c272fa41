-- @control SD-02 People who run payroll and approve payments
-- @expect no rows
-- @severity critical
-- @key person_id
-- @tags soc2=CC6.3 soc2=CC5.1 iso27001=A.5.3
-- @param first text[] = pay:payroll-administrator,pay:payroll-manager Roles that change salaries
-- @param second text[] = fin:payment-approver,fin:ledger-administrator Roles that approve payments
--
-- Finds: People who can change salaries and approve the payment.
-- Why it matters: A fictitious employee is paid like any other if one person does both.
-- What to do: Revoke one of the two roles.
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
