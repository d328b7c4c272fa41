/** Likely names of primary keys. If a query groups by its key, PostgreSQL allows every column of the table. */
export const keyName = /(^k|id|key|sk|pk|uuid|guid|code|no|nr|number|slug|symbol|iso|login|email)\d*$/i;
