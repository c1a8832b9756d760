/** Rounds that depend on a beacon while its relays do what they can: the rules by which a round is played or void. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { beaconTimeOf, randomnessOf } from '#games/beacon/beacon-chain.ts';
import { isBeaconSignature } from '#games/beacon/beacon-signature.ts';
import { NONE } from '#games/fraction.ts';
import { payoutOf } from '#games/game.ts';
import { sharedOutcome } from '#games/shared-result.ts';
import { HashChain } from '#server/money/casino/tables/hash-chain.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import { expectSound } from '../support/audit.ts';
import { BeaconRelay, type RelayWay, signatureOf, TEST_BEACON } from '../support/beacon-relay.ts';
import { OPEN_ACCESS } from '../support/open-access.ts';
import { type Player, TestServer, TOKEN_KEY } from '../support/server.ts';
import { provenOutcome, Table, type TableProof, type TableState } from '../support/tables.ts';

const GAME = 'dragon-tiger';
/** Windows of half a second, and what is left until the beacon. */
const SPEED = 24;
const MINUTE_MS = 60_000;

let relays: [BeaconRelay, BeaconRelay];
let server: TestServer;
let table: Table;
let player: Player;

const changes = () => ({
	tableSpeed: SPEED,
	drand: { chain: TEST_BEACON, chainHash: 'ab'.repeat(32), relays: relays.map(({ url }) => url) },
});

async function start(): Promise<void> {
	server = await TestServer.start(server?.database, changes());
	table = new Table(server, GAME);
}

beforeAll(async () => {
	relays = [await BeaconRelay.start(), await BeaconRelay.start()];
	await start();
	player = await server.demoGambler();
	await table.reached('BETTING');
});
afterAll(async () => {
	await expectSound(server.database.url);
	await server.dispose();
	await Promise.all(relays.map((relay) => relay.stop()));
});
const behave = (way: RelayWay, aheadMs = 0): void => {
	for (const relay of relays) Object.assign(relay, { way, aheadMs });
};
afterEach(() => behave('honest'));

/** A round with a bet of ten on each side. */
async function roundWithBets(): Promise<TableState> {
	const { state } = await table.view();
	for (let after = Number(state.round); ; after++) {
		const opened = await table.reached('BETTING', after);
		const bets = ['dragon', 'tiger'].map((bet) => ({ bet, stake: 10 }));
		const asked = { game: GAME, bets, clientRequestId: randomUUID() };
		const { bet } = await server.result('placeTableBet', asked, player.token);
		if (bet.round === opened.round) return opened;
		after = Number(bet.round);
	}
}

async function ended(round: string): Promise<TableProof> {
	await table.reached('BETTING', Number(round));
	return await server.result('getTableRound', { game: GAME, round });
}

const bet = async (round: string) => {
	const { items } = await server.result('getRounds', { game: GAME, maxResultCount: '50' }, player.token);
	const own = items.filter(({ tableRound }) => tableRound === round);
	expect(own).toHaveLength(1);
	return own[0];
};

it('announces a value that is out after the last bet, and pays by it', async () => {
	const opened = await roundWithBets();
	const { beacon } = opened;
	if (!beacon) throw new Error('no beacon is announced');
	expect(beacon).toEqual({ name: 'quicknet', round: beacon.round, at: beaconTimeOf(TEST_BEACON, beacon.round) });
	expect(opened.serverTime + (opened.leftMs ?? 0)).toBeLessThan(beacon.at);
	const proof = await ended(opened.round);
	expect(proof.beacon).toEqual({ round: beacon.round, signature: signatureOf(beacon.round) });
	expect(proof.outcome).toEqual(provenOutcome(proof));
	expect(proof.outcome).not.toEqual(undefined);
	const { payout } = (await bet(opened.round)) ?? {};
	const due = ['dragon', 'tiger'].map((code) => {
		const terms = table.game.betOf(code);
		const prize = terms?.prizeOf(proof.outcome) ?? null;
		return prize === null ? 0 : payoutOf(1_000, terms?.prizes[prize]?.pays ?? NONE);
	});
	expect(payout).toBe((due[0] ?? 0) / 100 + (due[1] ?? 0) / 100);
	await server.running.publicLog.append();
	const { rows } = await server.database.db.query<{ type: string; leaf: string }>(
		`select type, leaf from public_log_entry where ref = $1 order by entry`,
		[`${GAME} ${opened.round}`],
	);
	expect(rows.map(({ type }) => type)).toEqual(['betting', 'round']);
	expect(JSON.parse(rows[0]?.leaf ?? '{}')).toMatchObject({ beaconRound: beacon.round });
});

it('has a chain whose salt is a value from after its announcement', async () => {
	const { chain } = await table.view();
	const { saltRound, saltSignature, salt, beacon } = chain ?? {};
	expect(beacon).toEqual(TEST_BEACON);
	const value = { round: saltRound ?? 0, signature: saltSignature ?? '' };
	expect(isBeaconSignature(TEST_BEACON.publicKey, value)).toBe(true);
	expect(salt).toBe(randomnessOf(value.signature));
});

it('has the same chain after restarts while its salt is still to come, so that none is chosen by its salt', async () => {
	const { db } = server.database;
	const stored = async () =>
		(await db.query(`select number, is_in_time as "isInTime" from game_chain where game = 'lucky-7'`)).rows;
	behave('silent');
	for (let restart = 0; restart < 2; restart++) {
		await new Table(server, 'lucky-7').view();
		await expect.poll(stored).toEqual([{ number: 1, isInTime: true }]);
		await server.stop();
		await start();
	}
	behave('honest');
	await new Table(server, 'lucky-7').reached('BETTING');
	expect(await stored()).toEqual([{ number: 1, isInTime: true }]);
});

it('is not stopped by one relay that forges', async () => {
	(relays[0] as BeaconRelay).way = 'forged';
	const { round } = await roundWithBets();
	expect((await ended(round)).isVoid).toBe(false);
});

describe('makes a round void, with what it would have been', () => {
	type Fault = [reason: 'BEACON' | 'CLOCK', fault: string, way: RelayWay, aheadMs: number];
	const isVoid = async (...fault: Fault): Promise<void> => {
		const [reason, , way, aheadMs] = fault;
		const stateOf = async (asked: string) => (await bet(asked))?.state;
		let round = '';
		// A round that was locked before the relays changed has its value already.
		do {
			behave('honest');
			({ round } = await roundWithBets());
			behave(way, aheadMs);
			await expect.poll(() => stateOf(round), { timeout: 20_000 }).not.toBe('OPEN');
		} while ((await stateOf(round)) === 'SETTLED');
		expect(await stateOf(round)).toBe('VOID');
		expect(await bet(round)).toMatchObject({ stake: 20, payout: 20 });
		// Without a value no other round begins.
		if (reason === 'BEACON') expect((await table.view()).state).toMatchObject({ round, phase: 'LOCKED' });
		behave('honest');
		const proof = await ended(round);
		expect(proof).toMatchObject({ isVoid: true, outcome: null, voided: { reason, outcome: provenOutcome(proof) } });
	};

	it.each<Fault>([['BEACON', 'a beacon that is silent', 'silent', 0]])('%s: %s', isVoid);

	it.each<Fault>([
		['CLOCK', 'a clock that is a minute behind', 'honest', MINUTE_MS],
		['BEACON', 'forged values', 'forged', 0],
		['BEACON', 'values of other rounds', 'replaced', 0],
		['BEACON', 'a clock that is a minute ahead', 'honest', -MINUTE_MS],
	])('%s: %s', { tags: 'thorough' }, isVoid);
});

/** What a house with its keys and its database computes for values that may come. */
async function expectUnknown(round: string): Promise<void> {
	const { db } = server.database;
	const keys = new DataKeys([TOKEN_KEY]);
	const chain = await HashChain.ofRound({ db, keys, access: OPEN_ACCESS, game: GAME, owner: '' }, Number(round));
	const { rows } = await db.query<{ position: number; seeds: string[]; signature: string | null }>(
		`select position, bettor_seeds as seeds, beacon_signature as signature from table_round where game = $1 and round = $2`,
		[GAME, round],
	);
	const [{ position, seeds, signature } = { position: 0, seeds: [], signature: null }] = rows;
	expect(signature).toBeNull();
	await chain?.read(position, 'RESTART');
	const known = { ...chain?.facts, hash: chain?.hashOf(position) ?? '', bettorSeeds: seeds, round: Number(round) };
	const { salt = '', returnPercent = 0 } = known;
	const winners = Array.from({ length: 40 }, (_, at) => {
		const outcome = sharedOutcome(table.game, { ...known, salt, returnPercent, signature: signatureOf(1 + at) });
		return table.game.bets.filter(({ prizeOf }) => prizeOf(outcome) !== null).map(({ code }) => code);
	}).flat();
	expect(winners).toEqual(expect.arrayContaining(['dragon', 'tiger']));
}

describe('a locked round without its value', () => {
	const lockedRound = async (): Promise<string> => {
		for (;;) {
			const { round } = await roundWithBets();
			behave('silent');
			await table.reached('LOCKED', Number(round) - 1);
			await expect
				.poll(async () => {
					const asked = 'select phase from table_round where game = $1 and round = $2';
					return (await server.database.db.query(asked, [GAME, round])).rows[0]?.phase;
				})
				.toBe('LOCKED');
			return round;
		}
	};

	it('is paid by its own value when that comes late', { tags: 'thorough' }, async () => {
		const round = await lockedRound();
		expect((await bet(round))?.state).toBe('OPEN');
		behave('honest');
		const proof = await ended(round);
		expect(proof).toMatchObject({ isVoid: false, outcome: provenOutcome(proof) });
		expect((await bet(round))?.state).toBe('SETTLED');
	});

	it('is unknown to the house with its keys and its database, and paid after a restart by the announced value', {
		tags: 'thorough',
	}, async () => {
		const round = await lockedRound();
		await expectUnknown(round);
		const { beacon: before } = await server.result('getTableRound', { game: GAME, round });
		await server.stop();
		behave('honest');
		await start();
		const proof = await ended(round);
		expect(proof.isVoid).toBe(false);
		expect(proof.beacon).toEqual({ round: before?.round, signature: signatureOf(before?.round ?? 0) });
		expect(proof.outcome).toEqual(provenOutcome(proof));
		expect((await bet(round))?.state).toBe('SETTLED');
	});

	it('is void after a restart by the same rule where the beacon stays silent, once', { tags: 'thorough' }, async () => {
		const round = await lockedRound();
		await server.stop();
		await start();
		await expect.poll(async () => (await bet(round))?.state, { timeout: 20_000 }).toBe('VOID');
		await server.stop();
		behave('honest');
		await start();
		const proof = await ended(round);
		expect(proof).toMatchObject({ isVoid: true, voided: { reason: 'BEACON', outcome: provenOutcome(proof) } });
		expect(await bet(round)).toMatchObject({ stake: 20, payout: 20 });
	});

	it('is ended by the process that took the game over, and the other one pays nothing', {
		tags: 'thorough',
	}, async () => {
		const round = await lockedRound();
		await server.database.db.query(`update game_chain set owner = 'another process' where game = $1`, [GAME]);
		behave('honest');
		await table.reached('CLOSED', Number(round) - 1);
		expect(await bet(round)).toMatchObject({ state: 'OPEN', payout: 0 });
		await server.stop();
		await start();
		expect((await ended(round)).isVoid).toBe(false);
		expect((await bet(round))?.state).toBe('SETTLED');
	});
});

it('leaves a chain for one of another beacon with a reason, and its rounds verify as before', {
	tags: 'thorough',
}, async () => {
	const { round } = await roundWithBets();
	const before = await ended(round);
	await server.stop();
	server = await TestServer.start(server.database, { ...changes(), drand: null });
	table = new Table(server, GAME);
	const { beacon } = await table.reached('BETTING', Number(round));
	expect(beacon?.name).toBe('local');
	const { chain } = await table.view();
	expect(chain).toMatchObject({ number: before.chain.number + 1, replaced: 'BEACON', isDevelopment: true });
	const again = await server.result('getTableRound', { game: GAME, round });
	expect(again.chain).toEqual(before.chain);
	expect(again.outcome).toEqual(provenOutcome(again));
	await server.running.publicLog.append();
	// A round that the restart made void ends after the first count.
	await server.running.casino.tallies.count();
	const { games } = await server.result('getFairness', {});
	const { chains, replaced } = games.find(({ game }) => game === GAME) ?? {};
	expect(chains?.map((chain) => [chain.number, chain.replaced, chain.isAhead])).toEqual([
		[before.chain.number + 1, 'BEACON', false],
		[before.chain.number, null, false],
	]);
	expect(replaced).toEqual([{ reason: 'BEACON', chains: 1 }]);
});

it('stores no bet of real money that a local beacon would decide', async () => {
	const { db } = server.database;
	const forged = `update workflow set pool = 'REAL', data = data || '{"beacon":"local"}' where kind = 'CASINO'`;
	await expect(db.query(forged)).rejects.toThrow('workflow_local_beacon_takes_no_real_money');
});
