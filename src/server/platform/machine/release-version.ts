/**
 * The version of the program: GLI-19, 2.6.2. The build writes it into the pages, and the server says its own on `/ready`;
 * the two are equal where the pages were built from the source that runs.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

const DIGITS = 12;

/**
 * @param root the folder of the release
 * @returns such as 0.1.0+3fa94c07be12: the version of the package, and the first digits of the SHA-256 of its source
 */
export async function releaseVersion(root: string): Promise<string> {
	const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
	const source = join(root, 'src');
	const entries = await readdir(source, { recursive: true, withFileTypes: true });
	const paths = entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name))
		.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
	const hash = createHash('sha256');
	for (const path of paths) {
		const content = await readFile(path);
		hash
			.update(
				`${path
					.slice(source.length + 1)
					.split(sep)
					.join('/')} ${content.length}\n`,
			)
			.update(content);
	}
	return `${version}+${hash.digest('hex').slice(0, DIGITS)}`;
}
