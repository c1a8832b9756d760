/** Installs packages of a Debian system, if allowed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of these programs on PATH or in the system folders; null if there is none. */
export function findProgram(names: readonly string[]): string | null {
	const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
	for (const folder of folders.filter(Boolean)) {
		for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
	}
	return null;
}

/** Whether the packages are installed now. */
export function installPackages(names: readonly string[]): boolean {
	const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
	const apt = (args: readonly string[]): boolean => {
		const [command, ...rest] = [...sudo, 'apt-get', ...args];
		return (
			spawnSync(command as string, rest, {
				stdio: ['ignore', 'ignore', 'inherit'],
				env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
			}).status === 0
		);
	};
	return apt(['update']) && apt(['install', '-y', '--no-install-recommends', ...names]);
}
