-- @control PR-06 Applications with a single administrator
-- @expect no rows
-- @severity medium
-- @key application_id
-- @tags soc2=CC6.3 soc2=A1.2 iso27001=A.5.2
--
-- Finds: Applications in which exactly one enabled personal account is an administrator.
-- Why it matters: When that person is ill or locked out, no one can act. Teams then share a password.
-- What to do: Name a second administrator.
SELECT object_metadata ->> 'ApplicationInstanceId' AS application_id,
       count(*) AS accounts,
       min(alias) FILTER (WHERE is_admin AND type = 'User') AS administrator
FROM accounts
WHERE enabled
GROUP BY 1
HAVING count(*) FILTER (WHERE is_admin AND type = 'User') = 1
ORDER BY accounts DESC, application_id
