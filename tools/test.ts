/**
 * `npm test`: runs the quick checks first, builds the site once, then runs the tests against real processes, without
 * those tagged `thorough`. `npm run test:all` runs these, too. Options are passed to vitest: `npm test -- test/engine`
 * runs all tests of that folder.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium, ensureHeadlessShell } from './chromium.ts';
import { ensureNatsServer } from './nats-server.ts';
import { ensureOtherEngines } from './other-engines.ts';
import { CHECKS, runScripts } from './run-scripts.ts';
import { ensureSandbox } from './sandbox.ts';

const BUILD = { 'build the site': 'build' };
/** Sizes are measured by `npm run test:all`, which builds as a release does. */
const QUICK_BUILD = { QUICK_BUILD: 'on' };

/** The tag of all tests of a file, in its head comment. */
const THOROUGH = /^\/\*\*[^]*?@module-tag thorough\b[^]*?\*\//;

/** Files without a test that `npm test` runs: to load one in order to skip its tests takes as long as many a test. */
const thoroughFiles = (): string[] =>
	globSync('test/**/*.test.{ts,tsx}').filter((path) => THOROUGH.test(readFileSync(path, 'utf8')));

const ALL = '--all';
const options = process.argv.slice(2);
const wanted = options.filter((option) => option !== ALL);
const isWhole = options.length > 0;
const filter = isWhole ? [] : ['--tagsFilter=!thorough', ...thoroughFiles().map((path) => `--exclude=${path}`)];
const chromium = ensureChromium();
ensureHeadlessShell();
ensureNatsServer();
ensureOtherEngines();
ensureSandbox();

const isBuilt = await runScripts(wanted.length === 0 ? { ...CHECKS, ...BUILD } : BUILD, isWhole ? {} : QUICK_BUILD);
if (!isBuilt) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'backlay-test-'));
const report = join(folder, 'report.json');
console.log('\n▸ tests');
const { status } = spawnSync(
	'vitest',
	['run', ...wanted, ...filter, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
	{ stdio: 'inherit', env: { ...process.env, CHROMIUM_PATH: chromium, ...(isWhole && { TESTS: 'all' }) } },
);
let ran = 0;
try {
	const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
	ran = numPassedTests + numFailedTests;
	console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
} catch {
	console.error('The test run left no report.');
}
rmSync(folder, { recursive: true, force: true });
process.exit(status !== 0 || ran === 0 ? 1 : 0);
