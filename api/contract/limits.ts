/** Limits of the service (specification, "Limits"), each with its unit. */
export const limits = {
  /** Items a page of any list (and of a query result, where `executePageSizeMax` applies). */
  pageSizeMin: 1,
  pageSizeMax: 200,
  pageSizeDefault: 50,
  /** Characters of a saved query's name. */
  savedQueryNameMin: 1,
  savedQueryNameMax: 200,
  /** Characters of a saved query's SQL text. */
  queryStringMin: 1,
  queryStringMax: 100_000,
  /** Characters of a saved query's description. */
  descriptionMax: 2_000,
  /** Days of the default and of the longest window of activities. */
  activityWindowDefaultDays: 30,
  activityWindowMaxDays: 31,
  /** Minutes a presigned link may live. */
  urlTtlMinutesMin: 1,
  urlTtlMinutesMax: 4_320,
  /** Rows a page of a query result (assumed: the specification does not describe execute). */
  executePageSizeDefault: 1_000,
  executePageSizeMax: 10_000,
} as const;

/** The model of a saved query that names none (specification, SavedQuery). */
export const defaultModel = 'platform_identity';
