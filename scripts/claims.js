/** Lists the claims in README.md, each with the tests and benchmarks that prove it. Fails if a proof is missing. */
import { claims, problemsOfClaims } from './lib/claims.js';

for (const { claim, proofs } of claims)
  process.stdout.write(`${claim}\n${proofs.map((proof) => `    ${proof}\n`).join('')}`);
const problems = problemsOfClaims();
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
