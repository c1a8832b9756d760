import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
		globalSetup: ['test/support/global-setup.ts'],
		testTimeout: 60_000,
		hookTimeout: 60_000,
		pool: 'forks',
		maxWorkers: 2,
	},
});
