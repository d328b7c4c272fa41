/** Programs and scripts in a folder are recognized, however their path is written. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { namesFileOf } from '#core/connections/program-place.ts';

suite('a program', () => {
  let scratch = '';
  let folder = '';
  let home = '';
  before(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'identity-queries-'));
    folder = path.join(scratch, 'project');
    home = path.join(scratch, 'home');
    await mkdir(path.join(folder, 'bin'), { recursive: true });
    await mkdir(home);
    await mkdir(path.join(scratch, 'project-tools'));
    await writeFile(path.join(folder, 'bin/secret'), '');
    await writeFile(path.join(folder, 'run.js'), '');
    await writeFile(path.join(scratch, 'project-tools/secret'), '');
    await symlink(path.join(folder, 'bin/secret'), path.join(home, 'linked'));
    await symlink(folder, path.join(scratch, 'alias'));
    // Whoever can write to the folder can change where its own links lead.
    await symlink('/bin/true', path.join(folder, 'bin/outside'));
    await symlink(path.join(scratch, 'nowhere'), path.join(folder, 'dangling'));
    await symlink(path.join(folder, 'bin/outside'), path.join(home, 'through'));
    await symlink('../project/bin', path.join(home, 'bins'));
    await symlink(path.join(scratch, 'project-tools'), path.join(folder, 'tools'));
    await symlink(path.join(scratch, 'project-tools'), path.join(home, 'own'));
    await symlink('round', path.join(home, 'round'));
  });
  after(() => rm(scratch, { recursive: true }));

  const isOfFolder = (command: readonly string[], searchPath = '/usr/bin') =>
    namesFileOf(command, { folders: [folder], searchPath, runsIn: home, environment: {} });

  test('in the folder is found by its path, a script, an option, a link or a relative path', async () => {
    for (const command of [
      [path.join(folder, 'bin/secret')],
      ['python3', path.join(folder, 'bin/secret')],
      ['node', `--require=${path.join(home, 'linked')}`, '-e', ''],
      [path.join(home, 'linked')],
      ['sh', 'linked'],
      ['../project/bin/secret'],
      [path.join(scratch, 'alias/bin/secret')],
      [path.join(folder, 'bin/outside')],
      [path.join(home, 'through')],
      ['sh', 'through'],
      ['../project/dangling'],
      ['bins/outside'],
      ['sh', 'bins/../dangling'],
      ['sh', '-c', 'exec ~/bins/../tools/secret'],
      [path.join(scratch, 'alias/tools/secret')],
      ['sh', '-c', `cd '${folder}'; ./x`],
      ['sh', '-c', `echo; ${folder}/not-there-yet`],
      // As a shell, or a program with letters for its options, finds it from the home folder.
      ['sh', '-c', 'exec sh ../project/not-there-yet'],
      ['sh', '-c', 'cd ../project&&./x'],
      ['sh', '-c', '. ~/linked'],
      ['sh', '-c', '"$HOME"/linked; true'],
      ['sh', '-c', 'x=${HOME}/../project/bin/secret; $x'],
      ['sh', '-c', '. $PWD/linked; . /proc/self/cwd/linked'],
      ['sh', '/proc/self/cwd/linked'],
      ['pwsh', '-c', '& "$env:USERPROFILE/linked"'],
      ['awk', '-f../project/bin/secret', '/dev/zero'],
      ['tool', '-qf../project/bin/secret'],
      ['java', '-cp', 'a.jar:../project/b.jar', 'Main'],
    ])
      assert.ok(await isOfFolder(command), command.join(' '));
  });

  test('in the folder is found if it is on the search path', async () => {
    assert.ok(await isOfFolder(['secret'], ['/usr/bin', path.join(folder, 'bin')].join(path.delimiter)));
    assert.ok(await isOfFolder(['secret'], path.join(scratch, 'alias/bin')));
    assert.ok(await isOfFolder(['secret'], path.join(folder, 'tools')));
    assert.ok(await isOfFolder(['through'], home));
    assert.ok(await isOfFolder(['through'], '.'));
  });

  test('in a folder beside is found, but no name of a secret in a text for a shell', async () => {
    const isBeside = (text: string) =>
      namesFileOf(['sh', '-c', text], {
        folders: [folder],
        searchPath: '/usr/bin',
        runsIn: scratch,
        environment: {
          CONFIG: home,
          LINKS: path.join(scratch, 'home'),
          ROOT: scratch,
          DEEP: 'x',
          REPLY: home,
        },
      });
    for (const text of [
      'exec sh project/bin/secret',
      'cd project && ./x',
      'cd project/bin && ./x',
      '. ./project/not-there-yet',
      'exec node project/run',
      'cd project-tools; exec java -cp project/lib/* Main',
      'exec cat project/b{in,on}/secret',
      'cat project-tools/secret; $HOME/project/not-there-yet',
      'exec project/dangling',
      'exec sh ~/pr*/x.sh',
      'exec sh ~/pro[j]ect/x.sh',
      'exec sh ~/proj?ct/bin/*',
      'exec sh ~/{x,project}/x.sh',
      'exec sh ~/pr{aj,oj}ect/x.sh',
      'exec sh */x.sh',
      'cd pro*; ./x.sh',
      '. ~/**/x.sh',
      '. ./$NAME/x.sh',
      '. ${HOME:-x}/project/x.sh',
      '. "${HOME}/pro"*/x.sh',
      '. "$ROOT/project/x.sh"',
      '. "$UNKNOWN/project/x.sh"',
      '. $LINKS/bins/secret',
      'cat ${LINKS}/linked',
      'CONFIG=$PWD; . $CONFIG/project/x.sh',
      'read CONFIG; . $CONFIG/project/x.sh',
      'for CONFIG in ~; do . $CONFIG/project/x.sh; done',
      'echo ~ | while read; do . $REPLY/project/x.sh; done',
      'for d in *; do . $d/x.sh; done',
      'cd *; . ./x.sh',
      'x=$(cd *; ./x)',
      ': ${EMPTY:=~}; . $EMPTY/project/x.sh',
      '. ${EMPTY:-$HOME}/project/x.sh',
      'cd ???????; . ./x.sh',
      '. ./p\\roject/x.sh',
      '. ~/proj\\\nect/x.sh',
      `. ${scratch}/p\\roject/x.sh`,
      'exec sh ~/pro{j{e,x}ct,ject}/x.sh',
      'exec sh ~/{a{b},project}/x.sh',
      'exec sh ~/p{r,s}oject/{x,y}.sh',
    ])
      assert.ok(await isBeside(text), text);
    for (const text of [
      'vault read project/identity',
      'vault read -field=secret project/identity | tr x y',
      'cat ~/.config/*/secret | head -c $((2 * 8))',
      'cat $XDG_CONFIG_HOME/identity/secret',
      `sed -n 's/^secret: *//p' ~/own/[a-z]*.yaml`,
      `curl -s x | jq -r '.[0].project, .data[*]' | awk '{print $2}'`,
      `sed -e "s/*/p/" -e s/[a-z]*x//`,
      'echo "${SECRET}" | awk "{ print }"',
      'security find-generic-password -w -s "$USER"',
      'cat $CONFIG/project/secret',
      'cat "${CONFIG}/project/secret"',
      'if [ -f ~/own/x ]; then cat ~/own/x; fi; exit $?',
      'cat ~/own/$DEEP/project',
      'case $(uname) in Darwin) security x;; *) secret-tool x;; esac',
      'case $(uname) in *) secret-tool x;; esac',
      'cat ~/own/a\\ b; vault read p\\roject/identity',
      `jq -c '{project,x}' ~/own/x | awk '{print $1,$2}'`,
      'cat ~/own/{a,b{c,d}}/x',
    ])
      assert.equal(await isBeside(text), false, text);
    assert.ok(await namesFileOf(['sh', 'project/x'], { folders: [folder], searchPath: '', runsIn: scratch }));
  });

  test('in a folder to which a shell goes first is found', async () => {
    const isFound = (text: string) => isOfFolder(['bash', '-c', text]);
    for (const text of [
      `cd ${scratch} && ./project/x.sh`,
      `cd ${scratch}; . project/bin/secret`,
      `cd ${scratch} && ./proj*/x.sh`,
      `cd "${scratch}/" && sh p*/x.sh`,
      'cd ~/.. && ./project/x.sh',
      `cd ${path.dirname(scratch)} && sh ${path.basename(scratch)}/project/bin/secret`,
    ])
      assert.ok(await isFound(text), text);
    for (const text of [
      'cd ~ && pass show project',
      `cd ${scratch} && vault read kv/project`,
      `cd ${scratch} && vault read project/identity`,
      `cd ${scratch}/project-tools && ./secret`,
      'cd /tmp && op read op://project/item',
    ])
      assert.equal(await isFound(text), false, text);
  });

  test('from elsewhere is not mistaken for one in the folder', async () => {
    for (const command of [
      ['vault', 'read', '-field=secret', 'secret/identity'],
      [path.join(scratch, 'project-tools/secret')],
      [path.join(home, 'own/secret')],
      ['sh', path.join(home, 'own/../project-tools/secret')],
      ['sh', 'round'],
      ['secret', 'project/bin/secret'],
      ['op', 'read', 'op://project/item'],
      ['sh', '-c', 'vault read -field=secret kv/project | tr -d "../x"'],
      ['op', 'read', 'op:project/item', '-project', '--project=project'],
    ])
      assert.equal(await isOfFolder(command), false, command.join(' '));
  });
});
