/** Functions and types from other databases, with their PostgreSQL equivalents. */
import { t } from '#base/texts.ts';

/**
 * The equivalent SQL, or a function that returns a translated explanation. An exact equivalent numbers the arguments
 * that it takes over, as in `strpos({1:text}, {0:part})`, or has none.
 */
type Replacement = string | (() => string);

const functions: Readonly<Record<string, Replacement>> = {
  nvl: 'coalesce({0:value}, {1:other})',
  nvl2: 'CASE WHEN {0:value} IS NOT NULL THEN {1:one} ELSE {2:other} END',
  ifnull: 'coalesce({0:value}, {1:other})',
  isnull: () => t('{0}, or {1}', 'value IS NULL', 'coalesce(value, other)'),
  zeroifnull: 'coalesce({0:value}, 0)',
  nullifzero: 'nullif({0:value}, 0)',
  iif: 'CASE WHEN {0:condition} THEN {1:one} ELSE {2:other} END',
  if: 'CASE WHEN {0:condition} THEN {1:one} ELSE {2:other} END',
  dateadd: "timestamp + INTERVAL '1 day'",
  adddate: "timestamp + INTERVAL '1 day'",
  addtime: "timestamp + INTERVAL '1 hour'",
  subdate: "timestamp - INTERVAL '1 day'",
  date_sub: "timestamp - INTERVAL '1 day'",
  add_months: "timestamp + INTERVAL '1 month'",
  months_between: 'extract(YEAR FROM age(later, earlier)) * 12 + extract(MONTH FROM age(later, earlier))',
  datediff: difference,
  date_diff: difference,
  timestampdiff: () => t('{0} for seconds', 'extract(EPOCH FROM later - earlier)'),
  timestampadd: "timestamp + INTERVAL '1 day'",
  datepart: 'extract(DAY FROM timestamp)',
  datename: "to_char(timestamp, 'Month')",
  datefromparts: 'make_date({0:year}, {1:month}, {2:day})',
  datetrunc: "date_trunc('day', timestamp)",
  eomonth: "(date_trunc('month', {0:timestamp}) + INTERVAL '1 month - 1 day')::date",
  last_day: "(date_trunc('month', {0:timestamp}) + INTERVAL '1 month - 1 day')::date",
  getdate: 'now()',
  getutcdate: "now() AT TIME ZONE 'UTC'",
  sysdatetime: 'now()',
  sysutcdatetime: "now() AT TIME ZONE 'UTC'",
  curdate: 'current_date',
  curtime: 'current_time',
  utc_timestamp: "now() AT TIME ZONE 'UTC'",
  unix_timestamp: 'extract(EPOCH FROM {0:timestamp})',
  from_unixtime: 'to_timestamp({0:seconds})',
  str_to_date: () => t('{0} or {1}', "to_date(text, 'YYYY-MM-DD')", 'to_timestamp(text, ...)'),
  date_format: "to_char(timestamp, 'YYYY-MM-DD')",
  time_format: "to_char(timestamp, 'HH24:MI')",
  year: 'extract(YEAR FROM {0:timestamp})',
  month: 'extract(MONTH FROM {0:timestamp})',
  day: 'extract(DAY FROM {0:timestamp})',
  hour: 'extract(HOUR FROM {0:timestamp})',
  minute: 'extract(MINUTE FROM {0:timestamp})',
  second: 'extract(SECOND FROM timestamp)',
  week: 'extract(WEEK FROM timestamp)',
  quarter: 'extract(QUARTER FROM {0:timestamp})',
  weekday: 'extract(ISODOW FROM timestamp)',
  dayofweek: 'extract(DOW FROM timestamp)',
  dayofmonth: 'extract(DAY FROM {0:timestamp})',
  dayofyear: 'extract(DOY FROM {0:timestamp})',
  to_days: 'date - other_date',
  len: 'length({0:text})',
  datalength: 'octet_length({0:text})',
  lcase: 'lower({0:text})',
  ucase: 'upper({0:text})',
  mid: 'substring({0:text} FROM {1:start} FOR {2:count})',
  instr: 'strpos({0:text}, {1:part})',
  locate: 'strpos({1:text}, {0:part})',
  charindex: 'strpos({1:text}, {0:part})',
  patindex: 'regexp_instr(text, pattern)',
  stuff: 'overlay({0:text} PLACING {3:part} FROM {1:start} FOR {2:count})',
  replicate: 'repeat({0:text}, {1:count})',
  space: "repeat(' ', {0:count})",
  find_in_set: "text = ANY(string_to_array(list, ','))",
  substring_index: "split_part(text, ',', 1)",
  strcmp: () => t('a comparison of the text values with <, = and >'),
  group_concat: "string_agg(text, ',')",
  listagg: "string_agg(text, ',')",
  wm_concat: "string_agg(text, ',')",
  collect_list: 'array_agg({0:value})',
  collect_set: 'array_agg(DISTINCT {0:value})',
  convert: 'CAST(value AS type)',
  try_cast: 'CAST(value AS type)',
  try_convert: 'CAST(value AS type)',
  to_varchar: 'CAST({0:value} AS text)',
  safe_cast: 'CAST(value AS type)',
  cint: 'CAST(value AS integer)',
  str: 'CAST(value AS text)',
  newid: 'gen_random_uuid()',
  uuid: 'gen_random_uuid()',
  sys_guid: 'gen_random_uuid()',
  rand: 'random()',
  sqr: 'power({0:value}, 2)',
  truncate: 'trunc({0:number}, {1:digits})',
  regexp_extract: 'regexp_substr(text, pattern)',
  rlike: 'text ~ pattern',
  json_extract: () => t('{0}, or {1} for its text', "value -> 'key'", "value ->> 'key'"),
  get_json_object: "value ->> 'key'",
  openjson: 'jsonb_array_elements(value)',
  parse_json: 'CAST({0:text} AS jsonb)',
  array_contains: 'value = ANY(array)',
  array_size: 'cardinality({0:array})',
  size: 'cardinality({0:array})',
  explode: 'unnest({0:array})',
  flatten: 'unnest(array)',
  approx_count_distinct: 'count(DISTINCT {0:value})',
  countif: 'count(*) FILTER (WHERE {0:condition})',
  count_if: 'count(*) FILTER (WHERE {0:condition})',
  sumif: 'sum(value) FILTER (WHERE condition)',
  median: 'percentile_cont(0.5) WITHIN GROUP (ORDER BY {0:value})',
  arg_max: '(array_agg(value ORDER BY other DESC))[1]',
  arg_min: '(array_agg(value ORDER BY other))[1]',
  isnumeric: "text ~ '^[0-9.]+$'",
  choose: 'CASE number WHEN 1 THEN ... END',
  iff: 'CASE WHEN {0:condition} THEN {1:one} ELSE {2:other} END',
  contains: "text LIKE '%part%'",
  contains_substr: "text ILIKE '%part%'",
  startswith: 'starts_with({0:text}, {1:part})',
  endswith: "text LIKE '%part'",
  ends_with: "text LIKE '%part'",
  regexp_contains: 'text ~ pattern',
  split: "string_to_array(text, ',')",
  string_split: "string_to_table(text, ',')",
  tolower: 'lower({0:text})',
  toupper: 'upper({0:text})',
  strlen: 'length({0:text})',
  dcount: 'count(DISTINCT {0:value})',
  ago: "now() - INTERVAL '1 day'",
  isnotnull: 'value IS NOT NULL',
  isempty: "coalesce(value, '') = ''",
  isnotempty: "value <> ''",
  generate_uuid: 'gen_random_uuid()',
  uuid_string: 'gen_random_uuid()',
  current_datetime: 'now()',
  sysdate: 'now()',
  systimestamp: 'now()',
  try_to_number: 'CAST({0:text} AS numeric)',
  try_to_date: 'CAST({0:text} AS date)',
  try_to_timestamp: 'CAST({0:text} AS timestamp)',
  timestamp_sub: "timestamp - INTERVAL '1 day'",
  datetime_sub: "timestamp - INTERVAL '1 day'",
  timestamp_add: "timestamp + INTERVAL '1 day'",
  datetime_add: "timestamp + INTERVAL '1 day'",
  timestamp_diff: difference,
  datetime_diff: difference,
  object_construct: "jsonb_build_object('key', value)",
  array_construct: 'ARRAY[one, two]',
  username: 'current_user',
  suser_sname: 'current_user',
};

const types: Readonly<Record<string, Replacement>> = {
  string: 'text',
  nvarchar: 'text',
  varchar2: 'text',
  nvarchar2: 'text',
  nchar: 'text',
  clob: 'text',
  longtext: 'text',
  mediumtext: 'text',
  tinytext: 'text',
  number: 'numeric',
  double: 'double precision',
  long: 'bigint',
  int64: 'bigint',
  int32: 'integer',
  tinyint: 'smallint',
  mediumint: 'integer',
  signed: 'bigint',
  unsigned: 'bigint',
  float64: 'double precision',
  datetime: () => t('{0} or {1}', 'timestamp', 'timestamptz'),
  datetime2: 'timestamp',
  smalldatetime: 'timestamp',
  datetimeoffset: 'timestamptz',
  timestamp_ntz: 'timestamp',
  timestamp_ltz: 'timestamptz',
  timestamp_tz: 'timestamptz',
  uniqueidentifier: 'uuid',
  blob: 'bytea',
  varbinary: 'bytea',
  binary: 'bytea',
  image: 'bytea',
  bytes: 'bytea',
  variant: 'jsonb',
  object: 'jsonb',
};

const written = (replacement: Replacement | undefined): string | undefined =>
  typeof replacement === 'function' ? replacement() : replacement?.replaceAll(/\{\d:(\w+)\}/g, '$1');

/** Returns the advice for `&&` or `||` between conditions. */
export const logicAdvice = (word: 'AND' | 'OR'): string =>
  word === 'AND'
    ? t('Write AND between conditions; && compares arrays and ranges here.')
    : t('Write OR between conditions; || concatenates text here.');

/** Returns the replacement for a call that other databases allow with these arguments, unlike PostgreSQL. */
export function replacementOfCall(name: string, categories: readonly string[]): string | undefined {
  switch (name) {
    case 'decode':
      return categories.length > 2 ? 'CASE value WHEN one THEN two ELSE other END' : undefined;
    case 'to_char':
      return categories.length === 1
        ? t('{0}, or {1}', 'CAST(value AS text)', "to_char(timestamp, 'YYYY-MM-DD')")
        : undefined;
    case 'to_date':
      return categories.length === 1
        ? t('{0}, or {1}', 'CAST(text AS date)', "to_date(text, 'YYYY-MM-DD')")
        : undefined;
    case 'to_timestamp':
      return categories.length === 1 && 'SX'.includes(categories[0] ?? '')
        ? 'CAST(text AS timestamp)'
        : undefined;
    case 'to_number':
      return categories.length === 1 ? 'CAST(text AS numeric)' : undefined;
    case 'format':
      return categories[0] === 'D' ? "to_char(timestamp, 'YYYY-MM-DD')" : undefined;
    case 'string_agg':
      return categories.length === 1
        ? "string_agg(text, ',')"
        : 'SX'.includes(categories[0] ?? '')
          ? undefined
          : "string_agg(CAST(value AS text), ',')";
    case 'count':
      return categories.length > 1 ? 'count(DISTINCT (one, two))' : undefined;
    case 'trunc':
    case 'round':
      return categories[0] === 'D' ? "date_trunc('day', timestamp)" : undefined;
    case 'sum':
    case 'avg':
      return categories[0] === 'B' ? 'count(*) FILTER (WHERE condition)' : undefined;
    case 'substr':
    case 'substring':
    case 'left':
      return categories[0] === 'D' ? "to_char(timestamp, 'YYYY-MM-DD')" : undefined;
    default:
      return undefined;
  }
}

/** Returns the replacement for a function that PostgreSQL lacks. */
export const replacementOf = (name: string): string | undefined =>
  Object.hasOwn(functions, name) ? written(functions[name]) : undefined;

/** Returns the exact equivalent of a call, with `{0}` to `{3}` in place of its arguments. */
export function equivalentCall(name: string): string | undefined {
  const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
  return typeof found === 'string' && /\{\d:|^\w+(?:\(\))?$/.test(found)
    ? found.replaceAll(/\{(\d):\w+\}/g, '{$1}')
    : undefined;
}

/** Returns the replacement for a type that PostgreSQL lacks. */
export const replacementOfType = (name: string): string | undefined =>
  Object.hasOwn(types, name) ? written(types[name]) : undefined;

function difference(): string {
  return t(
    '{0} for days, or {1} for seconds',
    'later::date - earlier::date',
    'extract(EPOCH FROM later - earlier)',
  );
}
