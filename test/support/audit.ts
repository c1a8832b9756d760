/** The ledger's audit: as a command, as its users run it, and in the test's own process. */
import type pg from 'pg';
import { expect } from 'vitest';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { ledgerKeyOf } from '#server/platform/keys/ledger-key.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { embeddedUrl } from '#server/platform/postgres/embedded-postgres.ts';
import { CHECKS } from '../../tools/audit-checks.ts';
import { type Asked, auditLedger } from '../../tools/audit-ledger.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { type Finished, runTool } from './run-tool.ts';
import { LEDGER_KEY, TOKEN_KEY } from './server.ts';

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
 * The audit of the database that a server with that environment uses, and that runs.
 * @returns the names of the checks that failed
 */
export async function failedAuditChecks(environment: NodeJS.ProcessEnv): Promise<string[]> {
	const { DATABASE_URL = '', DATA_DIR = '', LEDGER_KEY: ledgerKey, TOKEN_KEY: tokenKey } = environment;
	const url = DATABASE_URL || embeddedUrl(DATA_DIR);
	const failed = await failures(url, ledgerKeyOf(tokenKey || keptTokenKey(DATA_DIR), ledgerKey || undefined));
	return failed.map(({ check }) => check);
}

function audited({ code, stdout, stderr }: Finished): Audit {
	if (!stdout.trim()) throw new Error(`The audit printed no check: ${stderr}`);
	const checks = stdout
		.trim()
		.split('\n')
		.map((line): AuditCheck => JSON.parse(line));
	return { code, checks };
}

/**
 * Nothing in the ledger is wrong.
 * @param ledger a test's own connections, which cost nothing more, or the URL of the database
 */
export async function expectSound(ledger: pg.Pool | string): Promise<void> {
	expect(await failures(ledger, LEDGER_KEY)).toEqual([]);
}

/** The names of the checks that fail in the ledger of a test server: the audit ends at the first one. */
export async function wrongChecks(databaseUrl: string): Promise<string[]> {
	return (await failures(databaseUrl, LEDGER_KEY)).map(({ check }) => check);
}

/** What the command would find, without a process of its own. */
async function failures(ledger: pg.Pool | string, ledgerKey: string): Promise<Asked[]> {
	const own = typeof ledger === 'string' ? connect(ledger, { max: 1 }) : null;
	const failed: Asked[] = [];
	try {
		for await (const asked of auditLedger(own ?? (ledger as pg.Pool), CHECKS, sealKeys([ledgerKey])))
			if (asked.wrong) failed.push(asked);
		return failed;
	} finally {
		await own?.end();
	}
}
