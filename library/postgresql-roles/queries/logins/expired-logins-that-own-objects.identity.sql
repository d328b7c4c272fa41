-- @control PG-08 Expired logins that own objects
-- @expect no rows
-- @severity medium
-- @key role_id
-- @tags soc2=CC6.2 iso27001=A.5.18
--
-- Finds: Logins whose password is no longer valid and that own tables or other objects.
-- Why it matters: The owner may still do everything with them by another way to sign in, and nobody
-- else can change them.
-- What to do: Give the objects to another role (REASSIGN OWNED), then drop this one.
SELECT r.role_id, r.role, r.password_valid_until, count(*) AS objects
FROM postgres_roles r
JOIN postgres_objects o ON o.owner_id = r.role_id
WHERE r.is_login
  AND r.is_expired
GROUP BY r.role_id, r.role, r.password_valid_until
ORDER BY r.role
