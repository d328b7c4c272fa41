/** Functions and types from other databases, with their PostgreSQL equivalents. */
import { t } from '#base/texts.ts';

/** The equivalent SQL, or a function that returns a translated explanation. */
type Replacement = string | (() => string);

const functions: Readonly<Record<string, Replacement>> = {
  nvl: 'coalesce(value, other)',
  nvl2: 'CASE WHEN value IS NOT NULL THEN one ELSE other END',
  ifnull: 'coalesce(value, other)',
  isnull: () => t('{0}, or {1}', 'value IS NULL', 'coalesce(value, other)'),
  zeroifnull: 'coalesce(value, 0)',
  nullifzero: 'nullif(value, 0)',
  iif: 'CASE WHEN condition THEN one ELSE other END',
  if: 'CASE WHEN condition THEN one ELSE other END',
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
  datefromparts: 'make_date(year, month, day)',
  datetrunc: "date_trunc('day', timestamp)",
  eomonth: "(date_trunc('month', timestamp) + INTERVAL '1 month - 1 day')::date",
  last_day: "(date_trunc('month', timestamp) + INTERVAL '1 month - 1 day')::date",
  getdate: 'now()',
  getutcdate: "now() AT TIME ZONE 'UTC'",
  sysdatetime: 'now()',
  sysutcdatetime: "now() AT TIME ZONE 'UTC'",
  curdate: 'current_date',
  curtime: 'current_time',
  utc_timestamp: "now() AT TIME ZONE 'UTC'",
  unix_timestamp: 'extract(EPOCH FROM timestamp)',
  from_unixtime: 'to_timestamp(seconds)',
  str_to_date: () => t('{0} or {1}', "to_date(text, 'YYYY-MM-DD')", 'to_timestamp(text, ...)'),
  date_format: "to_char(timestamp, 'YYYY-MM-DD')",
  time_format: "to_char(timestamp, 'HH24:MI')",
  year: 'extract(YEAR FROM timestamp)',
  month: 'extract(MONTH FROM timestamp)',
  day: 'extract(DAY FROM timestamp)',
  hour: 'extract(HOUR FROM timestamp)',
  minute: 'extract(MINUTE FROM timestamp)',
  second: 'extract(SECOND FROM timestamp)',
  week: 'extract(WEEK FROM timestamp)',
  quarter: 'extract(QUARTER FROM timestamp)',
  weekday: 'extract(ISODOW FROM timestamp)',
  dayofweek: 'extract(DOW FROM timestamp)',
  dayofmonth: 'extract(DAY FROM timestamp)',
  dayofyear: 'extract(DOY FROM timestamp)',
  to_days: 'date - other_date',
  len: 'length(text)',
  datalength: 'octet_length(text)',
  lcase: 'lower(text)',
  ucase: 'upper(text)',
  mid: 'substring(text FROM start FOR count)',
  instr: 'strpos(text, part)',
  locate: 'strpos(text, part)',
  charindex: 'strpos(text, part)',
  patindex: 'regexp_instr(text, pattern)',
  stuff: 'overlay(text PLACING part FROM start FOR count)',
  replicate: 'repeat(text, count)',
  space: "repeat(' ', count)",
  find_in_set: "text = ANY(string_to_array(list, ','))",
  substring_index: "split_part(text, ',', 1)",
  strcmp: () => t('a comparison of the text values with <, = and >'),
  group_concat: "string_agg(text, ',')",
  listagg: "string_agg(text, ',')",
  wm_concat: "string_agg(text, ',')",
  collect_list: 'array_agg(value)',
  collect_set: 'array_agg(DISTINCT value)',
  convert: 'CAST(value AS type)',
  try_cast: 'CAST(value AS type)',
  try_convert: 'CAST(value AS type)',
  to_varchar: 'CAST(value AS text)',
  safe_cast: 'CAST(value AS type)',
  cint: 'CAST(value AS integer)',
  str: 'CAST(value AS text)',
  newid: 'gen_random_uuid()',
  uuid: 'gen_random_uuid()',
  sys_guid: 'gen_random_uuid()',
  rand: 'random()',
  sqr: 'power(value, 2)',
  truncate: 'trunc(number, digits)',
  regexp_extract: 'regexp_substr(text, pattern)',
  rlike: 'text ~ pattern',
  json_extract: () => t('{0}, or {1} for its text', "value -> 'key'", "value ->> 'key'"),
  get_json_object: "value ->> 'key'",
  openjson: 'jsonb_array_elements(value)',
  parse_json: 'CAST(text AS jsonb)',
  array_contains: 'value = ANY(array)',
  array_size: 'cardinality(array)',
  size: 'cardinality(array)',
  explode: 'unnest(array)',
  flatten: 'unnest(array)',
  approx_count_distinct: 'count(DISTINCT value)',
  countif: 'count(*) FILTER (WHERE condition)',
  count_if: 'count(*) FILTER (WHERE condition)',
  sumif: 'sum(value) FILTER (WHERE condition)',
  median: 'percentile_cont(0.5) WITHIN GROUP (ORDER BY value)',
  arg_max: '(array_agg(value ORDER BY other DESC))[1]',
  arg_min: '(array_agg(value ORDER BY other))[1]',
  isnumeric: "text ~ '^[0-9.]+$'",
  choose: 'CASE number WHEN 1 THEN ... END',
  iff: 'CASE WHEN condition THEN one ELSE other END',
  contains: "text LIKE '%part%'",
  contains_substr: "text ILIKE '%part%'",
  startswith: 'starts_with(text, part)',
  endswith: "text LIKE '%part'",
  ends_with: "text LIKE '%part'",
  regexp_contains: 'text ~ pattern',
  split: "string_to_array(text, ',')",
  string_split: "string_to_table(text, ',')",
  tolower: 'lower(text)',
  toupper: 'upper(text)',
  strlen: 'length(text)',
  dcount: 'count(DISTINCT value)',
  ago: "now() - INTERVAL '1 day'",
  isnotnull: 'value IS NOT NULL',
  isempty: "coalesce(value, '') = ''",
  isnotempty: "value <> ''",
  generate_uuid: 'gen_random_uuid()',
  uuid_string: 'gen_random_uuid()',
  current_datetime: 'now()',
  sysdate: 'now()',
  systimestamp: 'now()',
  try_to_number: 'CAST(text AS numeric)',
  try_to_date: 'CAST(text AS date)',
  try_to_timestamp: 'CAST(text AS timestamp)',
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
  typeof replacement === 'function' ? replacement() : replacement;

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
