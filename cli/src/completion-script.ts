/** Completion scripts, generated from the commands, options and option values. */
import type { Command, Option } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface CompletedCommand {
  /** For example `saved list`. */
  readonly path: string;
  readonly summary: string;
  readonly options: readonly Option[];
  readonly subcommands: readonly string[];
  /** Possible argument values; empty for names and files. */
  readonly values: readonly string[];
}

export function completionScript(program: Command, shell: Shell): string {
  const commands = completedCommands(program, []);
  switch (shell) {
    case 'bash':
      return bashScript(program.name(), commands);
    case 'zsh':
      return zshScript(program.name(), commands);
    case 'fish':
      return fishScript(program.name(), commands);
    default:
      return shell satisfies never;
  }
}

function completedCommands(command: Command, path: readonly string[]): readonly CompletedCommand[] {
  const own: CompletedCommand = {
    path: path.join(' '),
    summary: command.summary(),
    options: command.createHelp().visibleOptions(command),
    subcommands: command.commands.map((inner) => inner.name()),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [own, ...command.commands.flatMap((inner) => completedCommands(inner, [...path, inner.name()]))];
}

function bashScript(name: string, commands: readonly CompletedCommand[]): string {
  const words = commands.map(({ path, options, subcommands, values }) => {
    const flags = options.flatMap(({ long }) => long ?? []);
    return `    "${path}") words="${[...subcommands, ...values, ...flags].join(' ')}" ;;`;
  });
  // Commands with subcommands or fixed argument values take no file arguments.
  const closed = commands.filter(({ subcommands, values }) => subcommands.length + values.length > 0);
  const ofOptions = commands.flatMap(({ path, options }) =>
    options.flatMap(({ long, argChoices }) =>
      argChoices === undefined || long === undefined
        ? []
        : [`    "${path} ${long}") words="${argChoices.join(' ')}" ;;`],
    ),
  );
  return `_identity_queries() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word words="" files=yes
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "$path $word" in
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "${path.includes(' ') ? path : ` ${path}`}") path="${path}" ;;`)
  .join('\n')}
    esac
  done
  case "$path $previous" in
${ofOptions.join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$path" in
${words.join('\n')}
    esac
  fi
  case "$path" in
    ${closed.map(({ path }) => `"${path}"`).join('|')}) [[ "$previous" == -* ]] || files="" ;;
  esac
  if [[ "$current" == -* || -z "$files" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _identity_queries ${name}
`;
}

/** Works both as a zsh completion function and when sourced. */
function zshScript(name: string, commands: readonly CompletedCommand[]): string {
  return `#compdef ${name}
autoload -U +X bashcompinit && bashcompinit
${bashScript(name, commands)}
if [ "\${funcstack[1]}" = "_${name}" ]; then
  _bash_complete -o filenames -F _identity_queries
fi
`;
}

function fishScript(name: string, commands: readonly CompletedCommand[]): string {
  const top = commands.filter(({ path }) => path !== '' && !path.includes(' '));
  const lines = commands.flatMap(({ path, options, subcommands, values }) => {
    const seen =
      path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1) ?? ''}`;
    return [
      ...subcommands.map((inner) => {
        const summary = commands.find((each) => each.path === `${path} ${inner}`.trim())?.summary ?? '';
        return `complete -c ${name} -f -n '${seen}' -a ${inner} -d ${quoted(summary)}`;
      }),
      ...(values.length === 0 ? [] : [`complete -c ${name} -f -n '${seen}' -a ${quoted(values.join(' '))}`]),
      ...options.flatMap(({ long, description, argChoices, required, optional }) => {
        if (long === undefined) return [];
        const takes = required || optional ? ' -r' : '';
        const choices = argChoices === undefined ? '' : ` -f -a ${quoted(argChoices.join(' '))}`;
        return [
          `complete -c ${name} -n '${seen}' -l ${long.slice(2)}${takes}${choices} -d ${quoted(description)}`,
        ];
      }),
    ];
  });
  return `# ${top.map(({ path }) => path).join(', ')}\n${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
