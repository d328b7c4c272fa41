/** How the service over a person's own database ends where another login or password helps, for who started it. */

/** The login can do more than read. */
export const untrustedLoginExitCode = 4;

/** The server refused the user with this password. */
export const passwordRefusedExitCode = 5;
