#!/bin/sh
# Runs once, when the database is made: the state with its owner, and an example database with a login that only reads.
set -eu
psql --set=ON_ERROR_STOP=1 --username=postgres \
  --set=keeper="$(cat /run/secrets/keeper)" --set=reader="$(cat /run/secrets/reader)" <<'SQL'
CREATE ROLE keeper LOGIN PASSWORD :'keeper';
CREATE DATABASE state OWNER keeper;
CREATE ROLE identity_reader LOGIN NOINHERIT PASSWORD :'reader' CONNECTION LIMIT 16;
CREATE DATABASE hr;
REVOKE CREATE, TEMPORARY ON DATABASE hr FROM PUBLIC;
GRANT TEMPORARY ON DATABASE hr TO identity_reader;
\connect hr
CREATE TABLE people (id integer PRIMARY KEY, login text NOT NULL, name text);
INSERT INTO people VALUES (1, 'ada', 'Ada Lovelace'), (2, 'alan', 'Alan Turing');
GRANT USAGE ON SCHEMA public TO identity_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO identity_reader;
SQL
