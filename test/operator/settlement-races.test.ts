/**
 * Whatever is done to a market while its settlement, or its reversal, walks through its bets: another result by hand or of
 * a feed, none, a reopening, a proposal and its confirmation, a cash-out, a withdrawal, a report. Each act is done whole or
 * refused; afterwards every player has what the market's result comes to, computed again from the bets.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect } from 'vitest';
import type { BetRecord, Request } from '#server/exchange/exchange.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import type { PlayResult } from '#values/play-result.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { codeOf } from '../ledger/code-of.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { restoredEngine } from '../support/restored-engine.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer, testConfig } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
const PLAYERS = 10;
/** Of matched bets: a settlement takes several steps. */
const PAIRS = 300;
const ROUNDS = 6;
/** Beside the act that begins a walk. */
const ACTS_A_ROUND = 8;
const INDIA: PlayResult = { winners: [0] };
const NEPAL: PlayResult = { winners: [1] };

let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start(undefined, { feeds: { ...testConfig('').feeds, proposedResults: ['test'] } });
	await server.act('brand-set', { host: 'localhost', field: 'funds.withdrawalsPerDay', value: '100' });
	[maker, checker] = [await member('maker'), await member('checker')];
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

async function member(name: string): Promise<ConsoleClient> {
	const by = { actor: 'test', address: null };
	const passwordHash = await hashPassword(PASSWORD);
	await server.running.staff.directory.add({ name, passwordHash, roles: ['owner'], brands: null }, by);
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

/** A market that walks, and what its players had before its first settlement. */
interface Scene {
	match: TestMatch;
	elsewhere: TestMatch;
	marketId: number;
	players: Player[];
	bets: BetRecord[];
	/** Cash and held money together, by player, minor units; without what was withdrawn since. */
	had: Map<number, number>;
}

const moneyOf = ({ userId }: Player): number => {
	const { cash = 0, exposure = 0 } = server.running.exchange.wallet(userId) ?? {};
	return cash + exposure;
};

async function openScene(numbers: SeededNumbers): Promise<Scene> {
	const { exchange } = server.running;
	const [match, elsewhere] = [await openTestMatch(server), await openTestMatch(server)];
	const players = await Promise.all(Array.from({ length: PLAYERS }, () => server.demoPlayer()));
	const marketId = Number(match.marketId);
	const orders = Array.from({ length: PAIRS }, (_, at): Request[] => {
		const price = numbers.from([198, 210, 305]);
		const terms = { kind: 'place-bet', marketId, runner: 0, price, stake: 1001 + numbers.below(900) } as const;
		// Half of them back alone, the others lay alone, so that no player meets his own bets.
		const half = PLAYERS / 2;
		const [one, other] = [players[at % half], players[half + numbers.below(half)]] as [Player, Player];
		return [
			{ ...terms, walletId: one.userId, side: 0, persist: false },
			{ ...terms, walletId: other.userId, side: 1, persist: false },
		];
	});
	await Promise.all(orders.flat().map((order) => exchange.submit(order)));
	await exchange.submit({ kind: 'close-market', marketId });
	const had = new Map(players.map((player) => [player.userId, moneyOf(player)]));
	return { match, elsewhere, marketId, players, bets: exchange.betsIn([marketId]), had };
}

/** What a player's bets come to: in hundredths of a minor unit, rounded once, an exact half to the house; without commission. */
function profitOf({ bets, marketId }: Scene, walletId: number): number {
	const { results, status, commissionBp } = server.running.exchange.market(marketId) ?? expect.unreachable();
	if (status !== 'SETTLED') return 0;
	const exact = bets
		.filter((bet) => bet.walletId === walletId)
		.reduce((sum, { side, matched, matchedValue }) => {
			const ofBacker = results?.[0] === 'WIN' ? matchedValue - matched * 100 : -matched * 100;
			return sum + (side === 0 ? ofBacker : -ofBacker);
		}, 0);
	const net = Math.ceil(exact / 100 - 0.5);
	return net - Math.floor((Math.max(0, net) * commissionBp) / 10_000 + 0.5);
}

async function expectPaid(scene: Scene): Promise<void> {
	const { exchange } = server.running;
	const { status } = exchange.market(scene.marketId) ?? expect.unreachable();
	expect(['CLOSED', 'SETTLED', 'VOIDED']).toContain(status);
	expect(exchange.figures().unevenMarkets).toEqual([]);
	for (const player of scene.players) {
		const [has, had] = [moneyOf(player), scene.had.get(player.userId) ?? 0];
		expect([status, player.userId, has]).toEqual([status, player.userId, had + profitOf(scene, player.userId)]);
	}
	const engine = await restoredEngine(server.database.db);
	expect(engine.market(scene.marketId)?.status).toBe(status === 'CLOSED' ? status : undefined);
}

type Act = (scene: Scene, numbers: SeededNumbers) => Promise<string>;

const byHand =
	(act: string, more: object = {}): Act =>
	async ({ match: { marketId } }) =>
		(await server.operator(act, { marketId, ...more })).code ?? 'done';

/** The same market as a feed opens it that was started again. */
const byFeed =
	(result: PlayResult): Act =>
	async ({ match: { market } }) => {
		const { exchange, fixtures, resultProposals } = server.running;
		const again = new FixtureMarket({ exchange, fixtures, resultProposals }, market.fixture, market.listing);
		return await codeOf(again.settle(result));
	};

/** What begins a walk, or takes one back. */
const RESULTS: Record<string, Act> = {
	settle: byHand('settle', { winners: ['India'] }),
	'settle otherwise': byHand('settle', { winners: ['Nepal'] }),
	void: byHand('void'),
	reopen: byHand('reopen'),
	resettle: byHand('resettle', { winners: ['India'] }),
	'resettle otherwise': byHand('resettle', { winners: ['Nepal'] }),
	'resettle as void': byHand('resettle', { isVoid: true }),
	confirm: async ({ match: { marketId } }) => {
		const open = await checker.result<{ proposalId: string }[]>('proposals', { marketId, open: true });
		return open[0] ? (await checker.code('confirm', { proposalId: open[0].proposalId })) || 'done' : 'nothing';
	},
};

const BESIDE: Record<string, Act> = {
	'a result of the feed': byFeed(INDIA),
	'another result of the feed': byFeed(NEPAL),
	'a proposal': async ({ match: { marketId } }, numbers) => {
		const act = numbers.from(['settle', 'resettle', 'void', 'reopen']);
		const input = { marketId, ...(act.endsWith('settle') ? { winners: ['Nepal'] } : {}) };
		return (await maker.code('propose', { act, input, reason: 'seen on tape' })) || 'done';
	},
	'a report': async () => {
		const day = dayName(dayOf(Date.now(), HOME_ZONE));
		return (await server.operator('report-profit', { from: day, to: day, by: 'market' })).code ?? 'done';
	},
	'a look at today': async () => (await maker.code('today', {})) || 'done',
	'a cash-out': async ({ match, players }, numbers) => {
		const input = { marketId: match.marketId, fraction: 1, quoteVersion: 'seen', clientRequestId: freshRequestId() };
		return (await server.call('cashOut', input, numbers.from(players).token)).code ?? 'done';
	},
	'a bet on it': async ({ match, players }, numbers) =>
		(await server.call('placeBetV2', betOn(match), numbers.from(players).token)).code ?? 'done',
	'a bet elsewhere': async ({ elsewhere, players }, numbers) =>
		(await server.call('placeBetV2', betOn(elsewhere, { stake: 100 }), numbers.from(players).token)).code ?? 'done',
	'a withdrawal': async ({ players, had }, numbers) => {
		const [player, amount] = [numbers.from(players), 100 + numbers.below(50)];
		const input = { amount, details: { method: 'UPI', upiId: 'ravi@okbank' }, clientRequestId: freshRequestId() };
		const { code } = await server.raw('createWithdrawal', input, player.token);
		if (!code) had.set(player.userId, (had.get(player.userId) ?? 0) - amount * 100);
		return code ?? 'done';
	},
};

/** Nothing else may be said of them. */
const SAID = new Set([
	'done',
	'nothing',
	'MARKET_SETTLING',
	'MARKET_CLOSED',
	'WRONG_MARKET_STATE',
	'WRONG_STATE',
	'STALE_PREVIEW',
	'INSUFFICIENT_FUNDS',
	// There is nothing to cash out, or it is worth something else.
	'QUOTE_MOVED',
]);

const TITLE = 'an act beside a walk is done whole or refused, and the money is that of the result, seed %i';
onSeeds([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], TITLE, async (seed) => {
	const numbers = new SeededNumbers(seed);
	const scene = await openScene(numbers);
	const said = new Map<string, Set<string>>();
	const all = { ...RESULTS, ...BESIDE };
	let actsInWalks = 0;
	for (let round = 0; round < ROUNDS; round++) {
		const begun = numbers.from(Object.keys(RESULTS));
		const names = Array.from({ length: ACTS_A_ROUND }, () => numbers.from(Object.keys(all)));
		const walk = { isOver: false };
		const act = async (name: string) => {
			const code = await (all[name] as Act)(scene, numbers);
			said.set(name, (said.get(name) ?? new Set()).add(code));
		};
		const isSettling = () => server.running.exchange.market(scene.marketId)?.status === 'SETTLING';
		const turn = () => new Promise((resume) => setImmediate(resume));
		const first = act(begun).finally(() => {
			walk.isOver = true;
		});
		const others = names.map(async (name) => {
			while (!isSettling() && !walk.isOver) await turn();
			// At any moment of it, or just after it.
			for (let turns = numbers.below(30); turns > 0; turns--) await turn();
			if (isSettling()) actsInWalks++;
			await act(name);
		});
		await Promise.all([first, ...others]);
		await server.running.exchange.settled(scene.marketId);
		await expectPaid(scene);
	}
	for (const [name, codes] of said) expect([name, [...codes].filter((code) => !SAID.has(code))]).toEqual([name, []]);
	expect(actsInWalks).toBeGreaterThan(0);
});
