-- @control MF-06 Enrollments that were never finished
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity low
-- @key enrollment_id
-- @tags soc2=CC6.1 iso27001=A.5.17
-- @param pending_days int = 14 Days since the enrollment was started
--
-- Finds: Authenticator enrollments that have been pending for the given number of days.
-- Why it matters: Anyone who finds an open invitation in a mailbox can complete it.
-- What to do: Cancel the enrollment and start a new one with the person.
SELECT global_id AS enrollment_id, account_key, enrolled_at, device_info ->> 'deviceName' AS device
FROM authenticator_enrollments
WHERE enrollment_status = 'Pending'
  AND enrolled_at < now() - make_interval(days => :pending_days)
ORDER BY enrolled_at, account_key
