import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { GAMES, gameOf } from '#games/all-games.ts';
import { type Draw, drawFrom } from '#games/fair-draw.ts';
import type { TurnGame } from '#games/game.ts';
import { limbo } from '#games/instant/limbo.ts';
import { nonceFaults } from '#games/pair-proof.ts';
import { resultOf } from '#games/round-result.ts';
import { commitmentOf, seededWords } from '#games/seeded-words.ts';
import { LiveFigures, quarterOf, WINS_BY_QUARTER } from '#server/money/casino/live-figures.ts';
import { PlayerSeeds } from '#server/money/casino/player-seeds.ts';
import type { Pool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';
import { startsOf } from '#values/zoned-calendar.ts';
import { expectSound } from '../support/audit.ts';
import { OPEN_ACCESS } from '../support/open-access.ts';
import { refusedBets } from '../support/refused-stakes.ts';
import { type Player, TestServer, TOKEN_KEY } from '../support/server.ts';

type Round = ResultOf<Calls['playRound']>['round'];

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

const play = (player: Player, game: string, bets: { bet: string; stake: number }[], clientRequestId = randomUUID()) =>
	server.call('playRound', { game, bets, clientRequestId }, player.token);
const played = (player: Player, game: string, bets: { bet: string; stake: number }[]) =>
	server.result('playRound', { game, bets, clientRequestId: randomUUID() }, player.token);
const act = (player: Player, roundId: string, action: string, clientRequestId = randomUUID()) =>
	server.call('actInRound', { roundId, action, clientRequestId }, player.token);

const suspend = (isSuspended: boolean) =>
	server.operator('brand-set', { host: 'localhost', field: 'siteSuspended', value: String(isSuspended) });

/** Opens fields until one is safe; the round may end before. */
async function minesWithOneSafe(player: Player): Promise<Round> {
	for (;;) {
		const { round } = await played(player, 'mines', [{ bet: '3', stake: 100 }]);
		const opened = (await act(player, round.roundId, 'open-0')).body.result?.round as Round;
		if (opened.state === 'OPEN') return opened;
	}
}

/** What the house alone knows: the draws of a round with the player’s present seeds. */
async function drawsOf({ userId }: Player): Promise<(nonce: number) => Draw> {
	const seeds = new PlayerSeeds({ db: server.database.db, tokenKey: TOKEN_KEY, access: OPEN_ACCESS });
	const pair = await seeds.active(userId);
	return (nonce) => drawFrom(seededWords({ ...pair, nonce }));
}

/** A player whose next rounds of Limbo all end below a multiplier, in hundredths. */
async function loserBelow(cents: number, rounds: number): Promise<Player> {
	const player = await server.demoPlayer();
	for (;;) {
		await server.beginSeeds(player);
		const drawOf = await drawsOf(player);
		const reached = Array.from({ length: rounds }, (_, nonce) => limbo.outcomeOf(drawOf(nonce)));
		if (reached.every((each) => each < cents)) return player;
	}
}

/** Chance would leave no mine in the way once in fifty rounds. */
async function safeFieldsOf(player: Player, { nonce, bets }: Round): Promise<(action: string) => boolean> {
	const drawOf = await drawsOf(player);
	const game = gameOf('mines') as TurnGame;
	const mines = game.deal(drawOf(nonce ?? 0), bets[0]?.bet ?? '') as number[];
	return (action) => action.startsWith('open-') && !mines.includes(Number(action.slice('open-'.length)));
}

describe('getCasinoGames', () => {
	it('getCasinoGames: success, for visitors too, with the returns of the definitions', async () => {
		const { games } = await server.result('getCasinoGames', {});
		expect(games.map(({ code }) => code)).toEqual(GAMES.map(({ code }) => code));
		expect(games.find(({ code }) => code === 'roulette')).toMatchObject({
			lowestReturn: 97.297,
			highestReturn: 97.297,
		});
	});

	it('getCasinoGames: refusal on a suspended site', async () => {
		await suspend(true);
		expect((await server.call('getCasinoGames', {})).code).toBe('SITE_SUSPENDED');
		await suspend(false);
	});

	it('counts the players of a game', async () => {
		const player = await server.demoGambler();
		const count = async () =>
			(await server.result('getCasinoGames', {}, player.token)).games.find(({ code }) => code === 'wheel')?.playersNow;
		const before = (await count()) ?? 0;
		await played(player, 'wheel', [{ bet: 'low', stake: 10 }]);
		await played(player, 'wheel', [{ bet: 'low', stake: 10 }]);
		expect(await count()).toBe(before + 1);
	});

	it('names the largest win of the day in the caller’s pool alone, and a restart finds it again', async () => {
		const player = await server.demoGambler();
		const live = async (token?: string) => (await server.result('getCasinoGames', {}, token)).live.biggestWin;
		let largest = (await live(player.token))?.payout ?? 0;
		for (let stake = 1_000; stake < 1_010; stake++) {
			const { round } = await played(player, 'coin-flip', [{ bet: 'heads', stake }]);
			if (round.payout > stake) largest = Math.max(largest, round.payout);
			expect((await live(player.token))?.payout ?? 0).toBe(largest);
		}
		const read = await LiveFigures.open({ db: server.database.db, log: pino({ level: 'silent' }) }, Date.now());
		const today = startsOf(Date.now(), 'Asia/Kolkata').day;
		const paid = (pool: Pool) => (read.biggestWin(pool, today)?.payout ?? 0) / 100;
		expect([paid('DEMO'), paid('PLAY'), paid('REAL')]).toEqual([largest, 0, 0]);
		expect(read.biggestWin('DEMO', today + DAY_MS)).toBeNull();
		expect(read.playersOf('DEMO', 'coin-flip', Date.now())).toBeGreaterThan(0);
	});

	it('a start reads the largest wins of each quarter of an hour alone, in their order', async () => {
		const client = await server.database.db.connect();
		try {
			// A table of a few rows would be read whole.
			await client.query('begin; set local enable_seqscan = off');
			const now = quarterOf(Date.now());
			const { rows } = await client.query(`explain ${WINS_BY_QUARTER}`, [['DEMO'], now, now]);
			const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
			expect(plan).toContain('workflow_win_of_quarter');
			expect(plan).not.toContain('Sort');
		} finally {
			await client.query('rollback');
			client.release();
		}
	});
});

describe('playRound', () => {
	it('playRound: success, stake and payout move at once and the answer is durable', async () => {
		const player = await server.demoGambler();
		let expected = 20_000;
		for (let index = 0; index < 10; index++) {
			const { round, balance } = await played(player, 'coin-flip', [{ bet: 'heads', stake: 100 }]);
			expect(round).toMatchObject({ state: 'SETTLED', stake: 100, nonce: index, pair: 1 });
			expect(round.payout).toBe(round.outcome === 'heads' ? 194 : 0);
			expected += round.payout - 100;
			expect(balance).toBe(expected);
		}
		expect(server.money(player)).toEqual([expected, 0]);
	});

	it('pays several bets of one round by one result', async () => {
		const player = await server.demoGambler();
		const bets = ['heads', 'tails'].map((bet) => ({ bet, stake: 100 }));
		const { round } = await played(player, 'coin-flip', bets);
		const paid = round.bets.map(({ bet, payout }) => [bet, payout]);
		expect(paid).toEqual(bets.map(({ bet }) => [bet, bet === round.outcome ? 194 : 0]));
		expect(round).toMatchObject({ stake: 200, payout: 194 });
	});

	it.each(GAMES.filter(({ kind }) => kind === 'instant' || kind === 'turns').map(({ code }) => code))(
		'lets %s be verified from the revealed seeds, and the commitment was right',
		async (code) => {
			const player = await server.demoGambler();
			const game = gameOf(code);
			if (!game || game.kind === 'crash') throw expect.unreachable();
			const { seeds } = await server.result('getSeeds', {}, player.token);
			const bet = code === 'mines' ? '5' : (game.bets[0]?.code ?? '');
			let { round } = await played(player, code, [
				{ bet: game.kind === 'turns' && code !== 'mines' ? '' : bet, stake: 10 },
			]);
			while (round.state === 'OPEN')
				round = (await act(player, round.roundId, round.next.at(-1) ?? '')).body.result?.round as Round;
			const { revealed } = await server.beginSeeds(player);
			expect(revealed).toEqual({ ...seeds, serverSeed: expect.stringMatching(/^[0-9a-f]{64}$/), rounds: 1 });
			expect(commitmentOf(revealed?.serverSeed ?? '')).toBe(seeds?.commitment);
			const again = resultOf(
				game,
				{ serverSeed: revealed?.serverSeed ?? '', clientSeed: revealed?.clientSeed ?? '', nonce: round.nonce },
				{ choice: round.bets[0]?.bet ?? '', actions: round.actions },
			);
			expect(again).toEqual({ outcome: round.outcome, result: round.result });
		},
	);

	it.each(
		refusedBets('dice', 'under-5000', [
			['an unknown game', 'poker', 'x', 100, 'UNKNOWN_GAME'],
			['Crash, which has rounds for everybody', 'crash', 'target-200', 100, 'UNKNOWN_GAME'],
			['a table, which has rounds for everybody', 'roulette', 'red', 100, 'UNKNOWN_GAME'],
			['an unknown bet', 'coin-flip', 'edge', 100, 'UNKNOWN_GAME_BET'],
			['a chance that the dice do not have', 'dice', 'under-9601', 100, 'UNKNOWN_GAME_BET'],
			['no mines', 'mines', '0', 100, 'UNKNOWN_GAME_BET'],
			['a win above what the house pays', 'limbo', 'target-1000000', 101, 'WIN_TOO_LARGE'],
			['mines of which the first field could win too much', 'mines', '24', 50_000, 'WIN_TOO_LARGE'],
			['more than the balance', 'dice', 'under-5000', 20_001, 'INSUFFICIENT_FUNDS'],
		]),
	)('playRound: refusal of %s, and nothing moves', async (_, game, bet, stake, code) => {
		const player = await server.demoGambler();
		expect((await play(player, game, [{ bet, stake }])).code).toBe(code);
		expect(server.money(player)).toEqual([20_000, 0]);
		// The nonce was not used.
		expect((await server.result('getSeeds', {}, player.token)).nonce).toBe(0);
	});

	it('playRound: refusal before the player’s first client seed, for whose commitment it waits', async () => {
		const player = await server.demoPlayer();
		const before = await server.result('getSeeds', {}, player.token);
		expect(before).toMatchObject({ seeds: null, nonce: 0, next: { pair: 1 } });
		expect((await play(player, 'dice', [{ bet: 'under-5000', stake: 100 }])).code).toBe('NO_CLIENT_SEED');
		expect(server.money(player)).toEqual([20_000, 0]);
		const { revealed, seeds, next } = await server.beginSeeds(player);
		expect([revealed, seeds.commitment, next.pair]).toEqual([null, before.next.commitment, 2]);
		expect((await played(player, 'dice', [{ bet: 'under-5000', stake: 100 }])).round).toMatchObject({
			pair: 1,
			nonce: 0,
		});
	});

	it('playRound: not logged in', async () => {
		const request = { game: 'dice', bets: [{ bet: 'under-5000', stake: 10 }], clientRequestId: randomUUID() };
		expect((await server.call('playRound', request)).status).toBe(401);
	});

	it('answers a repeated request with the first round, and another body under its id not at all', async () => {
		const player = await server.demoGambler();
		const id = randomUUID();
		const bets = [{ bet: 'under-5000', stake: 100 }];
		const answers = await Promise.all(Array.from({ length: 10 }, () => play(player, 'dice', bets, id)));
		const first = answers[0]?.body.result;
		for (const { body } of answers) expect(body.result).toEqual(first);
		expect(server.money(player)).toEqual([first?.balance, 0]);
		expect((await play(player, 'dice', [{ bet: 'over-5000', stake: 100 }], id)).code).toBe('REQUEST_ID_REUSED');
		expect((await server.result('getRounds', {}, player.token)).totalCount).toBe(1);
		// Nor is a nonce used up.
		expect((await server.result('getSeeds', {}, player.token)).nonce).toBe(1);
	});

	it('gives parallel rounds of one player a nonce each', async () => {
		const player = await server.demoGambler();
		const rounds = await Promise.all(
			Array.from({ length: 40 }, () => played(player, 'dice', [{ bet: 'under-5000', stake: 10 }])),
		);
		expect(
			nonceFaults(
				rounds.map(({ round }) => round.nonce),
				40,
			),
		).toEqual({ missing: [], repeated: [] });
	});

	it('goes on with the next nonce after a restart, and rounds that wait can be played on', async () => {
		const player = await server.demoGambler();
		await played(player, 'dice', [{ bet: 'under-5000', stake: 10 }]);
		const mines = await minesWithOneSafe(player);
		const { nonce } = await server.result('getSeeds', {}, player.token);
		await server.stop();
		server = await TestServer.start(server.database);
		expect((await server.result('getSeeds', {}, player.token)).nonce).toBe(nonce);
		expect((await server.result('getOpenRounds', {}, player.token)).rounds).toEqual([mines]);
		const ended = (await act(player, mines.roundId, 'cash-out')).body.result?.round;
		expect(ended).toMatchObject({ state: 'SETTLED', payout: 110 });
	});
});

describe('actInRound', () => {
	it('actInRound: success, a safe field raises the cash-out, and the mines stay hidden', async () => {
		const player = await server.demoGambler();
		const round = await minesWithOneSafe(player);
		expect(round).toMatchObject({ outcome: null, shown: { opened: [0], mines: null, pays: 110 }, payout: 0 });
		const [before] = server.money(player);
		const { body } = await act(player, round.roundId, 'cash-out');
		expect(body.result).toMatchObject({
			balance: (before ?? 0) + 110,
			round: { state: 'SETTLED', payout: 110, next: [] },
		});
		expect(body.result?.round.outcome).toHaveLength(3);
		expect((await server.result('getOpenRounds', {}, player.token)).rounds).toEqual([]);
	});

	it('actInRound: refusal of an impossible action, and of ended rounds and those of others', async () => {
		const [player, other] = [await server.demoGambler(), await server.demoGambler()];
		const round = await minesWithOneSafe(player);
		expect((await act(player, round.roundId, 'open-0')).code).toBe('ACTION_NOT_POSSIBLE');
		expect((await act(player, round.roundId, 'open-25')).code).toBe('ACTION_NOT_POSSIBLE');
		expect((await act(player, round.roundId, 'hit')).code).toBe('ACTION_NOT_POSSIBLE');
		expect((await act(other, round.roundId, 'cash-out')).code).toBe('UNKNOWN_ROUND');
		expect((await play(player, 'mines', [{ bet: '3', stake: 10 }])).code).toBe('ROUND_OPEN');
		expect((await act(player, round.roundId, 'cash-out')).status).toBe(200);
		expect((await act(player, round.roundId, 'cash-out')).code).toBe('UNKNOWN_ROUND');
		expect((await act(player, '999999999', 'cash-out')).code).toBe('UNKNOWN_ROUND');
	});

	it('actInRound: not logged in', async () => {
		const request = { roundId: '1', action: 'cash-out', clientRequestId: randomUUID() };
		expect((await server.call('actInRound', request)).status).toBe(401);
	});

	it('cashes out once, however many tabs request it', async () => {
		const player = await server.demoGambler();
		const round = await minesWithOneSafe(player);
		const [before] = server.money(player);
		const answers = await Promise.all(Array.from({ length: 10 }, () => act(player, round.roundId, 'cash-out')));
		expect(answers.filter(({ code }) => code === null)).toHaveLength(1);
		expect(server.money(player)).toEqual([(before ?? 0) + 110, 0]);
	});

	it('answers a repeated action with the state after it, although later actions came', async () => {
		const player = await server.demoGambler();
		for (;;) {
			const { round } = await played(player, 'mines', [{ bet: '1', stake: 10 }]);
			const id = randomUUID();
			const first = await act(player, round.roundId, 'open-0', id);
			if (first.body.result?.round.state !== 'OPEN') continue;
			await act(player, round.roundId, 'open-1');
			const again = await act(player, round.roundId, 'open-0', id);
			expect(again.body.result).toEqual(first.body.result);
			break;
		}
	});

	it('takes the second stake of a doubled hand, and refuses it where the balance is too small', async () => {
		const player = await server.demoGambler();
		for (let isDoubled = false; !isDoubled; ) {
			const { round, balance } = await played(player, 'blackjack', [{ bet: '', stake: 500 }]);
			if (round.state !== 'OPEN') continue;
			const doubled = (await act(player, round.roundId, 'double')).body.result;
			expect(doubled?.round.stake).toBe(1_000);
			expect(doubled?.balance).toBe(balance - 500 + (doubled?.round.payout ?? 0));
			isDoubled = true;
		}
		for (let isRefused = false; !isRefused; ) {
			const poor = await server.demoGambler();
			const { round } = await played(poor, 'blackjack', [{ bet: '', stake: 20_000 }]);
			if (round.state !== 'OPEN') continue;
			expect((await act(poor, round.roundId, 'double')).code).toBe('INSUFFICIENT_FUNDS');
			expect((await act(poor, round.roundId, 'stand')).status).toBe(200);
			isRefused = true;
		}
	});

	it('refuses a field that could win more than the house pays, without a hint of its content', async () => {
		const player = await server.demoGambler();
		const { round } = await played(player, 'mines', [{ bet: '10', stake: 20_000 }]);
		const isSafe = await safeFieldsOf(player, round);
		let current = round;
		while ((current.shown as { next: number }).next * 200 <= 1_000_000)
			current = (await act(player, round.roundId, current.next.find(isSafe) ?? '')).body.result?.round as Round;
		for (const action of current.next.filter((next) => next !== 'cash-out'))
			expect((await act(player, round.roundId, action)).code).toBe('WIN_TOO_LARGE');
		expect((await act(player, round.roundId, 'cash-out')).status).toBe(200);
	});
});

describe('protection', () => {
	const by = { actor: 'test', address: null };
	const protection = () => server.running.funds.protection;

	it('refuses rounds during a time-out; an open round can be ended, and not raised', async () => {
		const player = await server.demoGambler();
		const mines = await minesWithOneSafe(player);
		let hand: Round;
		do hand = (await played(player, 'blackjack', [{ bet: '', stake: 10 }])).round;
		while (hand.state !== 'OPEN');
		await protection().timeOut(player.userId, 24, by);
		expect((await play(player, 'dice', [{ bet: 'under-5000', stake: 10 }])).code).toBe('TIMED_OUT');
		expect((await act(player, hand.roundId, 'double')).code).toBe('TIMED_OUT');
		expect((await act(player, hand.roundId, 'stand')).status).toBe(200);
		expect((await act(player, mines.roundId, 'cash-out')).status).toBe(200);
	});

	it('refuses a round above the player’s stake limit, whose bets are counted together', async () => {
		const player = await server.demoGambler();
		await protection().limits.set(player.userId, { stake: 15_000 }, by);
		const bets = ['heads', 'tails'].map((bet) => ({ bet, stake: 100 }));
		expect((await play(player, 'coin-flip', bets)).code).toBe('STAKE_LIMIT');
		expect((await play(player, 'coin-flip', bets.slice(1))).status).toBe(200);
	});

	it('stops at the loss limit, even with parallel rounds', async () => {
		const player = await loserBelow(100_000, 20);
		await protection().limits.set(player.userId, { lossDay: 50_000 }, by);
		const answers = await Promise.all(
			Array.from({ length: 20 }, () => play(player, 'limbo', [{ bet: 'target-100000', stake: 100 }])),
		);
		const codes = answers.map(({ code }) => code ?? 'lost');
		expect(codes.sort()).toEqual([...Array(15).fill('LOSS_LIMIT'), ...Array(5).fill('lost')]);
		expect(server.money(player)).toEqual([19_500, 0]);
	});
});

/** A client seed for the pair that is announced. */
async function nextBeginning({ token }: Player) {
	const { next } = await server.result('getSeeds', {}, token);
	return { clientSeed: randomUUID().slice(0, 13), commitment: next.commitment };
}

describe('rounds and seeds', () => {
	it('markGame: success, favourites keep their order, and the game that was opened last comes first', async () => {
		const { token } = await server.demoGambler();
		const mark = (game: string, as: 'favourite' | 'none' | 'opened') => server.result('markGame', { game, as }, token);
		await mark('dice', 'favourite');
		await mark('mines', 'opened');
		await mark('mines', 'favourite');
		await mark('dice', 'favourite');
		const marks = { favourites: ['dice', 'mines'], recent: ['dice', 'mines'] };
		expect(await mark('dice', 'opened')).toEqual(marks);
		expect(await mark('dice', 'none')).toEqual({ ...marks, favourites: ['mines'] });
	});
	it('markGame: refusal of an unknown game', async () => {
		const { token } = await server.demoGambler();
		expect((await server.call('markGame', { game: 'poker', as: 'favourite' }, token)).code).toBe('UNKNOWN_GAME');
		expect((await server.result('getGameMarks', {}, token)).favourites).toEqual([]);
	});
	it('markGame: not logged in', async () => {
		expect((await server.call('markGame', { game: 'dice', as: 'opened' })).status).toBe(401);
	});

	it('getGameMarks: success, of the caller alone', async () => {
		const [player, other] = [await server.demoGambler(), await server.demoGambler()];
		await server.result('markGame', { game: 'keno', as: 'favourite' }, player.token);
		expect(await server.result('getGameMarks', {}, player.token)).toEqual({ favourites: ['keno'], recent: [] });
		expect(await server.result('getGameMarks', {}, other.token)).toEqual({ favourites: [], recent: [] });
	});
	it('getGameMarks: refusal of a token that is none', async () => {
		expect((await server.call('getGameMarks', {}, 'token')).code).toBe('LOGIN_EXPIRED');
	});
	it('getGameMarks: not logged in', async () => {
		expect((await server.call('getGameMarks', {})).status).toBe(401);
	});

	it('getOpenRounds: success, empty for a new player', async () => {
		expect(await server.result('getOpenRounds', {}, (await server.demoGambler()).token)).toEqual({ rounds: [] });
	});
	it('getOpenRounds: refusal of a token that is none', async () => {
		expect((await server.call('getOpenRounds', {}, 'token')).code).toBe('LOGIN_EXPIRED');
	});
	it('getOpenRounds: not logged in', async () => {
		expect((await server.call('getOpenRounds', {})).status).toBe(401);
	});

	it('getRounds: success, newest first, by game and by page', async () => {
		const player = await server.demoGambler();
		const flips = [await played(player, 'coin-flip', [{ bet: 'heads', stake: 10 }])];
		await played(player, 'dice', [{ bet: 'under-5000', stake: 10 }]);
		flips.unshift(await played(player, 'coin-flip', [{ bet: 'tails', stake: 10 }]));
		const { items, totalCount } = await server.result('getRounds', { game: 'coin-flip' }, player.token);
		expect([totalCount, items]).toEqual([2, flips.map(({ round }) => round)]);
		const at = items[0]?.at ?? '';
		const since = await server.result('getRounds', { from: at }, player.token);
		const until = await server.result('getRounds', { game: 'coin-flip', to: at }, player.token);
		expect(since.items.every((item) => item.at >= at) && until.items.every((item) => item.at <= at)).toBe(true);
		expect(since.items).toContainEqual(items[0]);
		expect(until.items).toContainEqual(items[0]);
		const later = new Date(Date.parse(at) + 1).toISOString();
		expect(await server.result('getRounds', { from: later }, player.token)).toMatchObject({ totalCount: 0, items: [] });
		// Empty fields say nothing.
		const blank = { game: '', pair: '', from: '', to: '', maxResultCount: '', skipCount: '' };
		expect((await server.raw('getRounds', blank, player.token)).body.result?.totalCount).toBe(3);
		await server.beginSeeds(player);
		expect((await server.result('getRounds', { pair: '1' }, player.token)).totalCount).toBe(3);
		expect((await server.result('getRounds', { pair: '2' }, player.token)).totalCount).toBe(0);
		const second = await server.result('getRounds', { maxResultCount: '1', skipCount: '2' }, player.token);
		expect(second).toEqual({ totalCount: 3, items: [flips[1]?.round] });
	});
	it('getRounds: refusal of a page that is none', async () => {
		const { token } = await server.demoGambler();
		expect((await server.call('getRounds', { maxResultCount: '0' }, token)).code).toBe('VALIDATION_FAILED');
	});
	it('getRounds: not logged in', async () => {
		expect((await server.call('getRounds', {})).status).toBe(401);
	});

	it('getRound: success, with the commitment alone while the seeds are in use', async () => {
		const player = await server.demoGambler();
		const { round } = await played(player, 'dice', [{ bet: 'under-5000', stake: 10 }]);
		const { seeds } = await server.result('getSeeds', {}, player.token);
		const input = { roundId: round.roundId };
		expect(await server.result('getRound', input, player.token)).toEqual({ round, seeds });
		expect(seeds?.serverSeed).toBeNull();
		const { revealed } = await server.beginSeeds(player);
		expect(await server.result('getRound', input, player.token)).toEqual({ round, seeds: revealed });
	});
	it('getRound: refusal of the rounds of others', async () => {
		const [player, other] = [await server.demoGambler(), await server.demoGambler()];
		const { round } = await played(player, 'dice', [{ bet: 'under-5000', stake: 10 }]);
		for (const roundId of [round.roundId, '999999999', 'x'])
			expect((await server.call('getRound', { roundId }, other.token)).code).toBe('UNKNOWN_ROUND');
	});
	it('getRound: not logged in', async () => {
		expect((await server.call('getRound', { roundId: '1' })).status).toBe(401);
	});

	it('getSeeds: success, the same until they are replaced', async () => {
		const { token } = await server.demoGambler();
		const seeds = await server.result('getSeeds', {}, token);
		expect(await server.result('getSeeds', {}, token)).toEqual(seeds);
		expect(seeds).toMatchObject({ nonce: 0, seeds: { pair: 1, serverSeed: null } });
	});
	it('getSeeds: refusal on a suspended site', async () => {
		const { token } = await server.demoGambler();
		await suspend(true);
		expect((await server.call('getSeeds', {}, token)).code).toBe('SITE_SUSPENDED');
		await suspend(false);
	});
	it('getSeeds: not logged in', async () => {
		expect((await server.call('getSeeds', {})).status).toBe(401);
	});

	it('rotateSeeds: success, with the client seed that the player chose', async () => {
		const player = await server.demoGambler();
		const { next } = await server.result('getSeeds', {}, player.token);
		const { seeds } = await server.beginSeeds(player, 'my-own-seed');
		expect(seeds).toMatchObject({ ...next, pair: 2, rule: 2, clientSeed: 'my-own-seed', serverSeed: null });
		expect((await played(player, 'dice', [{ bet: 'under-5000', stake: 10 }])).round).toMatchObject({
			pair: 2,
			nonce: 0,
		});
	});
	it('rotateSeeds: refusal while the seeds would reveal an open round’s mines, and of invalid seeds', async () => {
		const player = await server.demoGambler();
		const { commitment } = (await server.result('getSeeds', {}, player.token)).next;
		const rotate = async (clientSeed: string) =>
			(await server.call('rotateSeeds', { clientSeed, commitment }, player.token)).code;
		for (const clientSeed of ['short', 'with:colon', 'x'.repeat(33)])
			expect(await rotate(clientSeed)).toBe('VALIDATION_FAILED');
		const { roundId } = await minesWithOneSafe(player);
		expect(await rotate('my-own-seed')).toBe('SEEDS_IN_USE');
		await act(player, roundId, 'cash-out');
		expect(await rotate('my-own-seed')).toBeNull();
		// With a round open under the new seeds, a repetition is answered like the first.
		await minesWithOneSafe(player);
		expect(await rotate('my-own-seed')).toBeNull();
	});
	it('rotateSeeds: not logged in', async () => {
		const beginning = { clientSeed: 'my-own-seed', commitment: '0'.repeat(64) };
		expect((await server.call('rotateSeeds', beginning)).status).toBe(401);
	});

	it('reveals no seed of a later round, when both are requested at once', async () => {
		const player = await server.demoGambler();
		const outcomes = await Promise.all(
			Array.from({ length: 30 }, async (_, index) =>
				index % 10 === 5
					? {
							revealed: (await server.call('rotateSeeds', await nextBeginning(player), player.token)).body.result
								?.revealed?.pair,
						}
					: { pair: (await played(player, 'dice', [{ bet: 'under-5000', stake: 10 }])).round },
			),
		);
		const rounds = outcomes.flatMap(({ pair }) => pair ?? []);
		// A rotation of what another one began is refused; the first one is not.
		const revealed = outcomes.flatMap(({ revealed: pair }) => pair ?? []).sort();
		expect([[1], [1, 2], [1, 2, 3]]).toContainEqual(revealed);
		expect(new Set(rounds.map(({ pair, nonce }) => `${pair}.${nonce}`)).size).toBe(rounds.length);
		// Ids rise in the order in which rounds were played, and pairs with them.
		const ordered = [...rounds].sort((one, other) => Number(one.roundId) - Number(other.roundId));
		expect(ordered.map(({ pair }) => pair)).toEqual(ordered.map(({ pair }) => pair).sort());
	});
});
