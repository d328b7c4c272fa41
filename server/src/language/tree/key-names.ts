/** Likely names of a primary key: PostgreSQL allows every column of a table grouped by its key. */
export const keyName = /(^k|id|key|sk|pk|uuid|guid|code|no|nr|number|slug|symbol|iso|login|email)\d*$/i;
