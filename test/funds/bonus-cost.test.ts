/** What campaigns cost at most, whatever players back and lay, and the kinds of bonus beside the locked ones. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { netLoss } from '#server/money/funds/bonuses/cashback.ts';
import { DAY_MS } from '#values/time.ts';
import { dayOf, dayStart, HOME_ZONE } from '#values/zoned-calendar.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { Table } from '../support/tables.ts';

const BUDGET = 300;
const CAMPAIGNS = [
	{ id: 'welcome', title: 'Welcome', kind: 'WELCOME', amount: 100, wagering: 3, budget: BUDGET },
	{ id: 'large', title: 'Large', kind: 'WELCOME', amount: 10_000, wagering: 10, budget: 1_000_000 },
	{ id: 'mixed', title: 'Mixed', kind: 'WELCOME', amount: 10_000, wagering: 10, sportsWeight: 50, casinoWeight: 20 },
	{ id: 'free-bet', title: 'Free bet', kind: 'FREE_BET', amount: 500 },
	{ id: 'coins', title: 'Coins', kind: 'FREE_COINS', amount: 50, budget: 100 },
	{ id: 'cashback', title: 'Cashback', kind: 'CASHBACK', amount: 1_000, percent: 10, period: 1 },
];
let server: TestServer;
let bank: Player;
beforeAll(async () => {
	server = await TestServer.start(undefined, {
		payments: { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} },
		tableSpeed: 6,
	});
	await server.act('brand-set', { host: 'localhost', field: 'campaigns', value: JSON.stringify(CAMPAIGNS) });
	bank = await signUp(server);
	await server.act('brand-set', { host: 'localhost', field: 'signUpCoins', value: '20000' });
});
afterAll(async () => {
	await server.stop();
	// The seals of the ledger know when everything was posted.
	for (const { userId, until, byMs } of moved) await movePostings(userId, until, byMs);
	await expectSound(server.database.db);
	await server.database.drop();
});

/** Players whose results are a day or more earlier for a test, up to that batch. */
const moved: { userId: number; until: number; byMs: number }[] = [];
async function movePostings(userId: number, until: number, byMs: number): Promise<void> {
	const { db } = server.database;
	const values = [userId, until, byMs];
	await db.query('update posting set at = at + $3::bigint where wallet_id = $1 and batch <= $2', values);
}

const claim = async (player: Player, id: string) => (await server.call('claimBonus', { id }, player.token)).code;
const bonusOf = async (player: Player, title: string) =>
	(await server.result('getBonuses', {}, player.token)).find((bonus) => bonus.title === title);
const statusOf = async (player: Player, title: string) => (await bonusOf(player, title))?.status;
const walletOf = ({ userId }: Player) => server.running.exchange.wallet(userId);

interface Position {
	stake: number;
	/** Hundredths. */
	price: number;
	side: 'BACK' | 'LAY';
	/** Of the two. */
	runner: number;
}

/** A bet that another player takes whole. */
async function matched(match: TestMatch, player: Player, { stake, price, side, runner }: Position, other = bank) {
	const opposite = side === 'BACK' ? 'LAY' : 'BACK';
	const about = { stake, price: price / 100, runnerId: match.runnerIds[runner] };
	await server.result('placeBetV2', betOn(match, { ...about, side }), player.token);
	await server.result('placeBetV2', betOn(match, { ...about, side: opposite }), other.token);
}

/** The cost of the worse of the two outcomes. */
function worst(bets: readonly Position[]): number {
	const results = [0, 1].map((winner) =>
		bets.reduce((sum, { stake, price, side, runner }) => {
			const back = runner === winner ? (stake * (price - 100)) / 100 : -stake;
			return sum + (side === 'BACK' ? back : -back);
		}, 0),
	);
	return Math.max(0, -Math.min(...results));
}

const randomBet = (numbers: SeededNumbers): Position => ({
	stake: 10 + numbers.below(90),
	price: numbers.from([160, 200, 250, 300]),
	side: numbers.chance(50) ? 'BACK' : 'LAY',
	runner: numbers.below(2),
});

onSeeds(
	[1, 2, 3],
	'random backing and laying in several markets counts what each could have lost, %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const player = await signUp(server);
		const before = await openTestMatch(server);
		const early = randomBet(numbers);
		await matched(before, player, early);
		expect(await claim(player, 'large')).toBeNull();
		const markets: { match: TestMatch; early: Position[]; bets: Position[] }[] = [
			{ match: before, early: [early], bets: [] },
			{ match: await openTestMatch(server), early: [], bets: [] },
			{ match: await openTestMatch(server), early: [], bets: [] },
		];
		for (let at = 0; at < 9; at++) {
			const market = numbers.from(markets);
			const bet = randomBet(numbers);
			await matched(market.match, player, bet);
			market.bets.push(bet);
		}
		const done = async () => (await bonusOf(player, 'Large'))?.wageringDone;
		let expected = 0;
		for (const { match, early: placed, bets } of markets) {
			await match.settle(numbers.below(2));
			// A bet may hedge one from before the claim, so such an event counts nothing.
			if (placed.length === 0) expected += worst(bets);
			expect(await done()).toBeCloseTo(expected, 6);
		}
		// A market that is reopened takes its share back; one that is void counts nothing.
		const { match, bets } = markets[1] ?? expect.unreachable();
		await server.act('reopen', { marketId: match.marketId });
		await server.act('void', { marketId: match.marketId });
		expect(await done()).toBeCloseTo(expected - worst(bets), 6);
	},
);

it('no strategy of many players gets more out of a campaign than its budget', async () => {
	const numbers = new SeededNumbers(7);
	const players: Player[] = [];
	for (let count = 0; count < 5; count++) players.push(await signUp(server));
	const claimed = await Promise.all(players.map((player) => claim(player, 'welcome')));
	expect(claimed.filter((code) => code === null)).toHaveLength(BUDGET / 100);
	for (let round = 0; round < 3; round++) {
		const match = await openTestMatch(server);
		for (const player of players) {
			const runner = numbers.below(2);
			await matched(match, player, { stake: 120, price: 200, side: 'BACK', runner });
			if (numbers.chance(30)) await matched(match, player, { stake: 120, price: 200, side: 'LAY', runner });
		}
		await match.settle(numbers.below(2));
	}
	const released = async () => {
		const { rows } = await server.database.db.query<{ minor: number }>(
			`select coalesce(sum(amount), 0)::bigint as minor from posting where kind = 'BONUS' and debit = 'bonus' and credit = 'cash'`,
		);
		return (rows[0]?.minor ?? 0) / 100;
	};
	await expect.poll(released).toBeGreaterThan(0);
	expect(await released()).toBeLessThanOrEqual(BUDGET);
	for (const player of players) await claim(player, 'welcome');
	expect(await released()).toBeLessThanOrEqual(BUDGET);
});

it('what linked accounts match with each other counts nothing, and hedges what counts', async () => {
	const player = await signUp(server);
	const linked = await signUp(server, { mobile: player.mobile });
	expect(await claim(player, 'large')).toBeNull();
	const [alone, hedged] = [await openTestMatch(server), await openTestMatch(server)];
	await matched(alone, player, { stake: 100, price: 200, side: 'BACK', runner: 0 }, linked);
	await matched(hedged, player, { stake: 100, price: 200, side: 'BACK', runner: 0 });
	await matched(hedged, player, { stake: 100, price: 200, side: 'LAY', runner: 0 }, linked);
	await alone.settle(0);
	await hedged.settle(0);
	expect((await bonusOf(player, 'Large'))?.wageringDone).toBe(0);
});

describe('of a campaign with weights', () => {
	const weighed = (amount: number, percent: number) => Math.floor(amount * percent) / 100;
	const done = async (player: Player) => (await bonusOf(player, 'Mixed'))?.wageringDone;

	onSeeds([1, 2], 'markets and rounds count by theirs, whatever was won, %i', async (seed) => {
		const numbers = new SeededNumbers(seed);
		const player = await signUp(server);
		await server.beginSeeds(player);
		const play = (bets: { bet: string; stake: number }[]) =>
			server.result('playRound', { game: 'coin-flip', bets, clientRequestId: randomUUID() }, player.token);
		await play([{ bet: 'heads', stake: 500 }]);
		expect(await claim(player, 'mixed')).toBeNull();
		let [risked, staked] = [0, 0];
		for (let at = 0; at < 8; at++) {
			const stake = 10 + numbers.below(500);
			if (numbers.chance(20)) {
				const match = await openTestMatch(server);
				await matched(match, player, { stake, price: 200, side: 'BACK', runner: 0 });
				await match.settle(numbers.below(2));
				risked += stake;
			} else {
				await play([{ bet: numbers.from(['heads', 'tails']), stake }]);
				staked += stake;
			}
			expect(await done(player)).toBeCloseTo(weighed(risked, 50) + weighed(staked, 20), 6);
		}
		expect(await bonusOf(player, 'Mixed')).toMatchObject({ sportsWeight: 50, casinoWeight: 20 });
	});

	it('both colours of one round count together, however they were placed', { tags: 'thorough' }, async () => {
		const player = await signUp(server);
		expect(await claim(player, 'mixed')).toBeNull();
		const place = (bet: string) => {
			const asked = { game: 'roulette', bets: [{ bet, stake: 300 }], clientRequestId: randomUUID() };
			return server.result('placeTableBet', asked, player.token);
		};
		const roulette = new Table(server, 'roulette');
		let rounds: string[];
		do {
			await roulette.opening();
			const bets = [(await place('red')).bet, (await place('black')).bet];
			rounds = bets.map(({ round }) => round);
			for (const { betId } of bets)
				await expect
					.poll(async () => (await server.result('getRound', { roundId: betId }, player.token)).round.state, {
						timeout: 20_000,
					})
					.toBe('SETTLED');
		} while (rounds[0] !== rounds[1]);
		// Zero loses both colours; what is on one of them alone can be lost by itself.
		const { items } = await server.result('getRounds', { game: 'roulette' }, player.token);
		expect(await done(player)).toBeCloseTo(weighed(300 * items.length, 20), 6);
	});
});

describe('a free bet', () => {
	const withFreeBet = async (stake: number, winner: number) => {
		const player = await signUp(server);
		expect(await claim(player, 'free-bet')).toBeNull();
		const match = await openTestMatch(server);
		await matched(match, player, { stake, price: 300, side: 'BACK', runner: 0 });
		await match.settle(winner);
		return player;
	};

	it('that is lost gives its stake back, once', async () => {
		const player = await withFreeBet(500, 1);
		await expect.poll(() => statusOf(player, 'Free bet')).toBe('RELEASED');
		expect(server.money(player)).toEqual([20_000, 0]);
		const again = await openTestMatch(server);
		await matched(again, player, { stake: 500, price: 300, side: 'BACK', runner: 0 });
		await again.settle(1);
		expect(await claim(player, 'free-bet')).toBe('ALREADY_CLAIMED');
		expect(server.money(player)).toEqual([19_500, 0]);
	});

	it('that is won gives nothing beside the win', async () => {
		const player = await withFreeBet(500, 0);
		await expect.poll(() => statusOf(player, 'Free bet')).toBe('EXPIRED');
		expect([server.money(player)[0], walletOf(player)?.bonus]).toEqual([21_000 - commissionOf(1_000), 0]);
	});

	it('waits for a market in which the whole amount is risked, and gives back no more than was lost', async () => {
		const player = await withFreeBet(400, 1);
		expect(await statusOf(player, 'Free bet')).toBe('ACTIVE');
		const match = await openTestMatch(server);
		await matched(match, player, { stake: 600, price: 200, side: 'BACK', runner: 0 });
		await match.settle(1);
		await expect.poll(() => statusOf(player, 'Free bet')).toBe('RELEASED');
		expect(server.money(player)).toEqual([20_000 - 400 - 600 + 500, 0]);
	});
});

/** Of a net win, at the rate of the test's market. */
const commissionOf = (win: number): number => win * 0.02;

it('free coins are cash at once, once for a person and within the budget', async () => {
	const player = await signUp(server);
	expect(await claim(player, 'coins')).toBeNull();
	expect(server.money(player)).toEqual([20_050, 0]);
	expect(await statusOf(player, 'Coins')).toBe('RELEASED');
	expect(await claim(player, 'coins')).toBe('ALREADY_CLAIMED');
	const sameMobile = await signUp(server, { mobile: player.mobile });
	expect(await claim(sameMobile, 'coins')).toBe('ALREADY_CLAIMED');
	const others = [await signUp(server), await signUp(server)];
	const codes = await Promise.all(others.map((other) => claim(other, 'coins')));
	expect(codes.sort()).toEqual(['BONUS_NOT_CLAIMABLE', null].sort());
});

describe('cashback', () => {
	/** As if the day were over, or more than that. */
	const aDayLater = async ({ userId }: Player, byMs = DAY_MS) => {
		const { rows } = await server.database.db.query<{ until: number }>('select batch as until from lease');
		const until = rows[0]?.until ?? 0;
		moved.push({ userId, until, byMs });
		await movePostings(userId, until, -byMs);
	};

	/** Two lengths whose last periods have a day in common, and that day. */
	function overlappingPeriods(): { lengths: [number, number]; day: number } {
		const today = dayOf(Date.now(), HOME_ZONE);
		const endOfLast = (days: number) => today - (today % days);
		for (const lengths of [
			[9, 10],
			[8, 9],
		] as [number, number][]) {
			const day = Math.max(...lengths.map((days) => endOfLast(days) - days));
			if (day < Math.min(...lengths.map(endOfLast))) return { lengths, day };
		}
		return expect.unreachable();
	}

	it('returns a part of the net loss of the period that is over, once for each', async () => {
		const player = await signUp(server);
		const [lost, won] = [await openTestMatch(server), await openTestMatch(server)];
		await matched(lost, player, { stake: 1_000, price: 200, side: 'BACK', runner: 0 });
		await matched(won, player, { stake: 100, price: 200, side: 'LAY', runner: 0 });
		await lost.settle(1);
		await won.settle(1);
		expect(await bonusOf(player, 'Cashback')).toMatchObject({
			amount: 0,
			note: 'Nothing was lost in the last period.',
		});
		await aDayLater(player);
		const loss = 1_000 - 100 + commissionOf(100);
		const [before] = server.money(player);
		expect(await claim(player, 'cashback')).toBeNull();
		expect(server.money(player)[0] - before).toBeCloseTo(loss / 10, 6);
		expect(await claim(player, 'cashback')).toBe('ALREADY_CLAIMED');
	});

	it('returns no loss twice when its periods become longer or shorter', async () => {
		const { lengths, day } = overlappingPeriods();
		const setPeriod = (period: number) => {
			const campaigns = CAMPAIGNS.map((campaign) => (campaign.id === 'cashback' ? { ...campaign, period } : campaign));
			return server.act('brand-set', { host: 'localhost', field: 'campaigns', value: JSON.stringify(campaigns) });
		};
		for (const [first, second] of [lengths, lengths.toReversed()]) {
			const player = await signUp(server);
			const match = await openTestMatch(server);
			await matched(match, player, { stake: 1_000, price: 200, side: 'BACK', runner: 0 });
			await match.settle(1);
			await aDayLater(player, Date.now() - dayStart(day, HOME_ZONE) - DAY_MS / 2);
			await setPeriod(first ?? 0);
			expect(await bonusOf(player, 'Cashback')).toMatchObject({ amount: 100 });
			expect(await claim(player, 'cashback')).toBeNull();
			await setPeriod(second ?? 0);
			expect(await claim(player, 'cashback')).toBe('BONUS_NOT_CLAIMABLE');
		}
		await setPeriod(1);
	});

	it('returns nothing more of a loss when its market is settled again later', async () => {
		const player = await signUp(server);
		const match = await openTestMatch(server);
		await matched(match, player, { stake: 1_000, price: 200, side: 'BACK', runner: 0 });
		await match.settle(1);
		await aDayLater(player);
		expect(await claim(player, 'cashback')).toBeNull();
		await server.act('reopen', { marketId: match.marketId });
		await server.act('settle', { marketId: match.marketId, winners: ['Nepal'] });
		const { userId } = player;
		const tomorrow = { fromMs: Date.now() - DAY_MS / 2, toMs: Date.now() + DAY_MS / 2 };
		expect(await netLoss(server.database.db, userId, tomorrow)).toBe(0);
	});

	it('returns nothing of what was lost to a linked account that won from others beside it', async () => {
		const player = await signUp(server);
		const linked = await signUp(server, { mobile: player.mobile });
		const match = await openTestMatch(server);
		await matched(match, player, { stake: 1_000, price: 200, side: 'BACK', runner: 0 }, linked);
		await matched(match, linked, { stake: 500, price: 200, side: 'LAY', runner: 0 });
		await match.settle(1);
		await aDayLater(player);
		expect(await claim(player, 'cashback')).toBe('BONUS_NOT_CLAIMABLE');
	});

	it('returns nothing of what was lost to a linked account, and nothing to a winner', async () => {
		const player = await signUp(server);
		const linked = await signUp(server, { mobile: player.mobile });
		const match = await openTestMatch(server);
		await matched(match, player, { stake: 1_000, price: 200, side: 'BACK', runner: 0 }, linked);
		await match.settle(1);
		for (const one of [player, linked]) {
			await aDayLater(one);
			expect(await claim(one, 'cashback')).toBe('BONUS_NOT_CLAIMABLE');
		}
	});
});
