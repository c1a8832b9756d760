/** The commands as a program of commander, which parses words, reports errors in them and shows help. */
import { Argument, Option, Command as Program } from 'commander';
import { GROUPS } from '#server/operators/commands/all-commands.ts';
import { type Command, kebab, spoken } from '#server/operators/commands/command.ts';
import type { CallOfKey } from '#server/operators/commands/wording.ts';
import { WrongWords } from '#server/operators/commands/wrong-words.ts';

/** A requested call. */
export interface Ask {
	readonly call: CallOfKey;
	readonly body: Record<string, unknown>;
	/** Printed with the answer: values known only to the command line. */
	readonly also: Record<string, unknown>;
}

/** Options of every command. */
interface Globals {
	readonly as?: string;
	readonly url?: string;
}

/** The output for lines. */
export type Output = Pick<Console, 'log' | 'error'>;

const EPILOGUE = `
A NAME in any script is one word; after -- it may begin with a dash.
The key comes from TOKEN_KEY, or from the data folder (DATA_DIR) of a server started without one.`;

/** @param ask runs the call that the words request */
export function programOf(
	commands: readonly Command[],
	output: Output,
	ask: (asked: Ask, globals: Globals) => Promise<void>,
): Program {
	const program = new Program('operator')
		.description('The operators’ acts, against the running server.')
		.usage('COMMAND …')
		.option('--as <name>', 'who acts, for the journal; otherwise $OPERATOR, or who runs the command')
		.option('--url <url>', 'the server; otherwise http://localhost:$PORT (3000)')
		.addHelpText('after', EPILOGUE)
		.exitOverride()
		.configureOutput({
			writeOut: (text) => output.log(text.trimEnd()),
			writeErr: (text) => output.error(text.trimEnd()),
		});
	const groups = new Map<string, Program>();
	for (const command of commands) {
		const [first = '', second] = command.words;
		const parent = second === undefined ? program : groupOf(program, groups, first);
		const made = parent.command(second ?? first).summary(command.summary);
		made.description([command.summary, command.notes].filter(Boolean).join('\n'));
		for (const { name, reader, isRequired } of command.args) {
			const shown = isRequired ? `<${kebab(name)}>` : `[${kebab(name)}]`;
			made.addArgument(new Argument(shown, reader.kind));
		}
		const options = command.options.map((field) => ({ field, option: optionOf(field) }));
		for (const { option } of options) made.addOption(option);
		made.action(async () => {
			const given: Record<string, unknown> = made.opts();
			const texts = [
				...command.args.map((field, at) => [field, made.args[at]] as const),
				...options.map(({ field, option }) => [field, given[option.attributeName()]] as const),
			];
			await ask(askOf(command, texts), program.opts<Globals>());
		});
	}
	return program;
}

function groupOf(program: Program, groups: Map<string, Program>, name: string): Program {
	const group = groups.get(name) ?? program.command(name).description(GROUPS[name] ?? '');
	groups.set(name, group);
	return group;
}

type Field = Command['args'][number];

function optionOf({ name, option, reader, isRequired, otherwise }: Command['options'][number]): Option {
	const value = reader.flag === undefined ? ` <${kebab(name)}>` : '';
	const again = reader.isMany ? 'again for each one' : '';
	const said = [reader.kind, again, otherwise === null ? '' : `otherwise ${otherwise}`].filter(Boolean).join('; ');
	const made = new Option(`--${option}${value}`, said);
	if (reader.isMany) made.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
	return made.makeOptionMandatory(isRequired);
}

/** @throws WrongWords */
function valueOf({ name, reader }: Field, text: string): unknown {
	const value = reader.read(text);
	if (value === undefined) throw new WrongWords(`The ${spoken(name)} is ${reader.kind}, and “${text}” is none.`);
	return value;
}

/** @param texts of the fields, as commander passes them: none, one, several, or true for a flag */
function askOf(command: Command, texts: readonly (readonly [Field, unknown])[]): Ask {
	const { call, fixed, made, printed, needsOneOf, options } = command;
	const body: Record<string, unknown> = { ...fixed };
	for (const [field, text] of texts) {
		if (text === true) body[field.name] = field.reader.flag;
		if (typeof text === 'string') body[field.name] = valueOf(field, text);
		if (Array.isArray(text)) body[field.name] = text.map((each) => valueOf(field, String(each)));
	}
	if (needsOneOf.length > 0 && !needsOneOf.some((name) => name in body)) {
		const names = options.filter(({ name }) => needsOneOf.includes(name)).map(({ option }) => `--${option}`);
		throw new WrongWords(`Give one of ${names.join(', ')}.`);
	}
	const missing = Object.keys(made).filter((name) => !(name in body));
	for (const name of missing) body[name] = made[name]?.(body);
	const shown = printed.filter((name) => missing.includes(name)).map((name) => [name, body[name]]);
	return { call, body, also: Object.fromEntries(shown) };
}
