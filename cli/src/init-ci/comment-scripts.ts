/**
 * Posts the plan as a single pull request comment, which later runs replace. Only a comment by the same author is
 * replaced, since anyone can write one with the same first line.
 */
import { planFile } from './steps.ts';

interface CommentApi {
  /** JavaScript that sets `base`, the address of the API, and `who`, the authentication headers. */
  readonly setUp: readonly string[];
  /** JavaScript that updates the existing comment, or creates one. */
  readonly find: readonly string[];
}

const apis = {
  github: {
    setUp: [
      'const base = `${process.env.GITHUB_API_URL}/repos/${process.env.GITHUB_REPOSITORY}/issues/`;',
      'const who = { authorization: `Bearer ${process.env.GITHUB_TOKEN}` };',
    ],
    find: [
      'const comments = await all(`${process.env.PULL_REQUEST}/comments?per_page=100`);',
      "const mine = comments.find((one) => one.user?.login === 'github-actions[bot]' && one.body.startsWith(mark));",
      "if (mine) await ask(`comments/${mine.id}`, 'PATCH', { body });",
      "else await ask(`${process.env.PULL_REQUEST}/comments`, 'POST', { body });",
    ],
  },
  gitlab: {
    setUp: [
      'const base = `${process.env.CI_API_V4_URL}/`;',
      "const who = { 'private-token': process.env.IDENTITY_QUERIES_COMMENT_TOKEN };",
    ],
    find: [
      'const notes = `projects/${process.env.CI_PROJECT_ID}/merge_requests/${process.env.CI_MERGE_REQUEST_IID}/notes`;',
      "const me = await ask('user');",
      'const written = await all(`${notes}?per_page=100&sort=asc`);',
      'const mine = written.find((one) => one.author.id === me.id && one.body.startsWith(mark));',
      "if (mine) await ask(`${notes}/${mine.id}`, 'PUT', { body });",
      "else await ask(notes, 'POST', { body });",
    ],
  },
  azure: {
    setUp: [
      'const base = process.env.SYSTEM_COLLECTIONURI;',
      'const who = { authorization: `Bearer ${process.env.SYSTEM_ACCESSTOKEN}` };',
    ],
    find: [
      'const request = `pullRequests/${process.env.SYSTEM_PULLREQUEST_PULLREQUESTID}/threads`;',
      'const threads = `${process.env.SYSTEM_TEAMPROJECTID}/_apis/git/repositories/${process.env.BUILD_REPOSITORY_ID}/${request}`;',
      "const version = 'api-version=7.1';",
      'const me = (await ask(`_apis/connectionData?${version}-preview`)).authenticatedUser;',
      'const written = [];',
      "let token = '';",
      'do {',
      '  const after = token && `&continuationToken=${encodeURIComponent(token)}`;',
      '  const answer = await send(`${threads}?${version}${after}`);',
      '  written.push(...(await answer.json()).value);',
      "  token = answer.headers.get('x-ms-continuationtoken');",
      '} while (token);',
      'const isMine = (one) => one?.author?.id === me.id && one.content?.startsWith(mark);',
      'const mine = written.find((thread) => isMine(thread.comments[0]));',
      'const comment = { content: body, commentType: 1, parentCommentId: 0 };',
      "if (mine) await ask(`${threads}/${mine.id}/comments/${mine.comments[0].id}?${version}`, 'PATCH', { content: body });",
      "else await ask(`${threads}?${version}`, 'POST', { comments: [comment], status: 'closed' });",
    ],
  },
} as const satisfies Readonly<Record<string, CommentApi>>;

/** Returns the lines of a shell script; Node.js is available, since this program needs it. */
export function commentScript(service: keyof typeof apis): readonly string[] {
  const { setUp, find } = apis[service];
  return [
    "node --input-type=module <<'SCRIPT'",
    "import { readFile } from 'node:fs/promises';",
    `const body = await readFile('${planFile}', 'utf8');`,
    "const [mark] = body.split('\\n');",
    ...setUp,
    "async function send(path, method = 'GET', data) {",
    "  const headers = { ...who, 'content-type': 'application/json', accept: 'application/json' };",
    '  const answer = await fetch(base + path, { method, headers, body: data && JSON.stringify(data) });',
    '  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}.`);',
    '  return answer;',
    '}',
    'async function ask(...request) {',
    '  return await (await send(...request)).json();',
    '}',
    'async function all(path) {',
    '  const found = [];',
    '  for (let page = 1; ; page += 1) {',
    '    const more = await ask(`${path}&page=${page}`);',
    '    found.push(...more);',
    '    if (more.length < 100) return found;',
    '  }',
    '}',
    ...find,
    'SCRIPT',
  ];
}
