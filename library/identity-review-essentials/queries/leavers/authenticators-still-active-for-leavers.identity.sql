-- @control LV-06 Authenticators still active for leavers
-- @expect no rows
-- @severity high
-- @key enrollment_id
-- @tags soc2=CC6.1 soc2=CC6.2 iso27001=A.5.17
--
-- Finds: Active authenticator enrollments of people whose directory account is disabled.
-- Why it matters: A phone or key that is still enrolled can confirm a sign-in, or reset a password,
-- after its owner has left.
-- What to do: Revoke the enrollment and collect the device.
WITH leavers AS (
  SELECT global_id, display_name, email, alias, last_modified_date
  FROM accounts
  WHERE NOT enabled
    AND object_metadata ->> 'ApplicationInstanceId' IN (SELECT global_directory_provider_id FROM accounts)
), keys AS (
  -- Providers know people by email address or by user name.
  SELECT global_id, lower(email) AS account_key FROM leavers
  UNION
  SELECT global_id, lower(alias) FROM leavers
)
SELECT e.global_id AS enrollment_id, l.display_name AS owner, l.last_modified_date AS owner_left_on,
       e.account_key, e.enrolled_at, e.device_info ->> 'deviceName' AS device
FROM authenticator_enrollments e
JOIN keys k ON k.account_key = lower(e.account_key)
JOIN leavers l ON l.global_id = k.global_id
WHERE e.enrollment_status = 'Active'
ORDER BY l.last_modified_date, e.account_key
