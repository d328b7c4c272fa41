/**
 * Commands that a message tells the user to type. They are data, from which the text is made, so that a test can run
 * every one of them: advice that does not work is worse than none.
 */
export interface Typed {
  readonly program: 'identity-queries' | 'git' | 'echo' | 'cd' | 'mv' | 'rm';
  readonly args: readonly string[];
  /** Text that is piped into the command. */
  readonly input?: string;
  /** The file that takes the output; `append` keeps what it has. */
  readonly output?: { readonly file: string; readonly append?: boolean };
}

export function identityQueries(...args: readonly string[]): Typed {
  return { program: 'identity-queries', args };
}

export function git(...args: readonly string[]): Typed {
  return { program: 'git', args };
}

/** Every shell knows it, PowerShell too. It works whether or not Git knows the file. */
export function moveFile(file: string, to: string): Typed {
  return { program: 'mv', args: [file, to] };
}

export function deleteFile(file: string): Typed {
  return { program: 'rm', args: [file] };
}

export function goTo(folder: string): Typed {
  return { program: 'cd', args: [folder] };
}

/** Returns what to type, quoted so that a shell takes it as it is meant. */
export function typedText({ program, args, input, output }: Typed): string {
  const command = [program, ...args.map((word) => quotedWord(word))].join(' ');
  const piped = input === undefined ? command : `echo ${quotedWord(input)} | ${command}`;
  return output === undefined
    ? piped
    : `${piped} ${output.append === true ? '>>' : '>'} ${quotedWord(output.file)}`;
}

/** Returns commands to type one after the other, for the middle of a message. */
export function typedWords(commands: readonly Typed[]): string {
  return commands.map(typedText).join(' && ');
}

/** Returns the line of a message with the command alone, indented so that it can be copied as a whole. */
export function typedLine(typed: Typed): string {
  return `  ${typedText(typed)}`;
}

/**
 * Double quotes work in every shell, also that of Windows, unless the text has characters that they do not protect.
 * PowerShell takes typographic quotes for plain ones.
 */
export function quotedWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return quotedOnWindows(word);
  // A tilde at the start would become the home folder.
  if (/^[\w@%+=:,./^-][\w@%+=:,./~^-]*$/.test(word)) return word;
  return /["$`\\!\u201c-\u201f]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}

/** PowerShell joins quoted parts only behind plain text, so no way of writing some words is one word everywhere. */
const toFillIn = '...';

/**
 * Three shells read this: PowerShell, where `$` and typographic quotes count within double quotes, that of Git, and
 * cmd.exe, which knows no single quotes. What cmd.exe would take for another command or a variable stands in double
 * quotes, or apart from its name. So it starts nothing there, although it is not always one word.
 */
function quotedOnWindows(word: string): string {
  if (/^[\w+=:./-]+$/.test(word)) return word;
  const isVariable = /%[^%]+%/.test(word);
  // A program takes a backslash before a quote for one that quotes it.
  if (!isVariable && !/["$`!\u201c-\u201f]/.test(word)) return `"${word.replace(/(?<!\\)\\+$/, '$&$&')}"`;
  const [, start = '', rest = ''] = /^([\p{L}\p{N}_./]*)([^]*)$/u.exec(word) ?? [];
  const parts = Array.from(rest.matchAll(/(%+)|([&|<>^()]+)|[^%&|<>^()]+/g), ([part, signs, marks]) => {
    if (signs !== undefined) return signs;
    if (marks !== undefined) return `"${marks}"`;
    return `'${part.replaceAll(/["'\u2018-\u201b]/g, '$&$&')}'`;
  });
  const [first = ''] = parts;
  return start === '' && parts.length > 1 && !first.startsWith('%') ? toFillIn : start + parts.join('');
}
