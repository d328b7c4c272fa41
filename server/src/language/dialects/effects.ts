/**
 * Functions with side effects in other dialects, taken from each database's reference. The lists are incomplete:
 * unlisted functions count as harmless, as docs/diagnostics.md states.
 */
import { t } from '#base/texts.ts';
import type { CalledPart } from '#server/protocol.ts';
import { finding, type Finding } from '../checks/finding.ts';
import { files, network, runsText } from '../checks/read-only/effects/extension-functions.ts';
import type { Effect } from '../checks/read-only/effects/reviewed-functions.ts';
import { sideEffectInWords, type SideEffect } from '../checks/read-only/side-effect-labels.ts';
import type { Dialect } from '../text/dialects.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';

const waits = 'makes the database wait';
const locks = 'takes or releases a lock that outlives the query';
const program = 'runs a program on the database server';
const administers = 'administers the database server';
const sequence = 'changes a sequence';

const mysql: readonly Effect[] = [
  {
    does: waits,
    names: `sleep benchmark master_pos_wait source_pos_wait master_gtid_wait wait_for_executed_gtid_set
      wait_until_sql_thread_after_gtids`,
  },
  { does: files, names: 'load_file' },
  { does: locks, names: 'get_lock release_lock release_all_locks service_get_* service_release_locks' },
  { does: sequence, names: 'nextval setval' },
  { does: program, names: 'sys_exec sys_eval sys_set' },
  { does: network, names: 'http_get http_post' },
  {
    does: administers,
    names: `group_replication_* asynchronous_connection_failover_* keyring_key_generate keyring_key_remove
      keyring_key_store version_tokens_* audit_log_filter_* audit_log_rotate audit_log_encryption_* set_firewall_*
      read_firewall_* mysql_firewall_flush_status gen_blocklist gen_dictionary_load gen_dictionary_drop
      mysql_query_attribute_set load_rewrite_rules flush_rewrite_cache spider_direct_sql spider_bg_direct_sql
      spider_copy_tables spider_flush_table_mon_cache`,
  },
];

const postgres: readonly Effect[] = [
  { does: sequence, names: 'nextval setval' },
  { does: locks, names: 'pg_advisory_* pg_try_advisory_*' },
  { does: 'acts on other sessions', names: 'pg_terminate_backend pg_cancel_backend pg_notify' },
  { does: waits, names: 'pg_sleep pg_sleep_for pg_sleep_until' },
  { does: files, names: 'pg_read_file pg_read_binary_file pg_ls_* pg_stat_file lo_* loread lowrite' },
  { does: runsText, names: 'query_to_xml query_to_xmlschema ts_stat dblink dblink_*' },
  { does: 'changes settings of the session', names: 'set_config setseed' },
];

const trino: readonly Effect[] = [{ does: runsText, names: 'query raw_query' }];

const effects: Readonly<Record<Dialect, readonly Effect[]>> = {
  athena: trino,
  bigquery: [
    { does: runsText, names: 'external_query' },
    {
      does: network,
      names: `ml.generate_text ml.generate_embedding ml.generate_table ml.annotate_image ml.process_document ml.transcribe
        ml.translate ml.understand_text ai.generate ai.generate_bool ai.generate_double ai.generate_int ai.generate_table
        ai.generate_text ai.if ai.score ai.classify`,
    },
  ],
  db2: [
    {
      does: network,
      names: 'httpget* httppost* httpput* httpdelete* httphead* http_get* http_post* http_put* http_delete*',
    },
    { does: files, names: 'ifs_read* ifs_write* ifs_object_statistics' },
    { does: program, names: 'qcmdexc' },
    {
      does: administers,
      names: 'admin_cmd admin_move_table admin_task_add admin_task_remove wlm_cancel_activity',
    },
  ],
  flinksql: [],
  hive: [
    { does: program, names: 'reflect reflect2 java_method' },
    { does: files, names: 'in_file' },
    { does: sequence, names: 'surrogate_key' },
  ],
  mariadb: mysql,
  mysql,
  noql: postgres,
  redshift: postgres,
  snowflake: [
    { does: network, names: 'ai_* complete embed_text_* cortex.*' },
    { does: administers, names: 'system$*' },
  ],
  sqlite: [
    { does: program, names: 'load_extension edit fts3_tokenizer' },
    { does: files, names: 'readfile writefile fsdir lsdir lines_read lines zipfile sqlar_*' },
    { does: runsText, names: 'eval sha1_query sha3_query' },
  ],
  transactsql: [
    { does: runsText, names: 'openquery openrowset opendatasource' },
    { does: program, names: 'xp_* sp_*' },
    {
      does: files,
      names: `fn_xe_file_target_read_file fn_get_audit_file fn_trace_gettable fn_dump_dblog dm_os_file_exists
        dm_os_enumerate_filesystem`,
    },
  ],
  trino,
};

/** Snowflake system functions that are read-only. */
const harmless = new Set(
  `system$typeof system$clustering_information system$clustering_depth system$clustering_ratio
   system$estimate_query_acceleration system$get_predecessor_return_value system$pipe_status system$reference
   system$last_change_commit_time system$stream_has_data system$explain_plan_json system$explain_json_to_text
   system$allowlist system$behavior_change_bundle_status system$database_refresh_history`.split(/\s+/),
);

/** Lock hints after WITH in Transact-SQL. */
const lockHints = new Set('holdlock paglock rowlock serializable tablock tablockx updlock xlock'.split(' '));

export interface DialectEffects {
  readonly calls: readonly CalledPart[];
  readonly findings: readonly Finding[];
}

/** Returns undefined if there are no known side effects. */
export function dialectEffects(
  code: TokenList,
  { firstToken, lastToken }: StatementSpan,
  dialect: Dialect,
): DialectEffects | undefined {
  const calls = new Map<string, CalledPart>();
  const findings: Finding[] = [];
  for (let index = firstToken; index <= lastToken; index++) {
    const name = plainName(code, index);
    const does = name === undefined ? undefined : effectAt(code, index, name, dialect);
    if (name !== undefined && does !== undefined) {
      const words = sideEffectInWords(does);
      calls.set(name, { kind: 'function', name, does: words });
      const message = t(
        '"{0}" {1}, even in a SELECT. Leave it out unless you intend this.',
        code.textOf(index),
        words,
      );
      findings.push(finding('SIDE_EFFECT_FUNCTION', message, code.start(index), code.end(index)));
    }
  }
  return calls.size === 0 ? undefined : { calls: [...calls.values()], findings };
}

function effectAt(code: TokenList, index: number, name: string, dialect: Dialect): SideEffect | undefined {
  if (dialect === 'transactsql' && lockHints.has(name) && isHint(code, index))
    return 'locks what the query reads';
  if (!code.is(index + 1, '(') || harmless.has(name)) return undefined;
  const before = code.is(index - 1, '.') ? plainName(code, index - 2) : undefined;
  const qualified = before === undefined ? name : `${before}.${name}`;
  return effects[dialect].find(({ names }) => isAmong(names, name) || isAmong(names, qualified))?.does;
}

const isAmong = (names: string, name: string): boolean =>
  names
    .split(/\s+/)
    .some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name));

/**
 * Returns whether the token is a hint in parentheses after WITH or a table, as in `FROM t WITH (TABLOCKX, HOLDLOCK)`
 * and `FROM t (TABLOCKX)`.
 */
function isHint(code: TokenList, index: number): boolean {
  const isEdge = (at: number): boolean => code.is(at, '(') || code.is(at, ')') || code.is(at, ',');
  return isEdge(index - 1) && isEdge(index + 1);
}

/** Returns the name in lower case, without quotes of any kind. */
function plainName(code: TokenList, index: number): string | undefined {
  switch (code.kind(index)) {
    case TokenKind.word:
      return code.textOf(index).toLowerCase();
    case TokenKind.quotedName:
      return code.textOf(index).slice(1, -1).toLowerCase();
    default:
      return undefined;
  }
}
