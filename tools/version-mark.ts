/** Writes the version of the program into a built page, whose script shows it. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { releaseVersion } from '../src/server/platform/machine/release-version.ts';

const ROOT = join(import.meta.dirname, '..');

export const versionMark: Plugin = {
	name: 'version-mark',
	transformIndexHtml: async () => [
		{ tag: 'meta', attrs: { name: 'version', content: await releaseVersion(ROOT) }, injectTo: 'head' },
	],
};
