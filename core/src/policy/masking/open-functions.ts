/**
 * Functions whose result depends only on their arguments. PostgreSQL guarantees this for immutable functions; the
 * others were listed after a review. Any function that is not listed may read tables itself (`table_to_xml`, `ts_stat`)
 * or reveal server data, so the origin of its result is unknown.
 */
import { builtIn } from '#server/language/checks/read-only/effects/function-catalogue.ts';

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

const reviewed = `
  now current_date current_time current_timestamp localtime localtimestamp clock_timestamp statement_timestamp
  transaction_timestamp timeofday age date_part date_trunc date_bin extract timezone make_timestamptz to_char to_date
  to_timestamp to_number overlaps isfinite timestamptz timestamp date time timetz
  concat concat_ws format quote_literal quote_nullable quote_ident string_agg array_agg array_to_string string_to_array
  string_to_table regexp_split_to_table regexp_split_to_array regexp_matches regexp_match unnest generate_series
  generate_subscripts
  to_json to_jsonb row_to_json array_to_json json_build_object json_build_array jsonb_build_object jsonb_build_array
  json_agg jsonb_agg json_object_agg jsonb_object_agg json_agg_strict jsonb_agg_strict
  jsonb_path_exists_tz jsonb_path_match_tz jsonb_path_query_tz jsonb_path_query_array_tz jsonb_path_query_first_tz
  count sum avg min max every bool_and bool_or bit_and bit_or stddev variance mode percentile_cont percentile_disc
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  random gen_random_uuid uuidv4 uuidv7 to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery
  ts_headline`;

/** Listed as immutable, but an overload is not immutable or reads other data, as access lists show names of roles. */
const notOpen = new Set(
  words(
    'ts_rewrite ts_stat acldefault makeaclitem aclcontains aclinsert aclremove aclitemeq hash_aclitem hash_aclitem_extended pg_partition_root',
  ),
);

const open: ReadonlySet<string> = new Set(
  [...words(builtIn.immutable), ...words(reviewed)].filter(
    (name) => !notOpen.has(name) && !/^reg[a-z]+send$/.test(name),
  ),
);

/**
 * Whether PostgreSQL looks up values of this type in its own tables, so that a cast makes names of numbers, and tells
 * which names there are: `regclass`, `regrole`, `aclitem`, and arrays of them.
 */
export const isCatalogueType = (name: string): boolean => /^_?(?:reg[a-z]+|aclitem)$/.test(name);

const isOwn = (schema: string | undefined): boolean => schema === undefined || schema === 'pg_catalog';

export const isOpenFunction = (name: string, schema: string | undefined): boolean =>
  isOwn(schema) && open.has(name);
