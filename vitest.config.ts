import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const BROWSER = /\/test\/browser\//;
/** Files that spend their time waiting: for rounds in real time, for timeouts, for processes that were killed. */
const WAITING =
	/\/test\/(browser\/crash|calls\/crash|faults\/|feeds\/simulated-sports|funds\/walks|games\/crash-kills|ledger\/(rounds-)?kill\.)/;

/**
 * What takes longest comes first, so that the workers end together: the browser's files, whatever their size. One that
 * waits runs beside two that compute, so that neither of the two cores is idle.
 */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const bySize = await super.sort(files);
		const waiting = bySize.filter(({ moduleId }) => WAITING.test(moduleId));
		const others = bySize.filter((file) => !waiting.includes(file));
		const computing = others.sort(
			(one, other) => Number(BROWSER.test(other.moduleId)) - Number(BROWSER.test(one.moduleId)),
		);
		return computing.flatMap((file, at) => (at % 2 === 0 ? [file] : [file, ...waiting.splice(0, 1)])).concat(waiting);
	}
}

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
		globalSetup: ['test/support/global-setup.ts'],
		// What a test awaits has limits of its own; this one is for machines that do much else at the same time.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		// As patient as what waits in a browser: a second is nothing where four processes share two cores.
		expect: { poll: { timeout: 20_000 } },
		pool: 'forks',
		// On two cores: a third of the files' time is waiting.
		maxWorkers: 3,
		sequence: { sequencer: LongestFirst },
		// Browser, server, database and test share two cores in CI: what is late once gets a second try there, and is named.
		retry: process.env['CI'] ? 1 : 0,
	},
});
