/**
 * Files that leave something behind fail by name, and the file after them in the same worker does not.
 * @module-tag thorough
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

const SILENT_SERVER = `
	const server = createServer(() => {}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = 'http://127.0.0.1:' + server.address().port + '/never';
	const arrived = once(server, 'request');
`;

/** By file: what its only test does. In the order of their names, in one worker. */
const FILES = {
	'a-server': `createServer().listen(0);`,
	'b-request': `${SILENT_SERVER} fetch(url).catch(() => {}); await arrived; server.close(); server.unref();`,
	'c-rejection': `${SILENT_SERVER} fetch(url); await arrived; server.closeAllConnections(); server.close();`,
	'd-nothing': `${SILENT_SERVER} fetch(url).catch(() => {}); await arrived; server.closeAllConnections(); server.close();`,
};

it('fails the file that leaves a server, a request or a rejection, and not the one after it', () => {
	const folder = mkdtempSync(join(ROOT, 'node_modules', '.leaves-nothing-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, 'test'));
	for (const [name, body] of Object.entries(FILES)) {
		writeFileSync(
			join(folder, 'test', `${name}.test.js`),
			`import { once } from 'node:events';
			import { createServer } from 'node:http';
			import { it } from 'vitest';
			it('does it', async () => { ${body} });`,
		);
	}
	const report = join(folder, 'report.json');
	const config = {
		isolate: false,
		maxWorkers: 1,
		setupFiles: [join(ROOT, 'test/support/leaves-nothing.ts')],
		reporters: ['json'],
		outputFile: report,
	};
	writeFileSync(join(folder, 'vitest.config.js'), `export default { test: ${JSON.stringify(config)} };`);
	spawnSync('vitest', ['run', '--root', folder], { env: { ...process.env, VITEST: undefined } });
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
		testResults: { name: string; status: string; message: string }[];
	};
	const found = Object.fromEntries(
		testResults.map(({ name, status, message }) => [/([\w-]+)\.test\.js$/.exec(name)?.[1], { status, message }]),
	);
	expect(found).toEqual({
		'a-server': { status: 'failed', message: expect.stringContaining('leaves behind') },
		'b-request': { status: 'failed', message: expect.stringContaining('leaves behind') },
		'c-rejection': { status: 'failed', message: expect.stringContaining('were not handled') },
		'd-nothing': { status: 'passed', message: '' },
	});
});
