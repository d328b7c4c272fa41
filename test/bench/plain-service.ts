/** The same answers as a team's service by Fastify and pg alone, without checks, versions, states or limits: what the machine allows. */
import fastify from 'fastify';
import pg from 'pg';

const [state, data] = process.argv.slice(2);
const [kept, read] = [state, data].map((connectionString) => new pg.Pool({ connectionString, max: 8 }));
if (kept === undefined || read === undefined) throw new Error('Two addresses are needed.');
const app = fastify();
app.get('/v1/query/saved-queries', async () => {
  const { rows } = await kept.query('SELECT * FROM plain_queries ORDER BY name LIMIT 100');
  return { items: rows };
});
app.get<{ Params: { id: string } }>('/v1/query/saved-queries/:id', async ({ params }) => {
  const { rows } = await kept.query('SELECT * FROM plain_queries WHERE query_id = $1', [params.id]);
  return rows[0];
});
app.post<{ Body: { query_string: string } }>('/v1/query/execute', async ({ body }) => {
  const { fields, rows } = await read.query({ text: body.query_string, rowMode: 'array' });
  return { columns: fields.map(({ name }) => ({ name })), rows, nextPageToken: null };
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.once('disconnect', () => process.exit());
