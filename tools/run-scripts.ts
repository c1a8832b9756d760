/** Scripts of package.json that run beside one another: the checks, and what is built with them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freemem } from 'node:os';

/** The checks before the tests, by the script of package.json. */
export const CHECKS = { format: 'format:check', lint: 'lint', types: 'types' };

/**
 * The compiler is a Go program that ends soon: to collect its garbage seldom saves a quarter of its CPU, for some memory,
 * and never, where there is room for all of it, a tenth more.
 */
const COMPILER_BYTES = 3 * 2 ** 30;
const SELDOM = freemem() > 2 * COMPILER_BYTES ? { GOGC: 'off', GOMEMLIMIT: String(COMPILER_BYTES) } : { GOGC: '400' };

/** Runs scripts in parallel and shows the output of each in one piece. @returns whether all of them succeeded */
export async function runScripts(
	scripts: Record<string, string>,
	environment: NodeJS.ProcessEnv = {},
): Promise<boolean> {
	const statuses = await Promise.all(
		Object.entries(scripts).map(async ([step, script]) => {
			const child = spawn('npm', ['run', '--silent', script], {
				env: { ...process.env, ...SELDOM, ...environment },
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			const output: Buffer[] = [];
			for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part));
			const [status] = await once(child, 'close');
			console.log(`\n▸ ${step}\n${Buffer.concat(output).toString().trimEnd()}`);
			return status;
		}),
	);
	return statuses.every((status) => status === 0);
}
