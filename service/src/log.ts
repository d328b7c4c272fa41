/** Writes a log line for the operator. Lines never contain bodies, headers, SQL or values. */
export type Log = (line: string) => void;
