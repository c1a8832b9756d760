/** Which chain a round takes its hash from, and what the public log had by then, while processes end at any moment. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Beacon } from '#server/money/casino/beacon/beacon.ts';
import { LocalBeacon } from '#server/money/casino/beacon/local-beacon.ts';
import { roundLeaves } from '#server/money/casino/tables/log-rounds.ts';
import { RoundBeacon } from '#server/money/casino/tables/round-beacon.ts';
import { TableChains } from '#server/money/casino/tables/table-chains.ts';
import { systemClock } from '#server/money/casino/tables/table-game.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import type { LeafSource } from '#server/platform/public-log/leaf-source.ts';
import { PublicLog } from '#server/platform/public-log/public-log.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { OPEN_ACCESS } from '../support/open-access.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY, TOKEN_KEY } from '../support/server.ts';

/** Rounds of a chain, and from which of them on the next one is announced. */
const LENGTH = 10_000;
const NEAR = 9_901;
const SPEED = 100;

let database: FreshDatabase;
let log: PublicLog;
beforeAll(async () => {
	database = await freshDatabase();
	log = new PublicLog({
		db: database.db,
		ledgerKey: LEDGER_KEY,
		sources: [roundLeaves] as LeafSource[],
		logger: pino({ level: 'silent' }),
		clock: Date.now,
	});
});
afterAll(() => database.drop());

/** The log is written as often as a server does, until that is called. */
function logging(): () => Promise<void> {
	let appended: Promise<unknown> = Promise.resolve();
	const timer = setInterval(() => {
		appended = log.append();
	}, 100);
	const stop = async () => {
		clearInterval(timer);
		await appended;
	};
	onTestFinished(stop);
	return stop;
}

/** A process that runs the game; with another key, its beacon is another one. */
class House {
	readonly chains: TableChains;
	readonly owner = randomUUID();
	readonly #stopping = new AbortController();

	constructor(game: string, tokenKey = TOKEN_KEY) {
		const beacon: Beacon = new LocalBeacon(tokenKey, SPEED);
		const { signal } = this.#stopping;
		const store = {
			db: database.db,
			keys: new DataKeys([TOKEN_KEY]),
			access: OPEN_ACCESS,
			game,
			owner: this.owner,
			signal,
		};
		const roundBeacon = new RoundBeacon(beacon, systemClock(SPEED), signal);
		this.chains = new TableChains({ ...store, returnPercent: 97, beacon, roundBeacon });
	}

	/** Starts where an earlier process may have come to. */
	static async from(game: string, round: number, tokenKey?: string): Promise<House> {
		const house = new House(game, tokenKey);
		await house.chains.takeOver();
		await house.chains.resume(round);
		onTestFinished(() => house.end());
		return house;
	}

	async numberOf(round: number): Promise<number> {
		return (await this.chains.ofRound(round)).facts.number;
	}

	async end(): Promise<void> {
		this.#stopping.abort();
		await this.chains.settled();
	}
}

interface StoredChain {
	number: number;
	first: number;
	replaced: string | null;
}

async function stored(game: string): Promise<StoredChain[]> {
	const { rows } = await database.db.query<StoredChain>(
		`select number, first_round as first, replaced from game_chain where game = $1 order by number`,
		[game],
	);
	return rows;
}

const isLogged = async (game: string, number: number): Promise<boolean> =>
	(await database.db.query(`select from public_log_entry where type = 'chain' and ref = $1`, [`${game} ${number}`]))
		.rowCount === 1;

it('announces the next chain in the log before the last round of the one in use, and then plays it', async () => {
	const game = 'two-chains';
	const stop = logging();
	const house = await House.from(game, 1);
	expect([await house.numberOf(1), await house.numberOf(NEAR - 1)]).toEqual([1, 1]);
	expect(await stored(game)).toHaveLength(1);
	await stop();
	expect(await house.numberOf(NEAR)).toBe(1);
	await expect.poll(() => stored(game)).toContainEqual({ number: 2, first: LENGTH + 1, replaced: null });
	// Rounds with others after them go on while the log stands still, and the last one waits.
	expect(await house.numberOf(LENGTH - 1)).toBe(1);
	expect(await isLogged(game, 2)).toBe(false);
	const last = house.numberOf(LENGTH);
	logging();
	expect(await last).toBe(1);
	const announced = (await stored(game)).at(-1);
	expect(announced?.first).toBe(LENGTH + 1);
	expect(await isLogged(game, announced?.number ?? 0)).toBe(true);
	expect(await house.numberOf(LENGTH + 1)).toBe(announced?.number);
});

it('leaves a chain that the log has too late, with the reason, and no chain for a restart', async () => {
	const game = 'restarted';
	let house = await House.from(game, 1);
	// The log stands still until the salt is out.
	const first = house.numberOf(1);
	await expect.poll(() => stored(game)).toHaveLength(1);
	const { rows } = await database.db.query<{ at: number }>(
		`select (salt_round * ceil(3000 / $2::float8))::bigint as at from game_chain where game = $1`,
		[game, SPEED],
	);
	await expect.poll(() => Date.now() > (rows[0]?.at ?? 0)).toBe(true);
	logging();
	expect(await first).toBe(2);
	const chains = [
		{ number: 1, first: 1, replaced: null },
		{ number: 2, first: 1, replaced: 'LATE' },
	];
	expect(await stored(game)).toEqual(chains);
	for (let restart = 0; restart < 3; restart++) {
		await house.end();
		house = await House.from(game, 1);
		expect(await house.numberOf(1)).toBe(2);
	}
	expect(await stored(game)).toEqual(chains);
});

it('leaves a chain that was announced to follow together with the one before it, where the beacon is another', async () => {
	const game = 'another-beacon';
	logging();
	const house = await House.from(game, 1);
	await house.numberOf(1);
	await house.numberOf(NEAR);
	await house.end();
	await expect.poll(() => stored(game)).toHaveLength(2);
	const other = await House.from(game, NEAR, 'another key with another beacon');
	expect(await other.numberOf(NEAR + 1)).toBe(3);
	expect(await other.numberOf(LENGTH + 1)).toBe(3);
	await other.end();
	const again = await House.from(game, LENGTH + 1, 'another key with another beacon');
	expect(await again.numberOf(LENGTH + 2)).toBe(3);
	expect(await stored(game)).toEqual([
		{ number: 1, first: 1, replaced: null },
		{ number: 2, first: LENGTH + 1, replaced: null },
		{ number: 3, first: NEAR + 1, replaced: 'BEACON' },
	]);
});

onSeeds(
	[1, 2, 3],
	'plays what was announced, whenever processes end or overtake one another, on seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const game = `ending-${seed}`;
		logging();
		const deposed: House[] = [];
		let house = await House.from(game, 1);
		let round = 1;
		for (let step = 0; step < 40 && round < 2 * LENGTH + NEAR; step++) {
			const asked = house.numberOf(round).catch(() => null);
			// At any moment: before the chain is made, while it waits for the log, or for its salt.
			const given = await Promise.race([asked, nothingWithin(numbers.below(1_200))]);
			if (given === null) {
				const isKilled = numbers.below(2) === 0;
				if (isKilled) await house.end();
				else deposed.push(house);
				house = await House.from(game, round);
				continue;
			}
			const chains = await stored(game);
			expect(given).toBe(chains.findLast(({ first }) => first <= round)?.number);
			expect(await isLogged(game, given)).toBe(true);
			const place = (round - 1) % LENGTH;
			if (place === LENGTH - 1) expect(await isLogged(game, given + 1)).toBe(true);
			round += place < NEAR ? NEAR + numbers.below(60) - place : place < LENGTH - 1 ? LENGTH - 1 - place : 1;
		}
		// The log was never late, so no chain was left: there is one for each stretch of rounds.
		const chains = await stored(game);
		expect(chains).toEqual(chains.map((_, at) => ({ number: at + 1, first: at * LENGTH + 1, replaced: null })));
		expect(chains.length).toBeGreaterThan(1);
		// One that was overtaken makes no chain any more, and takes none.
		for (const old of deposed) await old.numberOf((chains.length + 1) * LENGTH).catch(() => null);
		expect(await stored(game)).toEqual(chains);
		const { rows } = await database.db.query('select distinct owner from game_chain where game = $1', [game]);
		expect(rows).toEqual([{ owner: house.owner }]);
	},
);

const nothingWithin = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), ms));
