/** Runs the audit as its users do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { TOKEN_KEY } from './server.ts';

export interface Audit {
	code: number;
	checks: { check: string; ok: boolean; rows: number; wrong?: object }[];
}

/** @param environment in place of the key that test servers use */
export async function audit(
	databaseUrl: string,
	args: readonly string[] = [],
	environment: Record<string, string> = { TOKEN_KEY },
): Promise<Audit> {
	const child = spawn(process.execPath, ['tools/audit.ts', '--database-url', databaseUrl, ...args], {
		env: { ...process.env, ...environment },
	});
	let output = '';
	child.stdout.on('data', (chunk) => {
		output += chunk;
	});
	const [code] = await once(child, 'close');
	const lines = output.trim().split('\n');
	return { code, checks: lines.map((line) => JSON.parse(line)) };
}

/** Nothing in the ledger is wrong. */
export async function expectSound(databaseUrl: string): Promise<void> {
	const { checks } = await audit(databaseUrl);
	expect(checks.filter(({ ok }) => !ok)).toEqual([]);
}
