/**
 * A manual review of PostgreSQL 18's functions where the catalog is insufficient: it marks some read-only functions as
 * volatile, and some functions that run queries or assign a transaction ID as stable.
 */
import type { SideEffect } from '../side-effect-labels.ts';

export interface Effect {
  /** The side effect, worded as the end of a sentence. */
  readonly does: SideEffect;
  /** Function names; a trailing asterisk is a wildcard. */
  readonly names: string;
}

/** Volatile but read-only functions: random values, clocks, server and session state. */
export const harmlessVolatile = `amvalidate array_sample array_shuffle clock_timestamp current_query currtid2 currval
  gen_random_uuid lastval random random_normal timeofday uuidv4 uuidv7 lo_get
  pg_available_wal_summaries pg_blocking_pids pg_collation_actual_version pg_control_checkpoint pg_control_init
  pg_control_recovery pg_control_system pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn
  pg_database_collation_actual_version pg_database_size pg_get_aios pg_get_backend_memory_contexts
  pg_get_loaded_modules pg_get_multixact_members pg_get_sequence_data pg_get_shmem_allocations
  pg_get_shmem_allocations_numa pg_get_wait_events pg_get_wal_replay_pause_state pg_get_wal_resource_managers
  pg_get_wal_summarizer_state pg_indexes_size pg_is_in_recovery pg_is_wal_replay_paused
  pg_isolation_test_session_is_blocked pg_jit_available pg_last_committed_xact pg_last_wal_receive_lsn
  pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_lock_status pg_logical_slot_peek_binary_changes
  pg_logical_slot_peek_changes pg_notification_queue_usage pg_partition_ancestors pg_partition_tree pg_prepared_xact
  pg_relation_size pg_replication_origin_progress pg_replication_origin_session_is_setup
  pg_replication_origin_session_progress pg_safe_snapshot_blocking_pids pg_sequence_last_value
  pg_show_replication_origin_status pg_stat_get_backend_io pg_stat_get_backend_wal pg_stat_get_io
  pg_stat_get_recovery_prefetch pg_stat_get_xact_blocks_fetched pg_stat_get_xact_blocks_hit
  pg_stat_get_xact_function_calls pg_stat_get_xact_function_self_time pg_stat_get_xact_function_total_time
  pg_stat_get_xact_numscans pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_fetched
  pg_stat_get_xact_tuples_hot_updated pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_newpage_updated
  pg_stat_get_xact_tuples_returned pg_stat_get_xact_tuples_updated pg_stat_have_stats pg_table_size
  pg_tablespace_size pg_total_relation_size pg_wal_summary_contents pg_xact_commit_timestamp
  pg_xact_commit_timestamp_origin pg_xact_status txid_status`;

/** Functions that have side effects even though the catalog marks them as stable. */
export const effectsOfStable: readonly Effect[] = [
  { does: 'assigns a transaction number', names: 'txid_current pg_current_xact_id' },
  {
    does: 'reads tables that the query does not name',
    names: `table_to_xml table_to_xmlschema table_to_xml_and_xmlschema schema_to_xml schema_to_xmlschema
      schema_to_xml_and_xmlschema database_to_xml database_to_xmlschema database_to_xml_and_xmlschema`,
  },
  {
    does: 'runs the checks of a type that is given as a string or number',
    names: 'domain_in array_in record_in range_in multirange_in',
  },
];

/** Side effects of volatile functions. Unlisted functions get a general description. */
export const effectsOfVolatile: readonly Effect[] = [
  { does: 'changes a sequence', names: 'nextval setval' },
  {
    does: 'takes or releases a lock that outlives the query',
    names: 'pg_advisory_* pg_try_advisory_*',
  },
  { does: 'reads or writes large objects', names: 'lo_* loread lowrite' },
  {
    does: 'runs a query given as text, which cannot be checked',
    names: 'query_to_xml query_to_xmlschema query_to_xml_and_xmlschema ts_stat ts_rewrite',
  },
  { does: 'runs the query of a cursor', names: 'cursor_to_xml cursor_to_xmlschema' },
  { does: 'acts on other sessions', names: 'pg_terminate_backend pg_cancel_backend pg_notify' },
  { does: 'changes settings of the session', names: 'set_config setseed' },
  {
    does: 'reaches the files of the database server',
    names: `pg_read_file pg_read_binary_file pg_stat_file pg_ls_* pg_current_logfile pg_hba_file_rules
      pg_ident_file_mappings pg_show_all_file_settings`,
  },
  { does: 'makes the database wait', names: 'pg_sleep pg_sleep_for pg_sleep_until' },
  {
    does: 'resets or changes statistics',
    names: `pg_stat_reset pg_stat_reset_* pg_stat_clear_snapshot pg_stat_force_next_flush
      pg_clear_attribute_stats pg_clear_relation_stats pg_restore_attribute_stats pg_restore_relation_stats`,
  },
  {
    does: 'administers the database server',
    names: `pg_reload_conf pg_rotate_logfile pg_log_backend_memory_contexts pg_promote pg_backup_* pg_switch_wal
      pg_create_* pg_drop_replication_slot pg_copy_* pg_logical_* pg_replication_* pg_sync_replication_slots
      pg_wal_replay_* pg_log_standby_snapshot pg_export_snapshot pg_import_system_collations
      pg_extension_config_dump binary_upgrade_* brin_* gin_clean_pending_list pg_nextoid
      pg_stop_making_pinned_objects`,
  },
];

/** Functions removed before PostgreSQL 18. */
export const effectsOfOlderVersions: readonly Effect[] = [
  {
    does: 'administers the database server',
    names: `pg_start_backup pg_stop_backup pg_switch_xlog pg_xlog_replay_pause pg_xlog_replay_resume
      pg_exclusive_backup_start`,
  },
  {
    does: 'reaches the files of the database server',
    names: 'pg_read_file_old pg_file_* pg_logdir_ls pg_logfile_rotate',
  },
];
