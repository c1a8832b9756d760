/** `npm run bench -- NAME [ARGUMENT …]`: runs one bench and prints its figures as a line of JSON. Without a name it lists all. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = import.meta.dirname;
/** Node options with which the product runs the measured code. */
const OF_THE_PRODUCT = ['--max-semi-space-size=64', '--v8-pool-size=1', '--no-allocation-site-pretenuring'];
const NODE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
	crash: OF_THE_PRODUCT,
	memory: ['--expose-gc', ...OF_THE_PRODUCT],
	'settlement-beside-bets': OF_THE_PRODUCT,
	tails: OF_THE_PRODUCT,
	triggers: ['--expose-gc'],
};

const NAMES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.ts') && file !== 'run.ts')
	.map((file) => file.slice(0, -'.ts'.length));

/** The first sentence of the file's head comment. */
function about(name: string): string {
	const head = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(join(FOLDER, `${name}.ts`), 'utf8'))?.[1] ?? '';
	const text = head.replace(/\s*\n \*\s*/g, ' ').trim();
	return /^.*?\.(?= |$)/.exec(text.replace(/^`[^`]*`: /, ''))?.[0] ?? text;
}

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !NAMES.includes(name)) {
	if (name !== undefined) console.error(`There is no bench named ${name}.`);
	console.log(NAMES.map((one) => `${one.padEnd(24)}${about(one)}`).join('\n'));
	process.exit(name === undefined ? 0 : 2);
}
const command = [...(NODE_OPTIONS[name] ?? []), join(FOLDER, `${name}.ts`), ...rest];
process.exit(spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1);
