/** Advice is data: no message contains a command that no test runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { identityQueries, quotedWord, typedText } from '#base/advice.ts';
import { advice } from '#cli/advice.ts';

const root = path.join(import.meta.dirname, '../../..');

describe('advice', () => {
  it('is written only in its tables', () => {
    const strays = globSync(['cli/src/**/*.ts', 'core/src/**/*.ts'], { cwd: root }).flatMap((file) => {
      if (/advice\.ts$|init-ci[\\/]/.test(file)) return [];
      // Help and descriptions show examples, which the documents' test runs.
      const code = readFileSync(path.join(root, file), 'utf8')
        .replace(/\/\*[^]*?\*\//g, '')
        .replace(/\.addHelpText\([^]*?\)(?=\n\s*\.|;|\n\s*\})/g, '')
        .replace(/\.(?:description|summary)\([^]*?\)/g, '');
      return [...code.matchAll(/['"`][^'"`\n]*(?:identity-queries|\bgit) [a-z]+(?: |['"`$])/g)].map(
        ([text]) => `${file}: ${text}`,
      );
    });
    assert.deepEqual(
      strays.filter((each) => !/<!--|Git command|requestOf/.test(each)),
      [],
    );
  });

  it('about the rows of a control chooses what the command before it chose', () => {
    const choice = { paths: ['queries'], saved: true, connection: 'prod eu' };
    assert.equal(
      typedText(advice.listRowsOf('AC-1', choice)),
      'identity-queries controls waive AC-1 queries --saved --connection "prod eu"',
    );
    assert.equal(
      typedText(
        advice.waiveRow('AC-1', '3f1c', { hasOwner: true, choice: { paths: ['.'], connection: 'eu' } }),
      ),
      'identity-queries controls waive AC-1 --connection eu --row 3f1c --reason ...',
    );
  });

  it('is quoted so that a shell takes every word as it is meant', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...Array.from('a "\'$`\\!*?#&;|<>()~ü-')) }), {
          maxLength: 3,
        }),
        (words) => {
          const text = typedText({ ...identityQueries(...words), program: 'echo' }).replace(
            /^echo/,
            "printf '%s\\0'",
          );
          const { stdout } = spawnSync('sh', ['-c', text], { encoding: 'utf8' });
          assert.deepEqual(stdout.split('\0').slice(0, -1), words.length === 0 ? [''] : words);
        },
      ),
      { numRuns: 30 },
    );
  });

  const windowsWords = fc.string({
    unit: fc.constantFrom(...Array.from('aB ;$`\\"\'!%&|<>^()@,‘’‚‛“”„')),
    minLength: 1,
    maxLength: 8,
  });

  it('is one word of PowerShell, too, which takes typographic quotes for plain ones', () => {
    fc.assert(
      fc.property(windowsWords, (word) => {
        const text = quotedWord(word, 'win32');
        if (text === '...') return;
        const [, bare = '', rest = ''] = /^([\w./%]*)([^]*)$/.exec(text) ?? [];
        const parts = [
          ...rest.matchAll(
            /'((?:[^'\u2018-\u201b]|(['\u2018-\u201b])\2)*)'|"([^"$`\u201c-\u201f]*)"|([\w%]+)/gy,
          ),
        ];
        assert.equal(parts.map(([part]) => part).join(''), rest, text);
        // It joins quoted parts only behind plain text.
        assert.ok(bare !== '' || parts.length === 1, text);
        const read = parts
          .map(
            ([, single, , double, plain]) =>
              single?.replaceAll(/(['\u2018-\u201b])\1/g, '$1') ?? double ?? plain,
          )
          .join('');
        // Windows starts programs with one text, in which a quote is written twice, and so is a backslash before it.
        const wanted = word.replaceAll('"', '""');
        assert.equal(
          bare + read,
          text.startsWith('"') && text.endsWith('\\"') ? wanted.replace(/\\+$/, '$&$&') : wanted,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('starts nothing else in cmd.exe, which knows no single quotes, and names none of its variables', () => {
    fc.assert(
      fc.property(fc.array(windowsWords, { minLength: 1, maxLength: 3 }), (words) => {
        const text = words.map((word) => quotedWord(word, 'win32')).join(' ');
        const outside = text.replaceAll(/"[^"]*"/g, '');
        assert.doesNotMatch(outside, /["&|<>^()]/, text);
        assert.doesNotMatch(text, /%\w+(?::[^%]*)?%/, text);
      }),
      { numRuns: 500 },
    );
    for (const [word, text] of [
      ['R&D "core"', `R"&"'D ""core""'`],
      ['x$ & calc', `x'$ '"&"' calc'`],
      ['%PATH%', `%'PATH'%`],
      ['C:\\my folder\\', '"C:\\my folder\\\\"'],
      ['50% of a & b', '"50% of a & b"'],
      ['./a&$', `./a"&"'$'`],
      ['é($)', `é"("'$'")"`],
      ['($) a', '...'],
    ] as const)
      assert.equal(quotedWord(word, 'win32'), text);
  });

  it('starts nothing else in a POSIX shell on Windows either', () => {
    fc.assert(
      fc.property(windowsWords, (word) => {
        const text = quotedWord(word, 'win32');
        const { stdout, status } = spawnSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' });
        assert.equal(status, 0, text);
        assert.equal(stdout.split('\0').length, 2, text);
      }),
      { numRuns: 40 },
    );
  });
});
