/** The embedded database of a data folder, for tools, or the reason why they cannot use it, as a sentence. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
	archiving,
	clusterFolder,
	type EmbeddedPostgres,
	startEmbeddedPostgres,
	upgradedFolder,
} from '../src/server/platform/postgres/embedded-postgres.ts';

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

/**
 * A server may start meanwhile. Its PostgreSQL archives what the tool writes, too, and is not restarted for that.
 * @throws Error if the folder has none: a tool that created one would work on nothing
 */
export async function ownDatabase(dataDir: string): Promise<EmbeddedPostgres> {
	if (!existsSync(clusterFolder(dataDir)) && !existsSync(upgradedFolder(dataDir)))
		throw new Error(
			`There is no database in ${dataDir}. Name the server's data folder with DATA_DIR, or set DATABASE_URL.`,
		);
	return await startEmbeddedPostgres({ dataDir, settings: archiveSettings(), isGuest: true });
}

/** Those of the server, which has the same environment. */
export function archiveSettings(): Record<string, string> {
	const folder = process.env['WAL_ARCHIVE'];
	return folder ? archiving(resolve(folder)) : {};
}

/** The output of a tool before it exits with 1. */
export function failureOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { code = '' } = error as { code?: string };
	if (code === UNDEFINED_TABLE)
		return `This is no database of Backlay, or an older one: ${error.message}. Start the server on it first.`;
	// For a host with several addresses each attempt has its message, and the aggregate has none.
	const message = error instanceof AggregateError ? error.errors.map(failureOf).join('; ') : error.message;
	return /^(ECONN|ENOTFOUND|ETIMEDOUT|EAI_)/.test(code) ? `The database does not answer: ${message}.` : message;
}
