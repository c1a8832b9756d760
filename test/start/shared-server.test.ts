/** The server that files of a worker share: what a file may leave in it, and what fails the file. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { watchShared } from '../support/shared-server.ts';
import { signUp } from '../support/sign-up.ts';

const STEPS = 12;

let server: TestServer;
let client: pg.Client;
beforeAll(async () => {
	server = await TestServer.start();
	await server.act('brand-set', { host: 'localhost', field: 'allowSignUp', value: 'true' });
	client = new pg.Client({ connectionString: server.database.url });
	await client.connect();
});
afterAll(async () => {
	await client.end();
	await server.dispose();
});

let hosts = 0;

/** What files do to their own. */
const OWN: (() => Promise<unknown>)[] = [
	async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		await server.result('placeBetV2', betOn(match), token);
		await match.settle(0);
	},
	() => signUp(server),
	() => server.act('brand-add', { host: `own${++hosts}.example` }),
	() => server.demoGambler(),
];

/** What is everybody's, by what names it. */
const OTHERS: Record<string, () => Promise<unknown>> = {
	brand: () => server.act('brand-set', { host: '127.0.0.1', field: 'domainTitle', value: `Title ${++hosts}` }),
	game_rule: () =>
		server.act('game-rule-set', { host: 'localhost', game: 'dice', open: false, reason: `a test, ${++hosts}` }),
	limit_rule: () =>
		server.act('limit-rule-set', { pool: 'DEMO', watches: 'PLAYER', steps: [{ from: 1000, maxStake: ++hosts }] }),
	'left a transaction open': () => client.query('begin; select 1 as left_open'),
};

it('is as it was after whatever files do to their own, and names what one does to everybody’s', {
	timeout: 60_000,
}, async () => {
	const numbers = new SeededNumbers(7);
	for (const [name, act] of Object.entries(OTHERS)) {
		const faults = await watchShared(server);
		for (let step = 0; step < STEPS / 4; step++) await numbers.from(OWN)();
		expect(await faults()).toEqual([]);
		await act();
		for (let step = 0; step < STEPS / 4; step++) await numbers.from(OWN)();
		expect(await faults(), name).toEqual([expect.stringContaining(name)]);
		await client.query('rollback');
	}
});

it('takes no more bets once a file has stopped it', async () => {
	const faults = await watchShared(server);
	await server.stop();
	expect(await faults()).toEqual(['It takes no more bets.']);
});
