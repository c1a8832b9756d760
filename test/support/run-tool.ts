/** Runs a tool as its users do: in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** What a tool printed, and its exit code; null when a signal ended it. */
export interface Finished {
	code: number | null;
	stdout: string;
	stderr: string;
}

/**
 * @param script its path in the repository
 * @param flags of Node itself
 */
export async function runTool(
	script: string,
	args: readonly string[],
	environment: NodeJS.ProcessEnv,
	flags: readonly string[] = [],
): Promise<Finished> {
	const child = spawn(process.execPath, [...flags, script, ...args], {
		cwd: ROOT,
		env: environment,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const output = { stdout: '', stderr: '' };
	for (const name of ['stdout', 'stderr'] as const) {
		child[name].on('data', (chunk) => {
			output[name] += chunk;
		});
	}
	const [code] = await once(child, 'close');
	return { code, ...output };
}
