-- @control PG-11 Schemas in which every role may create objects
-- @expect no rows
-- @severity critical
-- @key grant_id
-- @tags soc2=CC6.1 iso27001=A.8.3
--
-- Finds: CREATE on a schema, granted to PUBLIC. Databases made before PostgreSQL 15 have it on
-- public.
-- Why it matters: Anybody can plant a function or an operator that the queries of others then use.
-- What to do: REVOKE CREATE ON SCHEMA ... FROM PUBLIC
SELECT grant_id, object_name, owner, grantor
FROM postgres_grants
WHERE grantee_id = 'role/0'
  AND object_type = 'Schema'
  AND privilege = 'CREATE'
ORDER BY object_name
