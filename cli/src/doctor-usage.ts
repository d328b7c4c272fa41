/** What `identity-queries doctor` takes: apart, so that help needs nothing of the network. */
export const doctorUsage = `  identity-queries doctor [--connection NAME] [--connections FILE] [--client-authentication basic|body] [--json]
      Reports which assumptions about the service hold. Only reads. Connections are a list in a file, as in the
      setting identityQueries.connections; without FILE, .identity-queries/connections.json of this folder or one
      above, else connections.json in your configuration folder.
      Exit code: 0 all hold as far as reading tells, 1 some do not, 2 the service could not be asked.
`;
