/**
 * Extension functions, reviewed using their documentation and SQL. Extensions that PGlite bundles are in the generated
 * catalog, and listed here only if its data is insufficient. An extension may be installed in any schema, so side
 * effects apply in every schema. Harmless functions must be unqualified or in `public`, `extensions` or the extension's
 * own schema.
 */
import type { SideEffect } from '../side-effect-labels.ts';
import type { Effect } from './reviewed-functions.ts';

export interface KnownExtension {
  readonly name: string;
  /** The extension's own schemas. */
  readonly schemas?: string;
  readonly effects?: readonly Effect[];
  /** Function names; a trailing asterisk is a wildcard. */
  readonly harmless?: string;
  /** The side effect of all other functions in the extension's own schemas. */
  readonly restDoes?: SideEffect;
  readonly types?: string;
  readonly operators?: string;
  readonly samplingMethods?: string;
}

export const runsText = 'runs a query given as text, which cannot be checked';
const remote = 'runs statements on another connection';
export const network = 'sends a request to another server';
export const files = 'reaches the files of the database server';
const maintains = 'changes what the database stores';
const jobs = 'starts, changes or stops jobs in the database';
const server = 'changes data that the database server stores';

export const knownExtensions: readonly KnownExtension[] = [
  { name: 'adminpack', effects: [{ does: files, names: 'pg_file_* pg_logdir_ls pg_logfile_rotate' }] },
  {
    name: 'age',
    schemas: 'ag_catalog',
    restDoes: maintains,
    effects: [
      { does: runsText, names: 'cypher' },
      {
        does: maintains,
        names:
          'create_graph drop_graph create_vlabel create_elabel drop_label load_labels_from_file load_edges_from_file',
      },
    ],
    harmless: 'agtype_*',
    types: 'agtype graphid',
  },
  {
    name: 'amcheck',
    effects: [{ does: 'locks a table', names: 'bt_index_parent_check' }],
    harmless: 'bt_index_check gin_index_check verify_heapam',
  },
  {
    name: 'anon',
    schemas: 'anon',
    effects: [
      {
        does: maintains,
        names: `anonymize_database anonymize_table anonymize_column shuffle_column add_noise_on_numeric_column
          add_noise_on_datetime_column start_dynamic_masking stop_dynamic_masking`,
      },
    ],
  },
  {
    name: 'aws_commons',
    schemas: 'aws_commons',
    harmless: 'create_s3_uri create_aws_credentials create_lambda_function_arn',
  },
  { name: 'aws_lambda', schemas: 'aws_lambda', restDoes: network },
  {
    name: 'aws_ml',
    schemas: 'aws_bedrock aws_comprehend aws_sagemaker',
    restDoes: network,
    effects: [{ does: network, names: 'invoke_model invoke_model_get_embeddings' }],
  },
  {
    name: 'aws_s3',
    schemas: 'aws_s3',
    restDoes: network,
    effects: [{ does: network, names: 'query_export_to_s3 table_import_from_s3' }],
  },
  { name: 'azure_ai', schemas: 'azure_ai azure_openai azure_cognitive azure_ml', restDoes: network },
  {
    name: 'azure_storage',
    schemas: 'azure_storage',
    restDoes: network,
  },
  {
    name: 'citus',
    schemas: 'citus citus_internal',
    restDoes: server,
    effects: [
      { does: remote, names: 'run_command_on_* master_run_on_worker' },
      {
        does: server,
        names: `citus_* master_add_node master_remove_node master_activate_node master_disable_node
          master_add_inactive_node master_create_empty_shard master_append_table_to_shard master_move_shard_placement
          master_copy_shard_placement master_drain_node master_update_node master_modify_multiple_shards
          master_create_distributed_table master_create_worker_shards create_distributed_table create_distributed_table_concurrently create_reference_table
          create_distributed_function undistribute_table alter_distributed_table alter_table_set_access_method
          isolate_tenant_to_new_shard rebalance_table_shards replicate_table_shards truncate_local_data_after_distributing_table
          upgrade_to_reference_table mark_tables_colocated update_distributed_table_colocation start_metadata_sync_to_node
          stop_metadata_sync_to_node remove_local_tables_from_metadata replicate_reference_tables
          alter_columnar_table_set alter_columnar_table_reset create_time_partitions drop_old_time_partitions`,
      },
    ],
    harmless: `citus_version citus_table_size citus_relation_size citus_total_relation_size citus_shard_sizes
      citus_get_active_worker_nodes master_get_active_worker_nodes get_shard_id_for_distribution_column
      column_to_column_name citus_node_capacity_1 citus_is_coordinator get_missing_time_partition_ranges
      citus_stat_statements citus_stat_activity citus_nodename_for_nodeid citus_nodeport_for_nodeid`,
  },
  {
    name: 'dblink',
    effects: [{ does: remote, names: 'dblink dblink_*' }],
  },
  {
    name: 'earthdistance',
    harmless:
      'earth sec_to_gc gc_to_sec ll_to_earth latitude longitude earth_distance earth_box geo_distance',
  },
  {
    name: 'google_ml_integration',
    schemas: 'google_ml',
    restDoes: network,
    effects: [{ does: network, names: 'ml_predict_row' }],
  },
  {
    name: 'http',
    schemas: 'http',
    restDoes: network,
    effects: [
      {
        does: network,
        names:
          'http http_get http_post http_put http_patch http_delete http_head http_set_curlopt http_reset_curlopt',
      },
    ],
    harmless: 'urlencode bytea_to_text text_to_bytea http_header http_headers http_list_curlopt',
    types: 'http_request http_response http_header http_method',
  },
  {
    name: 'hypopg',
    effects: [
      {
        does: 'changes how the session plans queries',
        names:
          'hypopg_create_index hypopg_drop_index hypopg_reset hypopg_reset_index hypopg_hide_index hypopg_unhide_index hypopg_unhide_all_indexes',
      },
    ],
    harmless: 'hypopg hypopg_*',
  },
  {
    name: 'intagg',
    harmless: 'int_array_aggregate int_array_enum int_agg_state int_agg_final_array',
  },
  { name: 'isn', effects: [{ does: 'changes settings of the session', names: 'isn_weak' }] },
  { name: 'lo', effects: [{ does: maintains, names: 'lo_manage' }] },
  {
    name: 'madlib',
    schemas: 'madlib',
    restDoes: maintains,
  },
  { name: 'mysql_fdw', harmless: 'mysql_fdw_version mysql_fdw_get_connections' },
  {
    name: 'old_snapshot',
    harmless: 'pg_old_snapshot_time_mapping',
  },
  {
    name: 'oracle_fdw',
    effects: [{ does: remote, names: 'oracle_execute oracle_close_connections oracle_diag' }],
  },
  { name: 'orafce', schemas: 'utl_file', restDoes: files },
  { name: 'orafce', schemas: 'dbms_alert dbms_pipe', restDoes: 'acts on other sessions' },
  { name: 'orafce', schemas: 'dbms_sql', restDoes: runsText },
  {
    name: 'pageinspect',
    harmless: `brin_metapage_info brin_page_items brin_page_type brin_revmap_data bt_metap bt_multi_page_stats
      bt_page_items bt_page_stats fsm_page_contents get_raw_page gin_leafpage_items gin_metapage_info
      gin_page_opaque_info gist_page_items gist_page_items_bytea gist_page_opaque_info hash_bitmap_info
      hash_metapage_info hash_page_items hash_page_stats hash_page_type heap_page_item_attrs heap_page_items
      heap_tuple_infomask_flags page_checksum page_header tuple_data_split`,
  },
  {
    name: 'partman',
    schemas: 'partman',
    restDoes: maintains,
    harmless: 'show_partitions show_partition_name show_partition_info check_default',
  },
  { name: 'pg_background', effects: [{ does: runsText, names: 'pg_background_*' }] },
  {
    name: 'pg_buffercache',
    effects: [{ does: server, names: 'pg_buffercache_evict pg_buffercache_evict_*' }],
    harmless:
      'pg_buffercache_pages pg_buffercache_summary pg_buffercache_usage_counts pg_buffercache_numa_pages',
  },
  { name: 'pg_cron', schemas: 'cron', restDoes: jobs },
  { name: 'pg_freespacemap', harmless: 'pg_freespace' },
  {
    name: 'pg_jsonschema',
    harmless: 'json_matches_schema jsonb_matches_schema jsonschema_is_valid jsonschema_validation_errors',
  },
  { name: 'pg_graphql', schemas: 'graphql graphql_public', restDoes: runsText },
  {
    name: 'pg_net',
    schemas: 'net',
    restDoes: network,
  },
  { name: 'pg_partman_bgw', schemas: 'partman_bgw', restDoes: maintains },
  { name: 'pg_prewarm', effects: [{ does: server, names: 'pg_prewarm autoprewarm_*' }] },
  { name: 'pg_repack', schemas: 'repack', restDoes: maintains },
  { name: 'pg_squeeze', schemas: 'squeeze', restDoes: maintains },
  {
    name: 'pg_stat_statements',
    effects: [{ does: server, names: 'pg_stat_statements_reset' }],
    harmless: 'pg_stat_statements pg_stat_statements_info',
  },
  {
    name: 'pg_stat_monitor',
    effects: [{ does: server, names: 'pg_stat_monitor_reset' }],
    harmless: 'pg_stat_monitor_version',
  },
  {
    name: 'pg_stat_kcache',
    effects: [{ does: server, names: 'pg_stat_kcache_reset' }],
    harmless: 'pg_stat_kcache',
  },
  { name: 'pg_surgery', effects: [{ does: server, names: 'heap_force_*' }] },
  { name: 'pg_tle', schemas: 'pgtle', restDoes: maintains },
  { name: 'pg_trgm', effects: [{ does: 'changes settings of the session', names: 'set_limit' }] },
  {
    name: 'pg_visibility',
    effects: [{ does: server, names: 'pg_truncate_visibility_map' }],
    harmless: 'pg_check_frozen pg_check_visible pg_visibility pg_visibility_map pg_visibility_map_summary',
  },
  {
    name: 'pg_wait_sampling',
    effects: [{ does: server, names: 'pg_wait_sampling_reset_profile' }],
    harmless: 'pg_wait_sampling_get_*',
  },
  {
    name: 'pg_walinspect',
    harmless: 'pg_get_wal_block_info pg_get_wal_record_info pg_get_wal_records_info pg_get_wal_stats',
  },
  {
    name: 'pgcrypto',
    harmless: `fips_mode gen_random_bytes gen_random_uuid gen_salt pgp_pub_encrypt pgp_pub_encrypt_bytea pgp_sym_encrypt
      pgp_sym_encrypt_bytea`,
  },
  { name: 'pgagent', schemas: 'pgagent', restDoes: jobs },
  { name: 'pgai', schemas: 'ai', restDoes: network },
  { name: 'pglogical', schemas: 'pglogical spock', restDoes: server },
  { name: 'pgml', schemas: 'pgml', restDoes: 'trains or runs models on the database server' },
  { name: 'pgmq', schemas: 'pgmq', restDoes: 'changes a queue' },
  { name: 'pgq', schemas: 'pgq pgq_coop pgq_ext londiste', restDoes: 'changes a queue' },
  {
    name: 'pgrouting',
    effects: [{ does: runsText, names: 'pgr_*' }],
    harmless: 'pgr_version pgr_full_version',
  },
  { name: 'pgrowlocks', harmless: 'pgrowlocks' },
  { name: 'pgsodium', schemas: 'pgsodium vault', restDoes: 'creates or uses keys of the database server' },
  {
    name: 'pgstattuple',
    harmless: 'pgstattuple pgstattuple_approx pgstatindex pgstatginindex pgstathashindex pg_relpages',
  },
  {
    name: 'pgvector',
    harmless: `l2_distance l1_distance inner_product cosine_distance hamming_distance jaccard_distance vector_dims
      vector_norm l2_norm l2_normalize binary_quantize subvector vector_avg halfvec_avg sparsevec vector halfvec`,
    types: 'vector halfvec sparsevec',
    operators: '<-> <#> <=> <+> <~> <%>',
  },
  {
    name: 'plpython, plperl and pltcl',
    effects: [
      {
        does: 'runs program text on the database server',
        names: 'plpython3_* plpython_* plpythonu_* plperl_* plperlu_* pltcl_* pltclu_* plv8_* plr_*',
      },
      {
        does: 'runs program text on the database server',
        names: 'plr_set_rhome install_rcmd reload_plr_modules r_version',
      },
    ],
  },
  {
    name: 'postgis',
    effects: [
      {
        does: maintains,
        names: `addgeometrycolumn dropgeometrycolumn dropgeometrytable populate_geometry_columns updategeometrysrid
          postgis_extensions_upgrade addrasterconstraints droprasterconstraints addoverviewconstraints
          dropoverviewconstraints updaterastersrid st_createoverview`,
      },
      {
        does: 'takes or releases a lock that outlives the query',
        names: 'lockrow unlockrows addauth checkauth enablelongtransactions disablelongtransactions',
      },
      { does: files, names: 'st_addband' },
    ],
    harmless: `st_* _st_* postgis_* geometry geography geometrytype box2d box3d find_srid geometry_* geography_* raster`,
    types: 'geometry geography box2d box3d raster box2df geometry_dump rastbandarg addbandarg',
    operators:
      '&& &&& &< &<| &> << <<| = >> @ |&> |>> ~ ~= <-> |=| <#> <<->> <<#>> ~~ ~~= @@ &/& @>> <<@ ~==',
  },
  { name: 'postgis_topology', schemas: 'topology', restDoes: maintains },
  {
    name: 'postgres_fdw',
    effects: [{ does: remote, names: 'postgres_fdw_disconnect postgres_fdw_disconnect_all' }],
    harmless: 'postgres_fdw_get_connections',
  },
  {
    name: 'sslinfo',
    harmless: `ssl_cipher ssl_client_cert_present ssl_client_dn ssl_client_dn_field ssl_client_serial ssl_is_used
      ssl_issuer_dn ssl_issuer_field ssl_version ssl_extension_info`,
  },
  {
    name: 'tablefunc',
    effects: [{ does: runsText, names: 'crosstab crosstab2 crosstab3 crosstab4 crosstabn connectby' }],
    harmless: 'normal_rand',
  },
  {
    name: 'timescaledb',
    schemas: '_timescaledb_internal _timescaledb_functions timescaledb_information timescaledb_experimental',
    restDoes: maintains,
    effects: [
      {
        does: maintains,
        names: `create_hypertable add_dimension set_chunk_time_interval set_integer_now_func drop_chunks compress_chunk
          decompress_chunk recompress_chunk move_chunk reorder_chunk attach_tablespace detach_tablespace
          detach_tablespaces merge_chunks split_chunk attach_chunk detach_chunk convert_to_columnstore convert_to_rowstore`,
      },
      {
        does: jobs,
        names: `add_job alter_job delete_job add_retention_policy remove_retention_policy add_compression_policy
          remove_compression_policy add_continuous_aggregate_policy remove_continuous_aggregate_policy add_reorder_policy
          remove_reorder_policy add_columnstore_policy remove_columnstore_policy`,
      },
    ],
    harmless: `time_bucket time_bucket_gapfill first last locf interpolate histogram approximate_row_count show_chunks
      chunks_detailed_size hypertable_size hypertable_detailed_size hypertable_index_size chunk_compression_stats
      hypertable_compression_stats hypertable_approximate_size show_tablespaces get_telemetry_report`,
  },
  { name: 'tsm_system_rows', samplingMethods: 'system_rows system_time' },
  {
    name: 'uuid-ossp',
    harmless: 'uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4',
  },
  {
    name: 'xml2',
    effects: [{ does: runsText, names: 'xpath_table' }],
    harmless:
      'xml_encode_special_chars xml_valid xpath_bool xpath_list xpath_nodeset xpath_number xpath_string xslt_process',
  },
];
