/** Runs the audit as its users do. */
import { expect } from 'vitest';
import { type Finished, runTool } from './run-tool.ts';
import { TOKEN_KEY } from './server.ts';

const AUDIT = 'tools/audit.ts';

export interface AuditCheck {
	check: string;
	ok: boolean;
	rows: number;
	wrong?: object;
}

export interface Audit {
	code: number | null;
	checks: AuditCheck[];
}

/** @param environment in place of the key that test servers use */
export async function audit(
	databaseUrl: string,
	args: readonly string[] = [],
	environment: Record<string, string> = { TOKEN_KEY },
): Promise<Audit> {
	return audited(await runTool(AUDIT, ['--database-url', databaseUrl, ...args], { ...process.env, ...environment }));
}

/**
 * The audit of the database that a server with that environment uses.
 * @returns the names of the checks that failed
 * @throws when the audit ended with an error of its own
 */
export async function failedAuditChecks(environment: NodeJS.ProcessEnv): Promise<string[]> {
	const finished = await runTool(AUDIT, [], environment);
	const { code, checks } = audited(finished);
	const failed = checks.filter(({ ok }) => !ok).map(({ check }) => check);
	if (failed.length === 0 && code !== 0) throw new Error(`The audit ended with ${code}: ${finished.stderr}`);
	return failed;
}

function audited({ code, stdout, stderr }: Finished): Audit {
	if (!stdout.trim()) throw new Error(`The audit printed no check: ${stderr}`);
	const checks = stdout
		.trim()
		.split('\n')
		.map((line): AuditCheck => JSON.parse(line));
	return { code, checks };
}

/** Nothing in the ledger is wrong. */
export async function expectSound(databaseUrl: string): Promise<void> {
	const { checks } = await audit(databaseUrl);
	expect(checks.filter(({ ok }) => !ok)).toEqual([]);
}
