/** How a player comes to a game of an outside provider: log-ins, tokens, addresses, definitions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StudioSite } from '../providers/studio-site.ts';
import type { Player, TestServer } from '../support/server.ts';

let site: StudioSite;
let server: TestServer;
beforeAll(async () => {
	site = await StudioSite.open();
	server = site.server;
});
afterAll(() => site.close());

const atLogin = (player: Player | null, gameCode = 'lantern-cups', casinoToken?: string) =>
	server.call(
		'casinoLogin',
		{ casinoToken: casinoToken ?? (player ? site.casinoTokenOf(player.token) : 'x'), gameCode },
		player?.token ?? null,
	);
const atToken = (player: Player | null, gameCode = 'copper-ladder') =>
	server.call(
		'casinoToken',
		{ casinoToken: player ? site.casinoTokenOf(player.token) : 'x', gameCode },
		player?.token ?? null,
	);
const urlOf = (player: Player | null, changes: object = {}) =>
	server.raw(
		'getGameUrl',
		{ userId: String(player?.userId ?? 1), gameCode: 'lantern-cups', gameId: '510001', country: 'IN', ...changes },
		player?.token ?? null,
	);

describe('a log-in at a provider', () => {
	it('casinoLogin: success, with the casino token of the log-in, at two providers', async () => {
		const { accessToken, casinoToken, user } = await server.result('loginAsDemoUser', {});
		const player = { token: accessToken, refreshToken: '', userId: Number(user.userId) };
		for (const gameCode of ['lantern-cups', 'harbour-reels']) {
			const { body } = await atLogin(player, gameCode, casinoToken);
			expect(body.result).toMatchObject({ token: expect.stringMatching(/^[\w-]{32}$/), expireInSeconds: 60 });
			expect(body.result?.url).toContain(`/play?game=${gameCode}&token=${body.result?.token}`);
		}
	});

	it('casinoLogin: refusal of a casino token of another login, of a provider with another door, and of no game', async () => {
		const [player, other] = [await server.demoPlayer(), await server.demoPlayer()];
		expect((await atLogin(player, 'lantern-cups', site.casinoTokenOf(other.token))).code).toBe('FORBIDDEN');
		expect((await atLogin(player, 'copper-ladder')).code).toBe('UNKNOWN_GAME');
		expect((await atLogin(player, 'no-game')).code).toBe('UNKNOWN_GAME');
	});

	it('casinoLogin: not logged in', async () => {
		expect((await atLogin(null)).status).toBe(401);
	});

	it('casinoToken: success, at the provider with a token', async () => {
		const player = await server.demoPlayer();
		const { body } = await atToken(player);
		expect(body.result?.url).toContain('/copper/play?game=copper-ladder');
	});

	it('casinoToken: refusal of a game of a provider with a log-in', async () => {
		expect((await atToken(await server.demoPlayer(), 'lantern-cups')).code).toBe('UNKNOWN_GAME');
	});

	it('casinoToken: not logged in', async () => {
		expect((await atToken(null)).status).toBe(401);
	});
});

describe('the address of a game', () => {
	it('getGameUrl: success, for a provider’s game and for the crash game under its other name', async () => {
		const player = await server.demoPlayer();
		expect((await urlOf(player)).body.result?.url).toContain('/lantern/play?game=lantern-cups&token=');
		const aviator = { gameCode: 'sbe_aviator', gameId: '201206' };
		expect((await urlOf(player, aviator)).body.result).toEqual({ url: '/casino/crash' });
	});

	it('getGameUrl: success, for every game of the list', async () => {
		const player = await server.demoPlayer();
		const { games } = await server.result('getCasinoGames', {});
		for (const { code, launch } of games) {
			const { body } = await urlOf(player, { gameCode: code, gameId: launch?.gameId ?? code });
			expect(body.result?.url).toContain(launch ? `/play?game=${code}&token=` : `/casino/${code}`);
		}
		expect(new Set(games.map(({ launch }) => launch?.door))).toEqual(new Set([undefined, 'login', 'token']));
	});

	it.each([
		['another player’s id', { userId: '1' }, 'FORBIDDEN'],
		['an unknown code', { gameCode: 'no-game' }, 'UNKNOWN_GAME'],
		['the id of another game', { gameId: '520001' }, 'UNKNOWN_GAME'],
		['a country where the game is not offered', { country: 'GB' }, 'UNKNOWN_GAME'],
		['the number of another game of the house', { gameCode: 'dice', gameId: 'mines' }, 'UNKNOWN_GAME'],
		['the crash game with another id', { gameCode: 'sbe_aviator', gameId: '1' }, 'UNKNOWN_GAME'],
		['the crash game in another country', { gameCode: 'sbe_aviator', gameId: '201206', country: 'GB' }, 'UNKNOWN_GAME'],
		['no country', { country: 'India' }, 'VALIDATION_FAILED'],
	])('getGameUrl: refusal of %s', async (_, changes, code) => {
		const answer = await urlOf(await server.demoPlayer(), changes);
		expect([answer.code, answer.body.result]).toEqual([code, null]);
	});

	it('getGameUrl: not logged in', async () => {
		expect((await urlOf(null)).status).toBe(401);
	});
});

describe('a game’s definition', () => {
	const definition = async (name: string) => {
		const response = await fetch(`${server.url}/games/${name}.json`);
		return { status: response.status, body: (await response.json()) as Record<string, unknown> };
	};

	it('is a file by its name, for providers’ games and the house’s own', async () => {
		const cups = await definition('lantern-cups');
		expect(cups.body).toMatchObject({ code: 'lantern-cups', gameId: '510001', returnPercent: 96, countries: ['IN'] });
		expect((await definition('roulette')).body).toMatchObject({ code: 'roulette', rules: expect.any(Array) });
		expect((await definition('no-game')).status).toBe(404);
	});
});
