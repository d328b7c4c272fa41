/** One line for whoever runs the sandbox. Never bodies, headers, SQL or values. */
export type Log = (line: string) => void;
