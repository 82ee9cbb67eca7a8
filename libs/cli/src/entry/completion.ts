// The completion script for bash, generated from the commands.
import type { Command } from 'commander';
import { type CommandContext, listCommands } from './services.ts';
import { verbs } from './verbs.ts';

/**
 * Returns the completion script. In bash, the script completes the subcommands and options of the command
 * that is already typed. The script ignores arguments between that command and the cursor.
 */
export async function formatCompletion(context: CommandContext, own: Command): Promise<string> {
  const known = new Map([['', new Set(verbs.map(({ name }) => name))]]);
  for (const { words, command } of await listCommands(context, own)) {
    const key = words.join(' ');
    const next = known.get(key) ?? new Set<string>();
    for (const name of namesOf(command)) next.add(name);
    known.set(key, next);
  }
  const cases = [...known].map(([words, next]) => `    '${words}') words='${[...next].join(' ')}' ;;`);
  return `# Completion of counterfoil for bash: source <(counterfoil completion bash)
_counterfoil_words() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_counterfoil() {
  local typed="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    typed="$typed\${typed:+ }$word"
  done
  until _counterfoil_words "$typed"; do
    case "$typed" in
      *' '*) typed="\${typed% *}" ;;
      *) typed="" ;;
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _counterfoil counterfoil`;
}

const namesOf = (command: Command): string[] => [
  ...command.commands.map((each) => each.name()),
  ...command.options.flatMap((option) => option.long ?? []),
  '--help',
];
