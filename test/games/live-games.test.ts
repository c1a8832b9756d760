/** Since when games are live, by the journal. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import { fraction } from '#games/fraction.ts';
import type { Game } from '#games/game.ts';
import { digestOfGame, LiveGames } from '#server/money/casino/live-games.ts';
import { type Act, Journal } from '#server/platform/postgres/journal.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
});
afterAll(() => database.drop());

/** A start of a server with games of these digests, at that time. */
async function started(digests: Readonly<Record<string, string>>, atMs: number, failures = 0): Promise<LiveGames> {
	const { db } = database;
	const journal = new Journal({ db, ledgerKey: LEDGER_KEY, epoch: 0, clock: () => atMs });
	let left = failures;
	const failing = { write: (act: Act) => (left-- > 0 ? Promise.reject(new Error('away')) : journal.write(act)) };
	const games = new LiveGames({ db, journal: failing, process: 'east', log: pino({ level: 'silent' }), digests });
	games.start();
	await expect.poll(() => Object.keys(digests).every((code) => games.since(code) !== null)).toBe(true);
	await games.stop();
	return games;
}

const entries = async () =>
	(await database.db.query(`select at, before, after from journal where act = 'games-live' order by seq`)).rows;

it('notes at the first start all games, and later the game alone whose pay table is another one', async () => {
	const first = { dice: 'a', wheel: 'b' };
	expect((await started(first, 1_000, 1)).since('dice')).toBe(1_000);
	expect((await started(first, 2_000)).since('dice')).toBe(1_000);
	const changed = await started({ dice: 'a', wheel: 'c' }, 3_000);
	expect([changed.since('dice'), changed.since('wheel'), changed.since('lantern-cups')]).toEqual([1_000, 3_000, null]);
	expect(await entries()).toEqual([
		{ at: 1_000, before: { dice: null, wheel: null }, after: first },
		{ at: 3_000, before: { wheel: 'b' }, after: { wheel: 'c' } },
	]);
});

it('tells apart each prize, chance and sentence of a game', () => {
	const [game] = GAMES as readonly [Game];
	const [bet] = game.bets as [Game['bets'][number]];
	const [prize] = bet.prizes as [(typeof bet.prizes)[number]];
	const withPrize = (change: object) => ({ ...game, bets: [{ ...bet, prizes: [{ ...prize, ...change }] }] }) as Game;
	const games = [
		...GAMES,
		withPrize({ pays: fraction(1_000, 999) }),
		withPrize({ chance: fraction(1, 999) }),
		{ ...game, rules: [...game.rules, 'One more.'] } as Game,
	];
	expect(new Set(games.map(digestOfGame)).size).toBe(games.length);
});
