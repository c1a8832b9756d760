/**
 * The seeds of rounds that one player plays, where the house would cheat or the network repeats: what `npm run fair` says
 * of them, and what a slow model of one order says of any sequence of requests.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { coinFlip } from '#games/instant/coin-flip.ts';
import { nonceFaults, type WitnessedPair } from '#games/pair-proof.ts';
import { resultOf } from '#games/round-result.ts';
import { commitmentOf } from '#games/seeded-words.ts';
import { checkedLines } from '../../tools/fair.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';

type Round = ResultOf<Calls['playRound']>['round'];
type Seeds = ResultOf<Calls['rotateSeeds']>['seeds'];

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

const flip = async ({ token }: Player, clientRequestId = randomUUID()): Promise<Round> => {
	const bets = [{ bet: 'heads', stake: 10 }];
	return (await server.result('playRound', { game: 'coin-flip', bets, clientRequestId }, token)).round;
};

/** What a player notes before the client seed is given. */
async function noted({ token }: Player, clientSeed: string): Promise<WitnessedPair> {
	return { commitment: (await server.result('getSeeds', {}, token)).next.commitment, clientSeed };
}

/** The lines and the verdict of `npm run fair -- verify` on the rounds of a pair, as the site's file has them. */
function verify(rounds: readonly Round[], { pair, ...seeds }: Seeds, witnessed: WitnessedPair | null) {
	const lines = rounds.map(({ game, nonce, result }) => ({ game, nonce, result, pair, ...seeds, witnessed }));
	const said = [
		...checkedLines(
			'verify',
			lines.map((line) => JSON.stringify(line)),
		),
	];
	const found = said.map(({ line }) => line as { standing?: string; missing?: number[]; repeated?: number[] });
	const isFaulty = said.some((one) => one.isFaulty);
	return { standings: [...new Set(found.flatMap(({ standing }) => standing ?? []))], pair: found.at(-1), isFaulty };
}

/** A server seed with which the first coins of a client seed all fall on tails. */
function ground(clientSeed: string, tails: number): string {
	for (;;) {
		const serverSeed = randomBytes(32).toString('hex');
		const isTails = (nonce: number) =>
			resultOf(coinFlip, { serverSeed, clientSeed, nonce }, { choice: '', actions: [] }).outcome === 'tails';
		if (Array.from({ length: tails }, (_, nonce) => nonce).every(isTails)) return serverSeed;
	}
}

describe('a house that cheats, with all its keys', () => {
	const TAILS = 6;

	it('honest, is proven by what the player noted, and by the server’s word alone without a note', async () => {
		const player = await server.demoPlayer();
		const note = await noted(player, 'chosen-here');
		await server.beginSeeds(player, 'chosen-here');
		const rounds = [await flip(player), await flip(player)];
		const { revealed } = await server.beginSeeds(player);
		expect(verify(rounds, revealed as Seeds, note)).toMatchObject({ standings: ['proven'], isFaulty: false });
		expect(verify(rounds, revealed as Seeds, null)).toMatchObject({ standings: ['unwitnessed'], isFaulty: false });
	});

	it('cannot choose its seed by the client seed: the pair is broken for the player who noted the commitment', async () => {
		const player = await server.demoPlayer();
		const clientSeed = 'known-too-early';
		const note = await noted(player, clientSeed);
		await server.beginSeeds(player, clientSeed);
		const serverSeed = ground(clientSeed, TAILS);
		// Everything that the server tells afterwards agrees with the seed that it chose.
		const told = {
			pair: 1,
			rule: 2 as const,
			clientSeed,
			commitment: commitmentOf(serverSeed),
			serverSeed,
			rounds: TAILS,
		};
		const rounds = Array.from(
			{ length: TAILS },
			(_, nonce) => ({ game: 'coin-flip', nonce, result: 'Tails' }) as Round,
		);
		expect(verify(rounds, told, note)).toMatchObject({ standings: ['broken'], isFaulty: true });
		// Nor does it help to call the pair an old one.
		expect(verify(rounds, { ...told, rule: 1 }, note)).toMatchObject({ standings: ['broken'], isFaulty: true });
		// Without a note no player is told that it is proven.
		expect(verify(rounds, told, null)).toMatchObject({ standings: ['unwitnessed'] });
		expect(verify(rounds, { ...told, rule: 1 }, null)).toMatchObject({ standings: ['old-rule'] });
	});

	it('cannot begin the pair with another client seed than the player’s', { tags: 'thorough' }, async () => {
		const player = await server.demoPlayer();
		const note = await noted(player, 'of-the-player');
		await server.beginSeeds(player, 'of-the-house');
		const rounds = [await flip(player)];
		const { revealed } = await server.beginSeeds(player);
		expect(verify(rounds, revealed as Seeds, note)).toMatchObject({ standings: ['broken'], isFaulty: true });
	});

	it('cannot skip a nonce whose result it does not like, nor play one twice', async () => {
		const player = await server.demoPlayer();
		const note = await noted(player, 'chosen-here');
		await server.beginSeeds(player, 'chosen-here');
		const rounds = [await flip(player), await flip(player), await flip(player)];
		const { revealed } = await server.beginSeeds(player);
		const [first, , third] = rounds as [Round, Round, Round];
		const skipped = verify([first, third], revealed as Seeds, note);
		expect(skipped).toMatchObject({ pair: { missing: [1], repeated: [] }, isFaulty: true });
		expect(verify([first, third, third], revealed as Seeds, note)).toMatchObject({
			pair: { repeated: [2] },
			isFaulty: true,
		});
		expect(verify([first], revealed as Seeds, note)).toMatchObject({ pair: { missing: [1, 2] }, isFaulty: true });
	});
});

it('a pair of the old rule stays in use and is labelled, and the one after it is announced before it ends', async () => {
	const player = await server.demoGambler();
	// As a server before the migration left it: in use, by rule 1, with no pair announced.
	const { db } = server.database;
	await db.query('delete from game_seed_pair where wallet_id = $1 and number = 2', [player.userId]);
	await db.query('update game_seed_pair set rule = 1, announced_at = null where wallet_id = $1', [player.userId]);
	server = await restartShared();
	const round = await flip(player);
	const before = await server.result('getSeeds', {}, player.token);
	expect(before).toMatchObject({ seeds: { pair: 1, rule: 1 }, nonce: 1, next: { pair: 2 } });
	const { revealed, seeds } = await server.beginSeeds(player);
	expect(verify([round], revealed as Seeds, null)).toMatchObject({ standings: ['old-rule'], isFaulty: false });
	expect(seeds).toMatchObject({ pair: 2, rule: 2, commitment: before.next.commitment });
});

it('of two devices at once one begins the pair; the other is told, and both are told the same order', async () => {
	const player = await server.demoGambler();
	const { next } = await server.result('getSeeds', {}, player.token);
	const answers = await Promise.all(
		['of-the-phone', 'of-the-desk'].map((clientSeed) =>
			server.call('rotateSeeds', { clientSeed, commitment: next.commitment }, player.token),
		),
	);
	expect(answers.map(({ code }) => code).sort()).toEqual(['SEEDS_REPLACED', null].sort());
	const won = answers.find(({ code }) => code === null)?.body.result?.seeds;
	expect(answers.find(({ code }) => code !== null)?.body.error?.details).toMatchObject({ pair: 2 });
	expect((await server.result('getSeeds', {}, player.token)).seeds).toEqual(won);
});

it('a round whose outcome was unknown uses its nonce once, and none is drawn before that is known', async () => {
	const hasty = await TestServer.start(undefined, { callDeadlineMs: 1_500 });
	onTestFinished(() => hasty.dispose());
	const player = await hasty.demoGambler();
	const play = (clientRequestId: string) =>
		hasty.call('playRound', { game: 'coin-flip', bets: [{ bet: 'heads', stake: 10 }], clientRequestId }, player.token);
	expect((await play('first-round')).code).toBeNull();
	const held = await hasty.database.db.connect();
	await held.query('begin; lock table posting in access exclusive mode');
	expect((await play('second-round')).code).toBe('OUTCOME_UNKNOWN');
	expect((await play('third-round')).status).toBeGreaterThanOrEqual(500);
	await held.query('rollback');
	held.release();
	const answerOf = async (id: string) => (await play(id)).body.result?.round.nonce;
	await expect.poll(() => answerOf('second-round'), { timeout: 30_000 }).toBe(1);
	expect([await answerOf('third-round'), await answerOf('fourth-round')]).toEqual([2, 3]);
	const { revealed } = await hasty.beginSeeds(player);
	expect(revealed?.rounds).toBe(4);
});

/** What two devices of one player do, some of it at once. */
class Devices {
	readonly #player: Player;
	readonly #numbers: SeededNumbers;
	readonly #notes = new Map<string, WitnessedPair>();
	/** Requests that were answered, with their answers. */
	readonly #asked: { again: () => Promise<unknown>; answer: unknown }[] = [];

	constructor(player: Player, numbers: SeededNumbers) {
		this.#player = player;
		this.#numbers = numbers;
	}

	async act(): Promise<void> {
		const { token } = this.#player;
		const act = this.#numbers.below(10);
		if (act < 4) return await this.#ask(() => this.#play('coin-flip', 'heads', freshId()));
		if (act < 6) {
			const [open] = (await server.result('getOpenRounds', {}, token)).rounds;
			if (!open) return await this.#ask(() => this.#play('mines', '5', freshId()));
			const asked = { roundId: open.roundId, action: this.#numbers.from(open.next), clientRequestId: freshId() };
			return await this.#ask(() => async () => (await server.call('actInRound', asked, token)).body.result);
		}
		if (act < 8) {
			const clientSeed = randomBytes(8).toString('hex');
			const note = await noted(this.#player, clientSeed);
			this.#notes.set(`${note.commitment} ${clientSeed}`, note);
			const asked = async () => (await server.call('rotateSeeds', note, token)).body.result?.seeds;
			const begun = await asked();
			// A repetition is answered alike for as long as the pair is in use.
			const again = await asked();
			if (begun && again) expect(again).toEqual(begun);
			return;
		}
		const earlier = this.#asked.at(-1 - this.#numbers.below(5));
		if (earlier) expect(await earlier.again()).toEqual(earlier.answer);
	}

	#play(game: string, bet: string, clientRequestId: string) {
		const asked = { game, bets: [{ bet, stake: 10 }], clientRequestId };
		return async () => (await server.call('playRound', asked, this.#player.token)).body.result;
	}

	async #ask(made: () => () => Promise<unknown>): Promise<void> {
		const again = made();
		const answer = await again();
		if (answer) this.#asked.push({ again, answer });
	}

	/** Ends what is open, reveals everything, and compares all rounds with their seeds, pair by pair. */
	async expectOneOrder(): Promise<void> {
		const { token } = this.#player;
		for (;;) {
			const [open] = (await server.result('getOpenRounds', {}, token)).rounds;
			if (!open) break;
			const action = open.next.at(-1) ?? '';
			await server.result('actInRound', { roundId: open.roundId, action, clientRequestId: freshId() }, token);
		}
		const { seeds: last } = await server.beginSeeds(this.#player);
		const rounds = (await server.result('getRounds', { maxResultCount: '200' }, token)).items;
		for (let pair = 1; pair < last.pair; pair++) {
			const own = rounds.filter((round) => round.pair === pair);
			const revealed = await this.#revealed(pair, own[0]?.roundId);
			if (!revealed) continue;
			expect(
				nonceFaults(
					own.map(({ nonce }) => nonce ?? -1),
					revealed.rounds,
				),
			).toEqual({ missing: [], repeated: [] });
			if (pair > 1) expect(this.#notes.has(`${revealed.commitment} ${revealed.clientSeed}`)).toBe(true);
			expect(commitmentOf(revealed.serverSeed ?? '')).toBe(revealed.commitment);
		}
		// Ids rise in the order of the ledger, and with them pairs and nonces.
		const ordered = rounds.toSorted((one, other) => Number(one.roundId) - Number(other.roundId));
		const places = ordered.map(({ pair, nonce }) => (pair ?? 0) * 1_000 + (nonce ?? 0));
		expect(places).toEqual(places.toSorted((one, other) => one - other));
	}

	async #revealed(pair: number, roundId: string | undefined): Promise<Seeds | null> {
		if (roundId === undefined) return null;
		const { seeds } = await server.result('getRound', { roundId }, this.#player.token);
		expect(seeds).toMatchObject({ pair, serverSeed: expect.any(String) });
		return seeds;
	}
}

const freshId = (): string => randomUUID();

onSeeds(
	[1, 2, 3],
	'two devices that play, repeat and rotate in any order come to one order, seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const devices = new Devices(await server.demoGambler(), numbers);
		for (let step = 0; step < 60; step++)
			await Promise.all(Array.from({ length: 1 + numbers.below(2) }, () => devices.act()));
		await devices.expectOneOrder();
	},
	'thorough',
);
