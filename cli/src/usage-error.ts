/** A command cannot do what it was asked to; `message` says why and what to do. */
export class UsageError extends Error {}
