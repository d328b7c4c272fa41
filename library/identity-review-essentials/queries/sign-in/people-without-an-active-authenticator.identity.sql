-- @control MF-02 People without an active authenticator
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity high
-- @key account_id
-- @tags soc2=CC6.1 iso27001=A.8.5 iso27001=A.5.17
-- @param new_days int = 14 Days that a newcomer has to enroll
--
-- Finds: Enabled directory accounts without an active authenticator enrollment.
-- Why it matters: These people can sign in with only a password, or the service desk will help them
-- bypass the requirement.
-- What to do: Ask them to enroll. Newcomers have a few days.
WITH active AS (
  SELECT DISTINCT lower(account_key) AS account_key
  FROM authenticator_enrollments
  WHERE enrollment_status = 'Active'
)
SELECT a.global_id AS account_id, a.alias, a.email, a.department, a.is_admin, a.created_date
FROM accounts a
LEFT JOIN active by_email ON by_email.account_key = lower(a.email)
LEFT JOIN active by_alias ON by_alias.account_key = lower(a.alias)
WHERE a.enabled
  AND a.object_metadata ->> 'ApplicationInstanceId' IN (SELECT global_directory_provider_id FROM accounts)
  AND by_email.account_key IS NULL
  AND by_alias.account_key IS NULL
  AND (a.created_date IS NULL OR a.created_date < now() - make_interval(days => :new_days))
ORDER BY a.is_admin DESC, a.alias
