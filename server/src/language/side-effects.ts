/**
 * Functions that do more than compute although a SELECT may call them. From PostgreSQL 18's manual (chapter "Functions
 * and Operators": sequence manipulation, system administration; chapters on large objects and on dblink), checked
 * against the volatile functions of its catalogue. Volatile functions that only read (random, clock_timestamp,
 * currval, ...) are not here.
 */

interface Effect {
  readonly does: string;
  /** Of extensions, which are installed into any schema. */
  readonly isAnywhere?: true;
  readonly names: readonly string[];
}

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** A name that ends in an asterisk stands for every name with that beginning. */
const effects: readonly Effect[] = [
  { does: 'changes a sequence', names: words('nextval setval') },
  {
    does: 'takes or frees a lock that outlives the query',
    names: words('pg_advisory_* pg_try_advisory_*'),
  },
  { does: 'reads or writes large objects', names: words('lo_* loread lowrite') },
  {
    does: 'runs statements on another connection',
    isAnywhere: true,
    names: words('dblink dblink_* postgres_fdw_disconnect postgres_fdw_disconnect_all'),
  },
  {
    does: 'runs a query given as text, which cannot be checked',
    isAnywhere: true,
    names: words('crosstab crosstab2 crosstab3 crosstab4 connectby xpath_table'),
  },
  {
    does: 'changes what the database server stores or keeps',
    isAnywhere: true,
    names: words(`heap_force_* pg_truncate_visibility_map pg_stat_statements_reset pg_prewarm autoprewarm_*
      pg_buffercache_evict*`),
  },
  { does: 'reaches the files of the database server', isAnywhere: true, names: words('pg_file_*') },
  {
    does: 'runs a query given as text, which cannot be checked',
    names: words('query_to_xml query_to_xmlschema query_to_xml_and_xmlschema ts_stat'),
  },
  { does: 'acts on other sessions', names: words('pg_terminate_backend pg_cancel_backend pg_notify') },
  { does: 'changes settings of the session', names: words('set_config setseed') },
  {
    does: 'reaches the files of the database server',
    names: words(`pg_read_file pg_read_binary_file pg_stat_file pg_ls_* pg_current_logfile pg_hba_file_rules
      pg_ident_file_mappings pg_show_all_file_settings`),
  },
  { does: 'keeps the database waiting', names: words('pg_sleep pg_sleep_for pg_sleep_until') },
  {
    does: 'administers the database server',
    names: words(`pg_reload_conf pg_rotate_logfile pg_log_backend_memory_contexts pg_promote pg_backup_start
      pg_backup_stop pg_switch_wal pg_create_* pg_drop_replication_slot pg_copy_logical_replication_slot
      pg_copy_physical_replication_slot pg_logical_* pg_replication_origin_* pg_replication_slot_advance
      pg_sync_replication_slots pg_wal_replay_pause pg_wal_replay_resume pg_log_standby_snapshot pg_export_snapshot
      pg_import_system_collations pg_extension_config_dump binary_upgrade_* brin_desummarize_range
      brin_summarize_new_values brin_summarize_range gin_clean_pending_list pg_nextoid pg_stop_making_pinned_objects`),
  },
  {
    does: 'resets or changes statistics',
    names: words(`pg_stat_reset pg_stat_reset_* pg_stat_clear_snapshot pg_stat_force_next_flush
      pg_clear_attribute_stats pg_clear_relation_stats pg_restore_attribute_stats pg_restore_relation_stats`),
  },
  {
    does: 'assigns a transaction number',
    names: words('txid_current pg_current_xact_id'),
  },
];

const exact = new Map<string, Effect>();
const prefixes: (readonly [string, Effect])[] = [];
for (const effect of effects) {
  for (const name of effect.names) {
    if (name.endsWith('*')) {
      prefixes.push([name.slice(0, -1), effect]);
    } else {
      exact.set(name, effect);
    }
  }
}
/** These start like writers and only read. */
const harmless = new Set(
  words(
    'pg_logical_slot_peek_changes pg_logical_slot_peek_binary_changes pg_replication_origin_progress pg_replication_origin_oid',
  ),
);

/**
 * What the function does besides computing, as the end of a sentence; undefined if nothing is known. Another schema's
 * function of the same name is another function, unless it is an extension's.
 */
export function effectOf(name: string, schema = 'pg_catalog'): string | undefined {
  if (harmless.has(name)) {
    return undefined;
  }
  const effect = exact.get(name) ?? prefixes.find(([prefix]) => name.startsWith(prefix))?.[1];
  return schema === 'pg_catalog' || effect?.isAnywhere === true ? effect?.does : undefined;
}
