/**
 * The server as one file, for the tests that start it as a process: Node loads it with less than half the CPU that its
 * sources and packages take. Tests of `test/start` start the sources themselves, as operators do.
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');
const NAME = 'main.mjs';
/** They look for files of their own package. */
const NOT_BUNDLED = ['pino', 'seek-bzip', 'sharp', 'tesseract.js', 'thread-stream'];

/** A source finds what lies beside it, such as migrations, where it is without the bundle. */
const ownPlaces: Plugin = {
	name: 'own-places',
	transform(code, id) {
		if (!id.endsWith('.ts')) return null;
		return code
			.replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
			.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
	},
};

/**
 * @param outDir a folder from which Node finds the packages that stay outside
 * @returns the program's path
 */
export async function bundleServer(outDir: string): Promise<string> {
	await build({
		configFile: false,
		root: ROOT,
		logLevel: 'warn',
		plugins: [ownPlaces],
		build: {
			ssr: 'src/server/main.ts',
			outDir,
			emptyOutDir: false,
			copyPublicDir: false,
			rolldownOptions: { output: { entryFileNames: NAME } },
		},
		ssr: { noExternal: true, external: NOT_BUNDLED },
	});
	return join(outDir, NAME);
}
