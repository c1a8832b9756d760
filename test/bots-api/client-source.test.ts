/** The generated client of our own API: a program beside it compiles, and does on a real server what its types say. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { openTestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { signUp } from '../support/sign-up.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let server: TestServer;
let folder: string;
beforeAll(async () => {
	server = await sharedServer();
	folder = await mkdtemp(join(tmpdir(), 'backlay-client-'));
	await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
	await writeFile(join(folder, 'client.ts'), await (await fetch(`${server.url}/client.ts`)).text());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the compiler says of a program beside the client; empty when it has nothing to say. */
async function faultsOf(program: string): Promise<string> {
	const options =
		'--ignoreConfig --noEmit --strict --target esnext --module esnext --moduleResolution bundler --lib esnext,dom --types';
	const all = [...options.split(' '), '', '--allowImportingTsExtensions', join(folder, program)];
	const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
	try {
		return (await run(process.execPath, [compiler, ...all])).stdout;
	} catch (error) {
		return (error as { stdout: string }).stdout;
	}
}

it('has every call of the contract, at the server and by its command, and is named on /docs', async () => {
	const client = await readFile(join(folder, 'client.ts'), 'utf8');
	const missing = Object.entries(CALLS).filter(
		([name, { method, path, from }]) => !client.includes(`\t${name}: ['${method}', '/${path}', '${from}'],`),
	);
	expect(missing).toEqual([]);
	await run(process.execPath, [join(ROOT, 'tools', 'api-client.ts'), join(folder, 'written.ts')]);
	expect(await readFile(join(folder, 'written.ts'), 'utf8')).toBe(client);
	expect(await (await fetch(`${server.url}/docs`)).text()).toContain('href="/client.ts"');
});

it('is a program’s only need: it bets, follows the hub, reads its bets, and tells refusals by their codes', {
	tags: 'thorough',
}, async () => {
	const [match, player] = [await openTestMatch(server), await signUp(server)];
	const bet = { marketId: match.marketId, runnerId: match.runnerIds[0], side: 'BACK', stake: 100 };
	const program = `
import { Client, Refusal } from './client.ts';

const client = new Client(${JSON.stringify(server.url)}, ${JSON.stringify(player.token)});
const first = Promise.withResolvers<string>();
const close = await client.follow(['market:${match.marketId}'], (message) => {
	if (message.code === 'BetUpdate') first.resolve(message.data.event + ' ' + message.data.betId);
});
const bet = ${JSON.stringify(bet)} as const;
const placed = await client.call('placeBetV2', { ...bet, price: 3, clientRequestId: 'generated-client-1' });
const left: number = placed.remainingStake;
const heard = await first.promise;
close();
const refused = await client
	.call('placeBetV2', { ...bet, price: 3.001, clientRequestId: 'generated-client-2' })
	.then(() => null, (error: unknown) => (error instanceof Refusal ? error.code : null));
const { openBets } = await client.call('getUserOpenBets', {});
console.log(JSON.stringify({ betId: placed.betId, left, heard, refused, open: openBets.map(({ betId }) => betId) }));
`;
	await writeFile(join(folder, 'program.ts'), program);
	expect(await faultsOf('program.ts')).toBe('');
	const { stdout } = await run(process.execPath, [join(folder, 'program.ts')], { timeout: 60_000 });
	const { betId, ...said } = JSON.parse(stdout) as { betId: string };
	expect(said).toEqual({ left: 100, heard: `PLACED ${betId}`, refused: 'PRICE_NOT_ON_LADDER', open: [betId] });
});

it('is typed: the compiler finds a call, a field and a value that the contract has not', {
	tags: 'thorough',
}, async () => {
	const program = `
import { Client } from './client.ts';
const client = new Client('http://localhost');
await client.call('placeBet', {});
await client.call('getRound', { round: '1' });
(await client.call('getUserOpenBets', {})).bets;
const bet = { marketId: '1', runnerId: '1', price: 2, stake: 1, clientRequestId: 'wrong-side' };
await client.call('placeBetV2', { ...bet, side: 'BOTH' });
`;
	await writeFile(join(folder, 'wrong.ts'), program);
	const faults = await faultsOf('wrong.ts');
	expect([...faults.matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => Number(line))).toEqual([4, 5, 6, 8]);
});
