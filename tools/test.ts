/**
 * `npm test`: runs the quick checks first, builds the site once, then runs the tests against real processes, without
 * those tagged `thorough`. `npm run test:all` runs these, too. Options are passed to vitest: `npm test -- test/engine`
 * runs all tests of that folder.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium, ensureHeadlessShell } from './chromium.ts';
import { ensureNatsServer } from './nats-server.ts';
import { ensureOtherEngines } from './other-engines.ts';
import { ensureSandbox } from './sandbox.ts';

function run(step: string, command: string, args: string[], env: NodeJS.ProcessEnv = {}): number {
	console.log(`\n▸ ${step}`);
	return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

const ALL = '--all';
const options = process.argv.slice(2);
const wanted = options.filter((option) => option !== ALL);
const filter = options.length === 0 ? ['--tagsFilter=!thorough'] : [];
const chromium = ensureChromium();
ensureHeadlessShell();
ensureNatsServer();
ensureOtherEngines();
ensureSandbox();

if (wanted.length === 0) {
	for (const [step, script] of [
		['format', 'format:check'],
		['lint', 'lint'],
		['types', 'types'],
	] as const) {
		if (run(step, 'npm', ['run', '--silent', script]) !== 0) process.exit(1);
	}
}
if (run('build the site', 'npm', ['run', '--silent', 'build']) !== 0) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'backlay-test-'));
const report = join(folder, 'report.json');
const status = run(
	'tests',
	'vitest',
	['run', ...wanted, ...filter, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
	{ CHROMIUM_PATH: chromium },
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
