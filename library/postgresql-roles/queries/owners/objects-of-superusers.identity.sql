-- @control PG-17 Objects of superusers
-- @expect no rows
-- @severity medium
-- @key object_id
-- @tags soc2=CC6.3 iso27001=A.8.2
--
-- Finds: Tables, views, functions and sequences that a superuser owns, outside the schemas of the
-- system.
-- Why it matters: Views read and functions write with the rights of their owner. Only a superuser
-- can change them.
-- What to do: Give them to a role that cannot sign in: ALTER ... OWNER TO
SELECT object_id, object_type, object_name, owner
FROM postgres_objects
WHERE owner_is_superuser
  AND object_type IN ('Table', 'View', 'Materialized view', 'Foreign table', 'Sequence', 'Function', 'Procedure')
ORDER BY owner, object_name
