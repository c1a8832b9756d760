/** `npm run operator -- …`: the operators' acts from the command line, against the running server. */
import { userInfo } from 'node:os';
import { Argument, CommanderError } from 'commander';
import { askServer } from '#server/operators/commands/ask-server.ts';
import { allCommands } from '#server/operators/commands/command.ts';
import { completionScript, SHELLS, type Shell } from '#server/operators/commands/completion.ts';
import { type Output, programOf } from '#server/operators/commands/program.ts';
import { WrongWords } from '#server/operators/commands/wrong-words.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { madeTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { defaultDataDir } from '#server/platform/postgres/data-folder.ts';

/** @throws WrongWords for a folder without a server's key */
function keyIn(env: NodeJS.ProcessEnv): string {
	try {
		return operatorKeyOf(env['TOKEN_KEY'] || madeTokenKey(env['DATA_DIR'] || defaultDataDir(env)));
	} catch (cause) {
		throw new WrongWords((cause as Error).message, { cause });
	}
}

/**
 * Runs one command.
 * @param words of the command line, without the program
 * @returns the exit code
 */
export async function run(words: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
	let code = 0;
	const commands = allCommands();
	const program = programOf(commands, output, async (ask, { as, url }) => {
		code = await askServer(ask, {
			url: url ?? `http://localhost:${env['PORT'] ?? 3000}`,
			key: keyIn(env),
			operator: as ?? env['OPERATOR'] ?? userInfo().username,
			output,
		});
	});
	program
		.command('completion')
		.description('Prints a script by which a shell completes these words: source <(operator completion bash).')
		.addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
		.action((shell: Shell) => output.log(completionScript(shell, commands)));
	try {
		await program.parseAsync(words, { from: 'user' });
		return code;
	} catch (error) {
		// Commander has already printed the error, or the requested help.
		if (error instanceof CommanderError) return error.exitCode;
		if (!(error instanceof WrongWords)) throw error;
		output.error(error.message);
		return 1;
	}
}

// process.exit would lose output that a pipe has not read yet.
if (import.meta.main) process.exitCode = await run(process.argv.slice(2), process.env, console);
