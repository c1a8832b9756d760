/**
 * The limits of a round hold for all of a player's bets together, however they are split: random bets in every game, as the
 * game's own definition pays them.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import { crashPayout, type FlyingBet, targetCents } from '#games/crash/cash-outs.ts';
import type { Draw } from '#games/fair-draw.ts';
import { NONE } from '#games/fraction.ts';
import { type InstantGame, payoutOf, type RoundGame, type TableGame } from '#games/game.ts';
import { houseRulesOf } from '#games/house-rules.ts';
import { CrashGame } from '#server/money/casino/crash/crash-game.ts';
import { ChipRisks } from '#server/money/casino/dealt/chip-risk.ts';
import type { Player as Gambler } from '#server/money/casino/game-wallet.ts';
import { leastLoss } from '#server/money/casino/rounds.ts';
import { Refused } from '#values/error-catalogue.ts';
import {
	LARGEST_PAYOUT_MINOR,
	LARGEST_STAKE_MINOR,
	LEAST_ROUND_LOSS_MINOR,
	LEAST_STAKE_MINOR,
} from '#values/house-limits.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { Table } from '../support/tables.ts';

const ROUNDS = 25;
const OUTCOMES = 150;

type Chip = { bet: string; stake: number };

const gambler = (walletId: number): Gambler => ({ walletId, pool: 'PLAY' });
const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
const drawBy =
	(numbers: SeededNumbers): Draw =>
	(bound) =>
		numbers.below(bound);

function paidBy(game: RoundGame, chips: readonly Chip[], outcome: unknown): number {
	return total(
		chips.map(({ bet: code, stake }) => {
			const bet = game.betOf(code);
			const prize = bet?.prizeOf(outcome) ?? null;
			return prize === null ? 0 : payoutOf(stake, bet?.prizes[prize]?.pays ?? NONE);
		}),
	);
}

/** Minor units, often near the limits. */
const randomStake = (numbers: SeededNumbers): number =>
	numbers.chance(50) ? 100 * (10 + numbers.below(5_000)) : 1_000_000 * (1 + numbers.below(10));

const refusalOf = (act: () => void): string | null => {
	try {
		act();
		return null;
	} catch (error) {
		if (error instanceof Refused) return error.code;
		throw error;
	}
};

describe.each(GAMES.filter((game): game is TableGame => game.kind === 'table'))('at $name', (game) => {
	it('no chips of a player win more than a round pays, and what is at risk is the largest loss', () => {
		const risks = new ChipRisks(game);
		const numbers = new SeededNumbers(game.code.length);
		let refused = 0;
		for (let round = 0; round < ROUNDS; round++) {
			const risk = risks.newRisk();
			const taken = new Map<number, Chip[]>([1, 2].map((walletId) => [walletId, []]));
			for (let at = 0; at < 12; at++) {
				const walletId = 1 + numbers.below(2);
				const bet = numbers.chance(40) ? (game.bets[0]?.code ?? '') : numbers.from(game.bets).code;
				const bets = [{ bet, stake: randomStake(numbers) }];
				const asked = { player: gambler(walletId), stake: bets[0]?.stake ?? 0, terms: { bets } };
				if (refusalOf(() => risk.add(asked)) === null) taken.get(walletId)?.push(...bets);
				else refused++;
			}
			const outcomes = Array.from({ length: OUTCOMES }, () => game.outcomeOf(drawBy(numbers)));
			for (const [walletId, chips] of taken) {
				const staked = total(chips.map(({ stake }) => stake));
				expect(staked).toBeLessThanOrEqual(LARGEST_STAKE_MINOR);
				const paid = outcomes.map((outcome) => paidBy(game, chips, outcome));
				expect(Math.max(...paid)).toBeLessThanOrEqual(LARGEST_PAYOUT_MINOR);
				const atRisk = risks.lossOf([{ player: gambler(walletId), stake: staked, terms: { bets: chips } }]);
				// Each payout is rounded down to a minor unit.
				expect(staked - Math.min(...paid)).toBeLessThanOrEqual(atRisk + chips.length);
				expect(atRisk).toBeLessThanOrEqual(staked);
			}
		}
		expect(refused).toBeGreaterThan(0);
	});
});

it('bets that even out at roulette risk what zero takes', () => {
	const game = GAMES.find(({ code }) => code === 'roulette') as TableGame;
	const bets = ['red', 'black'].map((bet) => ({ bet, stake: 100_000 }));
	const risks = new ChipRisks(game);
	expect(risks.lossOf([{ player: gambler(1), stake: 200_000, terms: { bets } }])).toBe(200_000);
	const straight = game.bets.filter((bet) => bet.prizes[0]?.pays.numerator === 36n);
	const all = straight.map(({ code }) => ({ bet: code, stake: 1_000 }));
	if (all.length === 37)
		expect(risks.lossOf([{ player: gambler(1), stake: 37_000, terms: { bets: all } }])).toBe(1_000);
});

/** Every result of a game with few of them; each draw is the number itself. */
const RESULTS: Readonly<Record<string, number>> = { 'coin-flip': 2, wheel: 20, dice: 10_000 };

mainlyEach(
	Object.keys(RESULTS).map((code) => [code] as const),
	([code]) => code !== 'dice',
)('bets of one round of %s have no more at risk than the worst result takes', (code) => {
	const game = GAMES.find((each) => each.code === code) as InstantGame;
	const numbers = new SeededNumbers(7);
	for (let round = 0; round < 40; round++) {
		const chips = Array.from({ length: 1 + numbers.below(5) }, () => ({
			bet: numbers.from(game.bets).code,
			stake: 100 * (10 + numbers.below(900)),
		}));
		const named = chips.map(({ bet, stake }) => ({ code: bet, stake, bet: game.betOf(bet) ?? expect.unreachable() }));
		const staked = total(chips.map(({ stake }) => stake));
		const results = Array.from({ length: RESULTS[code] ?? 0 }, (_, at) => game.outcomeOf(() => at));
		const worst = staked - Math.min(...results.map((outcome) => paidBy(game, chips, outcome)));
		expect(leastLoss(named)).toBeLessThanOrEqual(Math.max(0, worst));
		if (new Set(chips.map(({ bet }) => bet)).size === 1) expect(leastLoss(named)).toBe(worst);
	}
});

describe('at Crash', () => {
	it('both bets of a player are together within the stake and the payout of a round', () => {
		const numbers = new SeededNumbers(3);
		for (let round = 0; round < 500; round++) {
			const risk = new CrashGame(() => undefined).newRisk();
			const stakes = [randomStake(numbers), randomStake(numbers)].filter(
				(stake) => refusalOf(() => risk.add({ player: gambler(1), stake, terms: { autoCents: null } })) === null,
			);
			const staked = total(stakes);
			expect(staked).toBeLessThanOrEqual(LARGEST_STAKE_MINOR);
			const flying = stakes.map((stake): FlyingBet => ({ stake, staked, autoCents: null }));
			expect(total(flying.map((bet) => crashPayout(bet.stake, targetCents(bet))))).toBeLessThanOrEqual(
				LARGEST_PAYOUT_MINOR,
			);
		}
	});
});

it('leaves three fifths of what the house can lose in a round to other players', () => {
	expect(LARGEST_PAYOUT_MINOR).toBeLessThanOrEqual((LEAST_ROUND_LOSS_MINOR * 2) / 5);
});

it.each(GAMES)('$name says what holds for its rounds', (game) => {
	const rules = houseRulesOf(game).join(' ');
	for (const [currency, mostStaked, mostPaid] of [
		['INR', '₹1,00,000', '₹10,00,000'],
		['EUR', '€1,000', '€10,000'],
		['JPY', '¥200,000', '¥2,000,000'],
	] as const) {
		const said = houseRulesOf(game, currency).join(' ');
		expect(said).toContain(`${game.kind === 'turns' ? 'it is' : 'they are'} ${mostStaked} at most`);
		expect(said).toMatch(new RegExp(`(paid|more than) ${mostPaid}\\b`));
	}
	expect(rules).toBe(houseRulesOf(game, 'INR').join(' '));
	expect(rules.includes('24 hours')).toBe(game.kind === 'turns');
	const times = /takes bets for (\d+) seconds or a few more.* dealt within 14 seconds.* begins 5 seconds after/.exec(
		rules,
	);
	expect(times?.[1]).toBe(game.kind === 'table' ? String(game.windowMs / 1_000) : undefined);
	expect(rules.includes('cashed out at that multiplier')).toBe(game.kind === 'crash');
});

describe('on a server', () => {
	let server: TestServer;
	beforeAll(async () => {
		server = await TestServer.start(undefined, { tableSpeed: 6 });
		await server.act('brand-set', { host: 'localhost', field: 'signUpCoins', value: '10000000' });
	});
	afterAll(async () => {
		await server.stop();
		await expectSound(server.database.db);
		await server.database.drop();
	});

	const play = (player: Player, game: string, bets: Chip[]) =>
		server.call('playRound', { game, bets, clientRequestId: randomUUID() }, player.token);
	const ask = (player: Player, bets: Chip[]) =>
		server.call('placeTableBet', { game: 'roulette', bets, clientRequestId: randomUUID() }, player.token);
	const limitStake = async (player: Player, stake: number) => await server.result('setLimits', { stake }, player.token);

	it.each([
		// A coin pays too little for the largest win to come before the largest stake.
		['coin-flip', 'heads', 'STAKE_TOO_LARGE'],
		['dice', 'under-100', 'WIN_TOO_LARGE'],
		['plinko', '16-high', 'WIN_TOO_LARGE'],
		['keno', '1.2.3', 'WIN_TOO_LARGE'],
		['limbo', 'target-10000', 'WIN_TOO_LARGE'],
		['wheel', 'high', 'WIN_TOO_LARGE'],
	])('forty equal bets in one round of %s are one bet', async (code, bet, refusal) => {
		const player = await signUp(server);
		await server.beginSeeds(player);
		const game = GAMES.find((each) => each.code === code) as InstantGame;
		const forty = (stake: number) => Array.from({ length: 40 }, () => ({ bet, stake }));
		const [before] = server.money(player);
		expect((await play(player, code, forty(100_000))).code).toBe('STAKE_TOO_LARGE');
		const pays = game.betOf(bet)?.prizes ?? [];
		const most = Math.max(...pays.map((prize) => payoutOf(100_000, prize.pays))) / 100_000;
		const tooMuch = Math.ceil(1_000_000 / 40 / most) + 1;
		expect((await play(player, code, forty(tooMuch))).code).toBe(refusal);
		expect(server.money(player)[0]).toBe(before);
		expect((await play(player, code, forty(10))).code).toBeNull();
	});

	it('chips that are added one by one are together within the player’s own limit, and within that of the round', {
		tags: 'thorough',
	}, async () => {
		const player = await signUp(server);
		await limitStake(player, 500);
		const roulette = new Table(server, 'roulette');
		const codes = await roulette.whileBetting(async () => {
			const [one, other, third] = [
				await ask(player, [{ bet: 'red', stake: 300 }]),
				await ask(player, [{ bet: 'black', stake: 200 }]),
				await ask(player, [{ bet: 'red', stake: 10 }]),
			];
			return [one, other, third].map(({ code }) => code);
		});
		expect(codes).toEqual([null, null, 'STAKE_LIMIT']);
		const rich = await signUp(server);
		const many = await roulette.whileBetting(() =>
			Promise.all(['red', 'black', 'red'].map((bet) => ask(rich, [{ bet, stake: 40_000 }]))),
		);
		// Which of them comes last is the network's choice.
		const answers = many.map(({ code }) => code ?? 'placed');
		expect(answers.sort()).toEqual(['STAKE_TOO_LARGE', 'placed', 'placed']);
	});

	it('the doubled stake of a hand counts with the first', async () => {
		const doubledAfter = async (stake: number, limit: number | null) => {
			for (;;) {
				const player = await signUp(server);
				await server.beginSeeds(player);
				if (limit !== null) await limitStake(player, limit);
				const { body } = await play(player, 'blackjack', [{ bet: '', stake }]);
				const round = body.result?.round;
				if (round?.state !== 'OPEN') continue;
				const asked = { roundId: round.roundId, action: 'double', clientRequestId: randomUUID() };
				const { code } = await server.call('actInRound', asked, player.token);
				const { rounds } = await server.result('getOpenRounds', {}, player.token);
				// A refused decision leaves the hand as it was.
				if (code !== null) expect(rounds).toMatchObject([{ stake, actions: [] }]);
				return code;
			}
		};
		expect(await doubledAfter(60_000, null)).toBe('STAKE_TOO_LARGE');
		expect(await doubledAfter(300, 500)).toBe('STAKE_LIMIT');
		expect(await doubledAfter(250, 500)).toBeNull();
		expect(await doubledAfter(LEAST_STAKE_MINOR / 100, null)).toBeNull();
	});

	it('both slots of Crash are together within the player’s own limit', { tags: 'thorough' }, async () => {
		const player = await signUp(server);
		await limitStake(player, 500);
		const bet = (slot: 1 | 2, stake: number) =>
			server.call('placeCrashBet', { slot, stake, autoCents: null, clientRequestId: randomUUID() }, player.token);
		// What comes too late waits for the next round, where the limit starts again.
		for (;;) {
			const first = await bet(1, 300);
			const second = await bet(2, 210);
			if (second.code === 'STAKE_LIMIT') break;
			const state = async () => (await server.result('getCrash', {}, player.token)).mine;
			for (const { body } of [first, second])
				await server.call('cancelCrashBet', { betId: body.result?.bet.betId ?? '' }, player.token);
			expect((await state()).filter((own) => own.state === 'OPEN').length).toBeLessThan(2);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	});
});
