-- @control AC-07 Second factors that were removed and not replaced
-- @warn_if rows > 0
-- @error_if rows > 50
-- @severity medium
-- @key account_id
-- @tags soc2=CC6.1 soc2=CC7.2 iso27001=A.5.17 iso27001=A.8.5
-- @param since date = 'today - 60 days' Only methods removed since this date
--
-- Finds: Accounts that removed an authentication method and have not added one since.
-- Why it matters: This happens when a phone is lost, or when an attacker makes room for their own
-- device.
-- What to do: Ask the owner to enroll a new method.
WITH changes AS (
  SELECT t.global_actor_account_id AS account_id, min(t.analytics_actor_account_alias) AS alias,
         max(t.timestamp) FILTER (WHERE t.activity_type = 'Authentication.Methods.Removed') AS removed_on,
         max(t.timestamp) FILTER (WHERE t.activity_type = 'Authentication.Methods.Added') AS added_on
  FROM activities t
  WHERE t.activity_type IN ('Authentication.Methods.Removed', 'Authentication.Methods.Added')
  GROUP BY t.global_actor_account_id
)
SELECT account_id, alias, removed_on, added_on AS last_added_on
FROM changes
WHERE removed_on >= :since
  AND (added_on IS NULL OR added_on < removed_on)
ORDER BY removed_on DESC
