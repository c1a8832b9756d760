/** Scripts for shell completion of the command line, generated from the commands. */
import type { Command } from '#server/operators/commands/command.ts';

export const SHELLS = ['bash', 'zsh'] as const;
export type Shell = (typeof SHELLS)[number];

const GLOBAL_OPTIONS = ['--as', '--url', '--help'];

/** The possible next words: a command, its options, or the values of an option. */
function followers(commands: readonly Command[]): Map<string, string[]> {
	const found = new Map<string, Set<string>>([
		['', new Set(['completion', 'help'])],
		['completion', new Set(SHELLS)],
	]);
	const add = (after: string, words: readonly string[]) => {
		const known = found.get(after) ?? new Set();
		for (const word of words) known.add(word);
		found.set(after, known);
	};
	for (const { words, args, options } of commands) {
		const [first = '', second] = words;
		add('', [first]);
		if (second !== undefined) add(first, [second]);
		const path = words.join(' ');
		add(path, [...options.map(({ option }) => `--${option}`), ...GLOBAL_OPTIONS]);
		for (const { reader } of args) add(path, reader.choices ?? []);
		for (const { option, reader } of options) if (reader.choices) add(`${path} --${option}`, reader.choices);
	}
	return new Map([...found].map(([after, words]) => [after, [...words].sort()]));
}

/** A shell's function that prints the completions. */
function table(commands: readonly Command[]): string {
	const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
	const cases = [...followers(commands)].map(
		([after, words]) => `    ${quoted(after)}) printf '%s\\n' ${words.map(quoted).join(' ')};;`,
	);
	return `_operator_follow() {\n  case "$1" in\n${cases.join('\n')}\n    *) return 1;;\n  esac\n}`;
}

/** Only words with completions belong to the command; arguments and values of options are skipped. */
const FIND = `_operator_find() {
  local path='' before='' each
  for each in "$@"; do
    if _operator_follow "\${path:+$path }$each" > /dev/null; then path="\${path:+$path }$each"; fi
    before="$each"
  done
  _operator_follow "$path $before" || _operator_follow "$path"
}`;

const ASK: Readonly<Record<Shell, string>> = {
	bash: `_operator() {
  local words
  words="$(_operator_find "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _operator operator`,
	zsh: `_operator() {
  compadd -- $(_operator_find "\${(@)words[2,CURRENT-1]}")
}
compdef _operator operator`,
};

export const completionScript = (shell: Shell, commands: readonly Command[]): string =>
	[table(commands), FIND, ASK[shell]].join('\n');
