/** The tables of TPC-H, as a catalogue. */
import type { Catalogue } from '#server/language/names/catalogue.ts';

/** Columns by the letters that the types begin with: i, t, d and n. */
const types: Readonly<Record<string, string>> = { i: 'integer', t: 'text', d: 'date', n: 'numeric' };

const tables: Readonly<Record<string, string>> = {
  part: 'p_partkey:i p_name:t p_mfgr:t p_brand:t p_type:t p_size:i p_container:t p_retailprice:n p_comment:t',
  supplier: 's_suppkey:i s_name:t s_address:t s_nationkey:i s_phone:t s_acctbal:n s_comment:t',
  partsupp: 'ps_partkey:i ps_suppkey:i ps_availqty:i ps_supplycost:n ps_comment:t',
  customer: 'c_custkey:i c_name:t c_address:t c_nationkey:i c_phone:t c_acctbal:n c_mktsegment:t c_comment:t',
  orders:
    'o_orderkey:i o_custkey:i o_orderstatus:t o_totalprice:n o_orderdate:d o_orderpriority:t o_clerk:t o_shippriority:i o_comment:t',
  lineitem:
    'l_orderkey:i l_partkey:i l_suppkey:i l_linenumber:i l_quantity:n l_extendedprice:n l_discount:n l_tax:n l_returnflag:t l_linestatus:t l_shipdate:d l_commitdate:d l_receiptdate:d l_shipinstruct:t l_shipmode:t l_comment:t',
  nation: 'n_nationkey:i n_name:t n_regionkey:i n_comment:t',
  region: 'r_regionkey:i r_name:t r_comment:t',
};

export const tpch: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: Object.entries(tables).map(([name, list]) => ({
        name,
        columns: list.split(' ').map((column) => {
          const [own = '', type = ''] = column.split(':');
          return { name: own, type: types[type] ?? type };
        }),
      })),
    },
  ],
};
