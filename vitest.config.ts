import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest comes first, so that the workers end together: those are the browser's files, whatever their size. */
class BrowserFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/test/browser/');
		return (await super.sort(files)).sort((one, other) => Number(isLong(other)) - Number(isLong(one)));
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
		maxWorkers: 2,
		sequence: { sequencer: BrowserFirst },
		// Browser, server, database and test share two cores in CI: what is late once gets a second try there, and is named.
		retry: process.env['CI'] ? 1 : 0,
	},
});
