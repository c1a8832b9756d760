/**
 * Money at risk: what random sequences of bets, settlements, voids and reopenings come to, compared with a slow count of
 * every outcome; and the ways in which turnover was made without risk.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atRiskIn, emptyRound, withBet, withRefunds } from '#server/money/casino/providers/provider-rounds.ts';
import { HOUSE_TERMS } from '#server/money/casino/providers/round-terms.ts';
import { moneyAtRisk } from '#server/money/funds/money-at-risk.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, openMarketOf, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { Table } from '../support/tables.ts';

/** More than any test here wagers, so that it is not released. */
const WELCOME = { id: 'welcome', title: 'Welcome', kind: 'WELCOME', amount: 1_000, wagering: 10 };

let server: TestServer;
let bank: Player;
beforeAll(async () => {
	server = await TestServer.start(undefined, { tableSpeed: 6 });
	await server.act('brand-set', { host: 'localhost', field: 'campaigns', value: JSON.stringify([WELCOME]) });
	await server.act('brand-set', { host: 'localhost', field: 'signUpCoins', value: '1000000' });
	bank = await signUp(server);
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

/** Stops the batch that settles the player until he is let go. */
async function keptFromSettlement({ userId }: Player): Promise<{ letGo: () => Promise<void> }> {
	const { db } = server.database;
	await db.query(`create function wait_for_test() returns trigger language plpgsql as
		'begin perform pg_advisory_xact_lock(4711); return new; end'`);
	await db.query(`create trigger wait_for_test before insert on player_settlement for each row
		when (new.wallet_id = ${userId}) execute function wait_for_test()`);
	const holder = await db.connect();
	await holder.query('select pg_advisory_lock(4711)');
	const letGo = async () => {
		await holder.query('select pg_advisory_unlock(4711)');
		holder.release();
	};
	return { letGo };
}

const risksOf = ({ userId }: Player) => moneyAtRisk(server.database.db, server.running.exchange, userId);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
/** Rupees. */
const turnover = async ({ userId }: Player) => (await server.running.funds.withdrawals.turnover(userId)).wagered / 100;

const TEAMS = ['India', 'Nepal'] as const;

interface Bet {
	player: Player;
	/** By name, because markets list the same outcomes in another order. */
	team: string;
	side: 'BACK' | 'LAY';
	/** Rupees, and hundredths. */
	stake: number;
	price: number;
}

interface Market {
	of: FixtureMarket;
	/** Markets with one question have the same outcomes. */
	question: string;
	names: readonly string[];
	state: 'OPEN' | 'SETTLED' | 'VOID';
	bets: Bet[];
}

interface Event {
	match: TestMatch;
	markets: Market[];
}

async function openEvent(): Promise<Event> {
	const match = await openTestMatch(server);
	const more = (name: string, type: string, names: readonly string[]) =>
		openMarketOf(server, match, {
			name,
			type,
			runners: names.map((team) => ({ id: team, name: team })),
			betDelaySeconds: 0,
			rules: '',
		});
	const reversed = TEAMS.toReversed();
	const market = (of: FixtureMarket, question: string, names: readonly string[]): Market => ({
		of,
		question,
		names,
		state: 'OPEN',
		bets: [],
	});
	return {
		match,
		markets: [
			market(match.market, 'winner', TEAMS),
			market(await more('Winner', 'MATCH_ODDS', reversed), 'winner', reversed),
			market(await more('Toss', 'TO_WIN_THE_TOSS', TEAMS), 'toss', TEAMS),
		],
	};
}

/** A bet that the bank takes whole. */
async function place({ of, bets }: Market, bet: Bet): Promise<void> {
	const { player, team, side, stake, price } = bet;
	const { id, runners } = of.listing;
	const runnerId = runners.find(({ name }) => name === team)?.id ?? '';
	const asked = (of_: 'BACK' | 'LAY') =>
		({
			...betOn({ marketId: String(id), runnerIds: [runnerId, ''] } as unknown as TestMatch),
			side: of_,
			stake,
			price: price / 100,
		}) as const;
	await server.result('placeBetV2', asked(side), player.token);
	await server.result('placeBetV2', asked(side === 'BACK' ? 'LAY' : 'BACK'), bank.token);
	bets.push(bet);
}

/** Minor units that these bets lose when the worst of the two teams wins. */
function worst(bets: readonly Bet[]): number {
	const results = TEAMS.map((winner) =>
		sum(
			bets.map(({ team, side, stake, price }) => {
				const back = team === winner ? stake * (price - 100) : -stake * 100;
				return side === 'BACK' ? back : -back;
			}),
		),
	);
	return Math.max(0, -Math.min(...results));
}

/** The slow count: by question of the settled markets, of one account or of several together. */
function counted({ markets }: Event, players: readonly Player[]): { amount: number; long: number } {
	const settled = markets.filter(({ state }) => state === 'SETTLED');
	const of = ({ bets }: Market) => bets.filter(({ player }) => players.includes(player));
	const questions = [...Map.groupBy(settled, ({ question }) => question).values()];
	const each = questions.map((same) => {
		const amount = worst(same.flatMap(of));
		const long = same.map((market) =>
			Math.min(worst(of(market)), worst(of(market).filter(({ price }) => price >= 150))),
		);
		return { amount, long: Math.min(amount, sum(long)) };
	});
	return {
		amount: Math.max(0, ...each.map(({ amount }) => amount)),
		long: Math.max(0, ...each.map(({ long }) => long)),
	};
}

function expectedOf(event: Event, player: Player, group: readonly Player[]): { amount: number; long: number } {
	const isOpen = ({ question, state, bets }: Market) =>
		question === 'winner' && state === 'OPEN' && bets.some((bet) => group.includes(bet.player));
	if (event.markets.some(isOpen)) return { amount: 0, long: 0 };
	const own = counted(event, [player]);
	const together = counted(event, group).amount;
	const alone = sum(group.map((one) => counted(event, [one]).amount));
	const share = alone === 0 ? 0 : Math.floor((own.amount * together) / alone);
	return { amount: Math.min(own.amount, share), long: Math.min(own.long, share) };
}

const idOf = ({ of }: Market): string => String(of.listing.id);

/** Settles, voids or reopens. */
async function decide(market: Market, numbers: SeededNumbers): Promise<void> {
	if (market.state !== 'OPEN') {
		await server.act('reopen', { marketId: idOf(market) });
		market.state = 'OPEN';
		return;
	}
	if (numbers.chance(10)) {
		await server.act('void', { marketId: idOf(market) });
		market.state = 'VOID';
		market.bets = [];
		return;
	}
	await server.act('settle', { marketId: idOf(market), winners: [numbers.from(TEAMS)] });
	market.state = 'SETTLED';
}

onSeeds(
	[3, 1, 2],
	'random bets, settlements, voids and reopenings in markets of three events, seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const alone = await signUp(server);
		const one = await signUp(server);
		const groups = [[alone], [one, await signUp(server, { mobile: one.mobile })]];
		const players = groups.flat();
		const events = [await openEvent(), await openEvent(), await openEvent()];
		for (let step = 0; step < 50; step++) {
			const event = numbers.from(events);
			const market = numbers.from(event.markets);
			// A void market stays as it is; one that was reopened takes no bets.
			if (market.state === 'VOID') continue;
			if (numbers.chance(80) && server.running.exchange.market(market.of.listing.id)?.status === 'OPEN') {
				await place(market, {
					player: numbers.from(players),
					team: numbers.from(TEAMS),
					side: numbers.from(['BACK', 'LAY']),
					stake: 10 + numbers.below(90),
					price: numbers.from([110, 140, 150, 200, 300]),
				});
			} else await decide(market, numbers);
			for (const group of groups)
				for (const player of group) {
					const found = await risksOf(player);
					for (const each of events) {
						const ids = new Set(each.markets.map((of) => Number(idOf(of))));
						const row = found.find(({ marketIds }) => marketIds?.some((id) => ids.has(id)));
						const { amount, long } = expectedOf(each, player, group);
						expect([row?.amount ?? 0, row?.longAmount ?? 0]).toEqual([amount, long]);
					}
				}
		}
	},
	'thorough',
);

describe('no turnover and no wagering without risk', () => {
	const wagered = async (player: Player) =>
		(await server.result('getBonuses', {}, player.token)).find(({ status }) => status === 'ACTIVE')?.wageringDone;
	const claimed = async () => {
		const player = await signUp(server);
		await server.result('claimBonus', { id: 'welcome' }, player.token);
		return player;
	};

	it('by backing and laying one outcome in two markets of an event, whichever is settled first', async () => {
		const player = await claimed();
		const { markets } = await openEvent();
		const [odds, winner] = markets as [Market, Market];
		await place(odds, { player, team: 'India', side: 'BACK', stake: 5_000, price: 200 });
		await place(winner, { player, team: 'India', side: 'LAY', stake: 5_000, price: 200 });
		for (const market of [winner, odds]) {
			await server.act('settle', { marketId: idOf(market), winners: ['India'] });
			expect([await wagered(player), await turnover(player)]).toEqual([0, 0]);
		}
	});

	it('by two accounts with one interest against each other, each with a stranger, in two markets', async () => {
		const one = await claimed();
		const other = await signUp(server, { mobile: one.mobile });
		const { markets } = await openEvent();
		const [odds, winner] = markets as [Market, Market];
		await place(odds, { player: one, team: 'India', side: 'BACK', stake: 5_000, price: 200 });
		await place(winner, { player: other, team: 'India', side: 'LAY', stake: 3_000, price: 200 });
		await server.act('settle', { marketId: idOf(odds), winners: ['India'] });
		// The other's bet may still win what the first one lost.
		expect([await turnover(one), await wagered(one)]).toEqual([0, 0]);
		await server.act('settle', { marketId: idOf(winner), winners: ['India'] });
		// Together they could lose 2,000; each has a part by what it would have risked alone.
		expect([await turnover(one), await turnover(other), await wagered(one)]).toEqual([1_250, 750, 1_250]);
	});

	it('by two accounts with one interest against each other, while the settlement has come to one of them', async () => {
		const one = await claimed();
		const other = await signUp(server, { mobile: one.mobile });
		const [odds] = (await openEvent()).markets as [Market];
		await place(odds, { player: one, team: 'India', side: 'BACK', stake: 5_000, price: 200 });
		await place(odds, { player: other, team: 'India', side: 'LAY', stake: 5_000, price: 200 });
		const { exchange } = server.running;
		const marketId = odds.of.listing.id;
		const winner = await keptFromSettlement(other);
		const settled = exchange.submit({ kind: 'begin-settlement', marketId, results: ['LOSE', 'WIN'] });
		try {
			// Losers come first.
			await expect.poll(() => exchange.openBets(one.userId)).toEqual([]);
			expect(exchange.openBets(other.userId)).toHaveLength(1);
			expect([await wagered(one), await turnover(one)]).toEqual([0, 0]);
		} finally {
			await winner.letGo();
			await settled;
			await exchange.settled(marketId);
		}
		expect([await wagered(one), await turnover(one), await turnover(other)]).toEqual([0, 0, 0]);
	});

	it('by laying at 1.01, which counts its liability', async () => {
		const player = await claimed();
		const [odds] = (await openEvent()).markets as [Market];
		await place(odds, { player, team: 'India', side: 'LAY', stake: 5_000, price: 101 });
		await server.act('settle', { marketId: idOf(odds), winners: ['Nepal'] });
		expect([await wagered(player), await turnover(player)]).toEqual([0, 50]);
	});

	it('by bets on a table that are taken back, and counts those that stand once', async () => {
		const player = await claimed();
		const roulette = new Table(server, 'roulette');
		await roulette.whileBetting(async () => {
			const asked = { game: 'roulette', bets: [{ bet: 'red', stake: 5_000 }], clientRequestId: randomUUID() };
			const { bet } = await server.result('placeTableBet', asked, player.token);
			await server.call('cancelTableBet', { game: 'roulette', betId: bet.betId }, player.token);
		});
		expect((await server.result('getRounds', {}, player.token)).items.length).toBeGreaterThan(0);
		expect(await risksOf(player)).toEqual([]);
		expect(await turnover(player)).toBe(0);
	});

	it('by a provider’s bet that is rolled back', () => {
		const key = { provider: 'p', round: '1', walletId: 1 };
		const bets = ['a', 'b'].reduce(
			(data, txId) => withBet(data, { txId, stake: 500, payout: 0, isRefunded: false }),
			emptyRound(key, { game: 'slots', terms: HOUSE_TERMS }),
		);
		expect(atRiskIn(bets)).toEqual({ game: 'slots', round: null, amount: 1_000 });
		expect(atRiskIn(withRefunds(bets, 'c', ['a'])).amount).toBe(500);
		expect(atRiskIn(withRefunds(bets, 'c', ['a', 'b'])).amount).toBe(0);
	});
});
