/** Finds a Chromium for the browser tests, and installs the system's where this machine allows it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser to drive: CHROMIUM_PATH, or the first known name on PATH; null when there is none. */
export function findChromium(): string | null {
	const given = process.env['CHROMIUM_PATH'];
	if (given) return existsSync(given) ? given : null;
	for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
		for (const name of NAMES) if (existsSync(join(folder, name))) return join(folder, name);
	}
	return null;
}

/** The browser's path; installs the Debian package when there is none and we may. Throws with what to do otherwise. */
export function ensureChromium(): string {
	const found = findChromium();
	if (found) return found;
	const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
	const install = (args: string[]) => {
		const [command, ...rest] = [...sudo, 'apt-get', ...args];
		return (
			spawnSync(command as string, rest, {
				stdio: ['ignore', 'ignore', 'inherit'],
				env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
			}).status === 0
		);
	};
	console.error('Chromium is not installed; installing it from the system’s packages …');
	if (install(['update']) && install(['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-core'])) {
		const installed = findChromium();
		if (installed) return installed;
	}
	throw new Error('The browser tests need Chromium: install it, or name one in CHROMIUM_PATH.');
}
