/** Finds Firefox and WebKit for the browser tests, and installs the system's packages if this machine allows it. */
import { existsSync, globSync } from 'node:fs';
import { findProgram, installPackages } from './debian-package.ts';

/** Drives a WebKit without a screen. */
export interface WebKitPrograms {
	driver: string;
	browser: string;
	/** The virtual screen. */
	xvfb: string;
}

/** FIREFOX_PATH, or the system's; null if there is none. */
export function findFirefox(): string | null {
	const given = process.env['FIREFOX_PATH'];
	if (given) return existsSync(given) ? given : null;
	return findProgram(['firefox-esr', 'firefox']);
}

/** The system's WebKitGTK, its driver and a screen for it; null if one of them is missing. */
export function findWebKit(): WebKitPrograms | null {
	const driver = findProgram(['WebKitWebDriver']);
	const xvfb = findProgram(['Xvfb']);
	const [browser] = globSync('/usr/{lib,lib/*,libexec}/webkit2gtk-4.*/MiniBrowser').toSorted().toReversed();
	return driver && xvfb && browser ? { driver, browser, xvfb } : null;
}

/** Installs missing Debian packages if allowed; otherwise reports which tests are left out. */
export function ensureOtherEngines(): void {
	const missing = [...(findFirefox() ? [] : ['firefox-esr']), ...(findWebKit() ? [] : ['webkit2gtk-driver', 'xvfb'])];
	if (missing.length === 0) return;
	console.error(`${missing.join(', ')}: not installed; installing them from the system’s packages …`);
	installPackages(missing);
	if (!findFirefox()) console.error('The tests in Firefox are skipped: install it, or name one in FIREFOX_PATH.');
	if (!findWebKit()) console.error('The tests in WebKit are skipped: install webkit2gtk-driver and xvfb.');
}
