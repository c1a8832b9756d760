/** Finds a NATS server for the tests with several processes, and installs the system's package if allowed. */
import { existsSync } from 'node:fs';
import { findProgram, installPackages } from './debian-package.ts';

/** NATS_SERVER_PATH, or the system's; null if there is none. */
export function findNatsServer(): string | null {
	const given = process.env['NATS_SERVER_PATH'];
	if (given) return existsSync(given) ? given : null;
	return findProgram(['nats-server']);
}

/** Installs the Debian package if there is none and that is allowed; otherwise reports which tests are left out. */
export function ensureNatsServer(): void {
	if (findNatsServer()) return;
	console.error('nats-server is not installed; installing it from the system’s packages …');
	if (installPackages(['nats-server']) && findNatsServer()) return;
	console.error(
		'The tests of several processes are skipped: install nats-server, or name its program in NATS_SERVER_PATH.',
	);
}
