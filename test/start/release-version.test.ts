/** The version of the program, which the pages show and the server says. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { releaseVersion } from '#server/platform/machine/release-version.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

it('is the package’s version with a digest that each change of the source changes, and nothing else', async () => {
	const root = await mkdtemp(join(scratchFolder(), 'backlay-version-'));
	onTestFinished(() => rm(root, { recursive: true }));
	const write = async (path: string, text: string) => await writeFile(join(root, path), text);
	await mkdir(join(root, 'src', 'engine'), { recursive: true });
	await write('package.json', '{ "version": "1.2.3" }');
	await write('src/engine/one.ts', 'ab');
	await write('src/two.ts', 'c');
	const first = await releaseVersion(root);
	expect(first).toMatch(/^1\.2\.3\+[0-9a-f]{12}$/);
	await write('README.md', 'no source');
	expect(await releaseVersion(root)).toBe(first);
	// Each differs from all before: content, a byte that moves to the next file, a name.
	const seen = [first];
	for (const change of [
		() => write('src/two.ts', 'd'),
		async () => {
			await write('src/engine/one.ts', 'a');
			await write('src/two.ts', 'bd');
		},
		() => rename(join(root, 'src/two.ts'), join(root, 'src/three.ts')),
	]) {
		await change();
		const version = await releaseVersion(root);
		expect(seen).not.toContain(version);
		seen.push(version);
	}
});
