/** One log line for the operator. Never contains bodies, headers, SQL or values. */
export type Log = (line: string) => void;
