/** Rounds with turns that their players leave: held money meanwhile, and an end by the rule that the game states. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { gameOf } from '#games/all-games.ts';
import { resultOf } from '#games/round-result.ts';
import { moneyAtRisk } from '#server/money/funds/money-at-risk.ts';
import { HOUR_MS } from '#values/time.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { adjust } from '../support/adjustment.ts';
import { expectSound } from '../support/audit.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

type Round = ResultOf<Calls['playRound']>['round'];
type Shown = ResultOf<Calls['getRound']>['round'];
const STAKE = 500;

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

/** As if that many hours had passed since the last decision of every round. */
const afterHours = (hours: number) => {
	const { casino, exchange } = server.running;
	return casino.leftRounds.check(exchange.now() + hours * HOUR_MS);
};
const begin = async (player: Player, game: string, bet = ''): Promise<Round> =>
	(
		await server.result(
			'playRound',
			{ game, bets: [{ bet, stake: STAKE }], clientRequestId: randomUUID() },
			player.token,
		)
	).round;
const act = async (player: Player, { roundId }: Round, action: string) =>
	(await server.result('actInRound', { roundId, action, clientRequestId: randomUUID() }, player.token)).round;
const shown = async (player: Player, { roundId }: Pick<Round, 'roundId'>): Promise<Shown> =>
	(await server.result('getRound', { roundId }, player.token)).round;
/** A round with turns that goes on, of a player of its own. */
async function open(game: string, bet?: string): Promise<{ player: Player; round: Round }> {
	for (;;) {
		const player = await signUp(server);
		await server.beginSeeds(player);
		const round = await begin(player, game, bet);
		if (round.state === 'OPEN') return { player, round };
	}
}
async function minesWithOneSafe(): Promise<{ player: Player; round: Round }> {
	for (;;) {
		const { player, round } = await open('mines', '1');
		const next = await act(player, round, 'open-0');
		if (next.state === 'OPEN') return { player, round: next };
	}
}
/** What a verifier computes from the revealed seeds. */
async function verified(player: Player, round: Shown) {
	const game = gameOf(round.game);
	const { revealed } = await server.beginSeeds(player);
	const seeds = {
		serverSeed: revealed?.serverSeed ?? '',
		clientSeed: revealed?.clientSeed ?? '',
		nonce: round.nonce ?? 0,
	};
	if (!game || game.kind === 'crash') throw expect.unreachable();
	return resultOf(game, seeds, { choice: round.bets[0]?.bet ?? '', actions: round.actions });
}

it('a day after the last decision a cashable round is cashed out, another hand stands, and an untouched stake goes back', async () => {
	const [mines, hiLo, hand] = [await minesWithOneSafe(), await open('hi-lo'), await open('blackjack')];
	await afterHours(23);
	for (const { player, round } of [mines, hiLo, hand]) expect((await shown(player, round)).state).toBe('OPEN');
	// Several checks at one instant end each round once.
	await Promise.all([afterHours(25), afterHours(25)]);
	const [cashed, returned, stood] = [
		await shown(mines.player, mines.round),
		await shown(hiLo.player, hiLo.round),
		await shown(hand.player, hand.round),
	];
	const { pays } = mines.round.shown as { pays: number };
	expect(cashed).toMatchObject({ state: 'SETTLED', actions: ['open-0', 'cash-out'], payout: (STAKE * pays) / 100 });
	expect(returned).toMatchObject({ state: 'VOID', actions: [], payout: STAKE, next: [] });
	expect(stood).toMatchObject({ state: 'SETTLED', actions: ['stand'], next: [] });
	for (const [{ player }, round] of [
		[mines, cashed],
		[hiLo, returned],
		[hand, stood],
	] as const) {
		expect(server.money(player)[0]).toBe(20_000 - STAKE + round.payout);
		const seeds = await verified(player, round);
		expect(seeds.outcome).toEqual(round.outcome);
		if (round.state === 'SETTLED') expect(seeds.result).toBe(round.result);
		// After the seeds have changed, it is still shown.
		expect((await shown(player, round)).outcome).toEqual(round.outcome);
		const risks = await moneyAtRisk(server.database.db, server.running.exchange, player.userId);
		expect(risks.map(({ amount }) => amount)).toEqual(round.state === 'VOID' ? [] : [STAKE * 100]);
	}
});

it('a decision of the player at that instant counts or is refused, and one that comes later is refused', async () => {
	const { player, round } = await minesWithOneSafe();
	await Promise.allSettled([act(player, round, 'cash-out'), afterHours(25)]);
	const { actions, payout } = await shown(player, round);
	expect([actions, server.money(player)[0]]).toEqual([['open-0', 'cash-out'], 20_000 - STAKE + payout]);
	const late = await minesWithOneSafe();
	await afterHours(25);
	const { code } = await server.call(
		'actInRound',
		{ roundId: late.round.roundId, action: 'open-1', clientRequestId: randomUUID() },
		late.player.token,
	);
	expect(code).toBe('UNKNOWN_ROUND');
});

it('a server that starts later ends what was left before', async () => {
	const { player, round } = await minesWithOneSafe();
	await server.stop();
	server = await TestServer.start(server.database);
	await afterHours(25);
	expect(await shown(player, round)).toMatchObject({ state: 'SETTLED', actions: ['open-0', 'cash-out'] });
});

it('members see of each game what the house made of it, with doubled hands and without stakes that went back', async () => {
	const player = await signUp(server);
	await server.beginSeeds(player);
	const names = ['Blackjack', 'Mines', 'HiLo'];
	/** What the house made of each game, by the report and by the list of games. */
	const made = async (): Promise<number[][]> => {
		const today = dayOf(server.running.exchange.now(), HOME_ZONE);
		const period = { from: dayName(today - 1), to: dayName(today + 1), by: 'game' } as const;
		const profits = await server.act<{ group: string; ggr: number }[]>('report-profit', period);
		const games = await server.act<{ name: string; house: number }[]>('casino-games', {});
		return names.map((name) => [
			profits.find(({ group }) => group === name)?.ggr ?? 0,
			games.find((game) => game.name === name)?.house ?? 0,
		]);
	};
	const before = await made();
	const lost = () => 20_000 - server.money(player)[0];
	for (let doubled = 0; doubled < 3 || lost() === 0; ) {
		let round = await begin(player, 'blackjack');
		if (round.next.includes('double')) {
			round = await act(player, round, 'double');
			doubled++;
		}
		while (round.state === 'OPEN') round = await act(player, round, 'stand');
	}
	const ofHands = lost();
	for (const game of ['mines', 'hi-lo']) {
		await begin(player, game, game === 'mines' ? '1' : '');
		await afterHours(25);
	}
	const since = (await made()).map((sums, at) => sums.map((sum, by) => sum - (before[at]?.[by] ?? 0)));
	expect(since).toEqual([ofHands, 0, 0].map((sum) => [expect.closeTo(sum, 6), expect.closeTo(sum, 6)]));
});

it('money in an open round is held money: it is named, and counts against the daily coins', async () => {
	const { player, round } = await open('blackjack');
	const held = await server.result('getHeldMoney', {}, player.token);
	expect(held.rounds).toMatchObject([{ roundId: round.roundId, game: 'Blackjack', held: STAKE }]);
	const page = await server.act<{ held: unknown[] }>('player', { playerId: String(player.userId) });
	expect(page.held).toEqual([{ what: `Blackjack, round ${round.roundId}`, amount: STAKE }]);
	const info = await server.result('getPaymentInfo', {}, player.token);
	expect(info.withdrawal.heldBack).toContainEqual({ reason: 'OPEN_ROUNDS', amount: STAKE });
	const [cash] = server.money(player);
	await adjust(server, player, 100 - cash);
	// ₹100 in cash and ₹500 in the round are missing to the floor.
	expect(await server.result('getDailyCoins', {}, player.token)).toMatchObject({ amount: 5_000 - 100 - STAKE });
});
