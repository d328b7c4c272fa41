-- @control SD-06 People who administer many applications
-- @expect no rows
-- @severity medium
-- @key person_id
-- @tags soc2=CC6.3 iso27001=A.5.3 iso27001=A.8.2
-- @param min_applications int = 3 Number of applications that one person should not administer
--
-- Finds: People with enabled administrator accounts in at least the given number of applications.
-- Why it matters: Duties that were separated by application are combined in one person.
-- What to do: Spread administration over more people, application by application.
SELECT coalesce(global_directory_entry_id, global_id) AS person_id,
       count(DISTINCT object_metadata ->> 'ApplicationInstanceId') AS applications,
       array_agg(DISTINCT alias) AS aliases
FROM accounts
WHERE enabled
  AND is_admin
  AND type = 'User'
GROUP BY 1
HAVING count(DISTINCT object_metadata ->> 'ApplicationInstanceId') >= :min_applications
ORDER BY applications DESC, person_id
