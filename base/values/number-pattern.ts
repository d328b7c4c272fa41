/** A number as PostgreSQL reads and writes it, without groups of digits. */
export const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
