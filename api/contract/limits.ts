/** Limits of the service (specification, "Limits"), with units. */
export const limits = {
  /** Items per page of any list (`executePageSizeMax` applies to query results). */
  pageSizeMin: 1,
  pageSizeMax: 200,
  pageSizeDefault: 50,
  /** Length of a saved query's name, in characters. */
  savedQueryNameMin: 1,
  savedQueryNameMax: 200,
  /** Length of a saved query's SQL text, in characters. */
  queryStringMin: 1,
  queryStringMax: 100_000,
  /** Maximum length of a saved query's description, in characters. */
  descriptionMax: 2_000,
  /** Default and maximum length of an activity window, in days. */
  activityWindowDefaultDays: 30,
  activityWindowMaxDays: 31,
  /** Lifetime of a presigned link in minutes. */
  urlTtlMinutesMin: 1,
  urlTtlMinutesMax: 4_320,
  /** Rows per page of a query result (assumed: the specification does not describe execute). */
  executePageSizeDefault: 1_000,
  executePageSizeMax: 10_000,
} as const;

/** Model for saved queries that do not name one (specification, SavedQuery). */
export const defaultModel = 'platform_identity';
