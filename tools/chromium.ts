/** Finds Chromium for the browser tests and benches, and installs the system's package if this machine allows it. */
import { existsSync } from 'node:fs';
import { findProgram, installPackages } from './debian-package.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Features that no page here needs. Chromium would draw the lists under its address bar by two pages of their own in
 * each window, which costs more than opening one of ours. This list replaces Playwright's own, so it includes the
 * entries of that list that our pages could meet.
 */
const WITHOUT_FEATURES = [
	'WebUIOmniboxPopup',
	'WebUIOmniboxAimPopup',
	'WebUIOmniboxFullPopup',
	'AimEnabled',
	'AvoidCorsURLLoaderRestartOnRedirect',
	'AvoidUnnecessaryBeforeUnloadCheckSync',
	'DestroyProfileOnBrowserClose',
	'HttpsUpgrades',
	'HttpsFirstBalancedModeAutoEnable',
	'MediaRouter',
	'NetworkTimeServiceQuerying',
	'OptimizationHints',
	'PaintHolding',
	'PreconnectToSearch',
	'ThirdPartyStoragePartitioning',
];

/** Chromium without windows: the same engine, and a page costs it a third less CPU. */
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];

/** Launch options, shared by tests and benchmarks. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
	`--disable-features=${WITHOUT_FEATURES.join()}`,
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** The browser to drive: CHROMIUM_PATH, or the first known name on PATH; null without one. */
export function findChromium(): string | null {
	const given = process.env['CHROMIUM_PATH'];
	if (given) return existsSync(given) ? given : null;
	return findProgram(NAMES);
}

/**
 * The browser's path; installs the Debian package if there is none and that is allowed.
 * @throws Error with the next step otherwise
 */
export function ensureChromium(): string {
	const found = findChromium();
	if (found) return found;
	console.error('Chromium is not installed; installing it from the system’s packages …');
	if (installPackages(['chromium', 'fonts-noto-core'])) {
		const installed = findChromium();
		if (installed) return installed;
	}
	throw new Error('The browser tests need Chromium: install it, or name one in CHROMIUM_PATH.');
}

/** HEADLESS_SHELL_PATH, or the system's; null without one. */
export function findHeadlessShell(): string | null {
	const given = process.env['HEADLESS_SHELL_PATH'];
	if (given) return existsSync(given) ? given : null;
	return findProgram(SHELL_NAMES);
}

/** Installs the Debian package if there is none and that is allowed; otherwise reports which browser the tests use. */
export function ensureHeadlessShell(): void {
	if (findHeadlessShell()) return;
	console.error('Chromium’s headless shell is not installed; installing it from the system’s packages …');
	if (installPackages(['chromium-headless-shell']) && findHeadlessShell()) return;
	console.error('The browser tests use the whole Chromium, which takes longer.');
}
