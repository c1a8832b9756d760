/** Games that operators close and limit, on one brand and on all: no round begins, and each that has begun is finished. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { Table } from '../support/tables.ts';
import { ConsoleClient } from './console-client.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

const HOST = 'localhost';
const OTHER = '127.0.0.1';
const rule = (changes: object, host: string | null = HOST) =>
	server.act(host === null ? 'game-rule-set-for-all' : 'game-rule-set', {
		...(host === null ? {} : { host }),
		game: 'dice',
		open: true,
		reason: 'a test',
		...changes,
	});
const play = async ({ token }: Player, stake = 100, game = 'dice', bet = 'under-5000') => {
	const round = { game, bets: [{ stake, bet }], clientRequestId: freshRequestId() };
	return (await server.call('playRound', round as never, token)).code;
};
const inLobby = async ({ token }: Player, code = 'dice') =>
	(await server.result('getCasinoGames', {}, token)).games.find((game) => game.code === code);

describe('a closed game', () => {
	it('begins no round on its brand, shows itself closed in the lobby, and begins them again once it is open', async () => {
		const player = await server.demoGambler();
		await rule({ open: false }, OTHER);
		expect([await play(player), (await inLobby(player))?.enabled]).toEqual([null, true]);
		await rule({ open: false });
		expect([await play(player), (await inLobby(player))?.enabled]).toEqual(['GAME_RESTS', false]);
		expect((await inLobby(player, 'plinko'))?.enabled).toBe(true);
		await rule({ open: true });
		expect(await play(player)).toBeNull();
	});

	it('is closed where all brands or one say so, and stays so over a restart', async () => {
		const player = await server.demoGambler();
		await rule({ open: false }, null);
		expect(await play(player)).toBe('GAME_RESTS');
		const { database } = server;
		await server.stop();
		server = await TestServer.start(database);
		expect(await play(player)).toBe('GAME_RESTS');
		await rule({ open: true }, null);
		expect(await play(player)).toBeNull();
	});

	it('lets a round that has begun be played to its end, with the stake that it adds, and begins no other', async () => {
		const player = await server.demoGambler();
		const begin = async () => {
			for (;;) {
				const begun = { game: 'blackjack', bets: [{ stake: 100, bet: '' }], clientRequestId: freshRequestId() };
				const { round } = await server.result('playRound', begun as never, player.token);
				if (round.next.includes('double')) return round;
			}
		};
		const { roundId } = await begin();
		await rule({ game: 'blackjack', open: false, maxStake: 100 });
		const double = { roundId, action: 'double', clientRequestId: freshRequestId() };
		expect((await server.call('actInRound', double, player.token)).code).toBeNull();
		expect(await play(player, 100, 'blackjack', '')).toBe('GAME_RESTS');
		await rule({ game: 'blackjack' });
	});

	it('takes no bet at its table, whose round goes on', { tags: 'thorough' }, async () => {
		const player = await server.demoPlayer();
		const table = new Table(server, 'lucky-7');
		await rule({ game: 'lucky-7', open: false });
		const bets = [{ bet: table.game.bets[0]?.code ?? '', stake: 100 }];
		const code = await table.whileBetting(async () => {
			const asked = { game: 'lucky-7', bets, clientRequestId: freshRequestId() };
			return (await server.call('placeTableBet', asked as never, player.token)).code;
		});
		expect(code).toBe('GAME_RESTS');
		await rule({ game: 'lucky-7' });
	});

	it('answers the repeated request of a round that was played before with its first answer', async () => {
		const player = await server.demoGambler();
		const asked = { game: 'dice', bets: [{ stake: 100, bet: 'under-5000' }], clientRequestId: freshRequestId() };
		const first = await server.result('playRound', asked as never, player.token);
		await rule({ open: false });
		expect((await server.result('playRound', asked as never, player.token)).round).toEqual(first.round);
		await rule({});
	});
});

describe('a limited game', () => {
	it('takes stakes up to the stricter limit, which the lobby shows', async () => {
		const player = await server.demoGambler();
		await rule({ maxStake: 500 }, null);
		await rule({ maxStake: 200 });
		expect([await play(player, 200), await play(player, 201)]).toEqual([null, 'STAKE_TOO_LARGE']);
		expect((await inLobby(player))?.maxStake).toBe(200);
		await rule({});
		expect([await play(player, 500), await play(player, 501)]).toEqual([null, 'STAKE_TOO_LARGE']);
		await rule({}, null);
		expect(await play(player, 501)).toBeNull();
	});

	it('counts the bets of one round together', async () => {
		const player = await server.demoGambler();
		await rule({ maxStake: 150 });
		const bets = [
			{ stake: 100, bet: 'under-5000' },
			{ stake: 100, bet: 'over-5000' },
		];
		const asked = { game: 'dice', bets, clientRequestId: freshRequestId() };
		const again = async () => (await server.call('playRound', asked as never, player.token)).code;
		expect(await again()).toBe('STAKE_TOO_LARGE');
		await rule({});
		expect(await again()).toBeNull();
	});

	it('counts a stake that is added to a round together with those before it', async () => {
		await rule({ game: 'lucky-7', maxStake: 150 });
		const { gameRules } = server.running.casino;
		const added = (rupees: number) =>
			gameRules.admitStake({ host: HOST, currency: 'INR' }, 'lucky-7', {
				added: rupees * 100,
				inRound: (100 + rupees) * 100,
			});
		expect(() => added(50)).not.toThrow();
		expect(() => added(51)).toThrow(expect.objectContaining({ code: 'STAKE_TOO_LARGE' }));
		await rule({ game: 'lucky-7' });
	});
});

it('members change rules of their brands, and none that all brands share', async () => {
	const about = { name: 'chand', passwordHash: 'none', roles: ['casino'], brands: [HOST] };
	const { staffId } = await server.running.staff.directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	const visit = { address: '127.0.0.1', userAgent: 'a test' };
	client.cookies.set('console-session', await server.running.staff.sessions.begin(staffId, visit, true));
	const closed = { game: 'dice', open: false, reason: 'a test' };
	expect(await client.code('game-rule-set-for-all', closed)).toBe('FORBIDDEN');
	expect(await client.code('game-rule-set', { ...closed, host: OTHER })).toBe('FORBIDDEN');
	expect(await client.code('game-rule-set', { ...closed, host: HOST, game: 'chess' })).toBe('UNKNOWN_GAME');
	expect(await client.result('game-rule-set', { ...closed, host: HOST })).toMatchObject({ open: false });
	const games = await client.result<{ game: string; rules: { host: string | null; open: boolean }[] }[]>(
		'game-rules',
		{},
	);
	expect(games.find(({ game }) => game === 'dice')?.rules).toMatchObject([
		{ host: null, open: true },
		{ host: HOST, open: false },
	]);
	await client.result('game-rule-set', { ...closed, open: true, host: HOST });
});
