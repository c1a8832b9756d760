/** A market as it was at any time: against the books that the exchange had, and its sealed export. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { verifierKeyText } from '#public-log/signed-note.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { logKeyOf } from '#server/platform/keys/log-key.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { runTool } from '../support/run-tool.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY, type Player, TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

type Replay = ResultOf<'market-replay'>;
type Export = ResultOf<'market-export'>;

const PASSWORD = 'Correct-horse-9';
const { name, publicKey } = logKeyOf(LEDGER_KEY);
const KEY = verifierKeyText({ name, kind: 'log', publicKey });

let server: TestServer;
let trader: ConsoleClient;
let owner: ConsoleClient;
let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'replay-'));
	server = await TestServer.start();
	[trader, owner] = [await member('asha', 'trader'), await member('olga', 'owner')];
});
afterAll(async () => {
	await rm(folder, { recursive: true });
	await expectSound(server.database.db);
	await server.dispose();
});

async function member(name: string, role: string): Promise<ConsoleClient> {
	const about = { name, passwordHash: await hashPassword(PASSWORD), roles: [role], brands: null };
	await server.running.staff.directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const place = async (match: TestMatch, { token }: Player, changes: Record<string, unknown>) => {
	const { body } = await server.call('placeBetV2', betOn(match, changes), token);
	return body.result?.betId ?? null;
};

/** The durable book of the demo pool, as the replay shows one. */
function bookNow({ marketId }: TestMatch) {
	const book = server.running.exchange.book(Number(marketId), 'DEMO');
	const level = ({ price, size }: { price: number; size: number }) => ({ price: price / 100, size: size / 100 });
	return (book?.runners ?? []).map(({ back, lay, lastPriceTraded: last, totalMatched }) => ({
		back: back.map(level),
		lay: lay.map(level),
		last: last === null ? null : last / 100,
		matched: totalMatched / 100,
	}));
}
const stateNow = ({ marketId }: TestMatch) => {
	const { status = '', inPlay = false, version = 0 } = server.running.exchange.market(Number(marketId)) ?? {};
	return { status, inPlay, version };
};

const replayOf = (match: TestMatch, at?: number) =>
	trader.result<Replay>('market-replay', {
		marketId: match.marketId,
		...(at === undefined ? {} : { at: new Date(at).toISOString() }),
	});
const booksOf = ({ books }: Replay) => books.find(({ pool }) => pool === 'DEMO')?.runners ?? null;

describe('bets, cancellations, delays, suspensions and the close in any order', () => {
	onSeeds([1, 2, 3], 'are replayed as they were (seed %i)', async (seed) => {
		const numbers = new SeededNumbers(seed);
		const match = await openTestMatch(server, { betDelaySeconds: numbers.from([0, 1]) });
		const players = await Promise.all([1, 2, 3].map(() => server.demoPlayer()));
		const placed: [betId: string, player: Player][] = [];
		/** By instant: an instant with two commands shows the second. */
		const seen = new Map<number, { book: ReturnType<typeof bookNow>; state: ReturnType<typeof stateNow> }>();
		/** While a bet that is due is on its way to the book, its instant is past and the book is not durable. */
		const isDue = (at: number) =>
			players.some(({ userId }) =>
				server.running.exchange.openBets(userId).some(({ delay }) => delay !== null && delay.dueAtMs <= at),
			);
		const look = async () => {
			const at = server.running.exchange.now();
			if (!isDue(at)) seen.set(at, { book: bookNow(match), state: stateNow(match) });
			// What follows is of a later instant.
			while (server.running.exchange.now() === at) await turnOfOthers();
		};
		await look();
		for (let turn = 0; turn < 60; turn++) {
			const player = numbers.from(players);
			const kind = numbers.below(20);
			if (kind < 11) {
				const price = numbers.from([1.9, 2, 2.02, 2.1]);
				const [side, stake] = [numbers.from(['BACK', 'LAY']), 10 + numbers.below(40)];
				const runnerId = numbers.from(match.runnerIds);
				const persistence = numbers.from(['LAPSE', 'PERSIST']);
				const betId = await place(match, player, { side, price, stake, runnerId, persistence });
				if (betId) placed.push([betId, player]);
			} else if (kind < 16 && placed.length > 0) {
				const [betId, { token }] = numbers.from(placed);
				const sizeReduction = numbers.chance(50) ? { sizeReduction: 5 } : {};
				await server.call('cancelBet', { betId, clientRequestId: freshRequestId(), ...sizeReduction }, token);
			} else if (kind === 16) await trader.call('suspend', { marketId: match.marketId, lapse: numbers.chance(30) });
			else if (kind === 17) await trader.call('resume', { marketId: match.marketId });
			else if (kind === 18 && turn > 30 && !stateNow(match).inPlay) await match.market.turnInPlay();
			await look();
		}
		await match.market.close();
		await look();
		expect(seen.size).toBeGreaterThan(20);
		for (const [at, { book, state }] of seen) {
			const replay = await replayOf(match, at);
			expect([at, replay.state]).toEqual([at, state]);
			const rows = booksOf(replay);
			const isEmpty = book.every(({ back, lay, last }) => back.length + lay.length === 0 && last === null);
			if (rows === null) expect([at, isEmpty]).toEqual([at, true]);
			else expect([at, rows]).toEqual([at, book]);
		}
	});
});

describe('a replay', () => {
	it('names players for members who may see them, and shows operators’ acts by then', async () => {
		const match = await openTestMatch(server);
		const player = await server.demoPlayer();
		await place(match, player, { stake: 30 });
		await trader.result('suspend', { marketId: match.marketId });
		const shown = await replayOf(match);
		expect(shown.acts.map(({ who, what }) => [who, what])).toEqual([['asha', 'suspend']]);
		expect(shown.bets).toMatchObject([{ playerId: null, stake: 30, resting: 30 }]);
		const first = await replayOf(match, Date.parse(shown.from ?? ''));
		expect([first.acts, first.bets, first.state?.status]).toEqual([[], [], 'OPEN']);
		const ofOwner = await owner.result<Replay>('market-replay', { marketId: match.marketId });
		expect(ofOwner.bets[0]?.playerId).toBe(String(player.userId));
	});
});

describe('a sealed export', () => {
	const verify = async (file: string) => {
		const path = join(folder, 'export.txt');
		await writeFile(path, file);
		const { code, stdout } = await runTool('tools/export-verify.ts', [path, '--key', KEY], process.env);
		return { code, ...(JSON.parse(stdout) as { ok: boolean; wrong?: string; counts?: Record<string, number> }) };
	};
	const exportOf = ({ marketId }: TestMatch, persons = false, by = trader) =>
		by.result<Export>('market-export', { marketId, persons });

	async function playedMatch(): Promise<{ match: TestMatch; players: Player[] }> {
		const match = await openTestMatch(server);
		const players = [await server.demoPlayer(), await server.demoPlayer()];
		for (const [at, side] of ['LAY', 'BACK'].entries())
			await place(match, players[at] as Player, { side, price: 2, stake: 50 });
		await match.settle(0);
		return { match, players };
	}

	it('has bets, matches, results and acts, which the command verifies by the published key', async () => {
		const { match } = await playedMatch();
		const { file, sha256 } = await exportOf(match);
		expect(await verify(file)).toMatchObject({
			code: 0,
			ok: true,
			hasPersons: false,
			counts: { bet: 2, match: 1, settlement: 2, market: 1 },
		});
		const { rows } = await server.database.db.query(
			`select actor, details ->> 'sha256' as sha256 from journal where act = 'MARKET_EXPORTED' and subject = $1`,
			[`market ${match.marketId}`],
		);
		expect(rows).toEqual([{ actor: 'asha', sha256 }]);
	});

	it.each([
		['a changed stake', (file: string) => file.replace('"stake":5000', '"stake":5001')],
		['a record less', (file: string) => file.slice(file.indexOf('\n') + 1)],
		['a changed manifest', (file: string) => file.replace('"exportedBy":"asha"', '"exportedBy":"olga"')],
		['no signature', (file: string) => file.slice(0, file.lastIndexOf('\n\n') + 2)],
	])('with %s is refused', async (_, change) => {
		const { match } = await playedMatch();
		const { file } = await exportOf(match);
		expect(change(file)).not.toBe(file);
		expect(await verify(change(file))).toMatchObject({ code: 1, ok: false });
	});

	it('is refused where bets of the market are in a detached month', async () => {
		const { match } = await playedMatch();
		const { db } = server.database;
		await db.query(
			`insert into detached_month (month, last_bet_id, bets, matches, key_id, seal) values ('2020-01', 0, 0, 0, '', '')`,
		);
		await db.query(`insert into detached_bets values ('2020-01', $1, 1001, 5000, 0)`, [Number(match.marketId)]);
		expect(await trader.code('market-export', { marketId: match.marketId })).toBe('WRONG_MARKET_STATE');
		await db.query('delete from detached_month');
		expect((await exportOf(match)).file).not.toBe('');
	});

	it('names wallets only for members who may see players', async () => {
		const { match, players } = await playedMatch();
		const names = (file: string) => players.filter(({ userId }) => file.includes(`"who":"${userId}"`)).length;
		expect(names((await exportOf(match)).file)).toBe(0);
		expect(await trader.code('market-export', { marketId: match.marketId, persons: true })).toBe('FORBIDDEN');
		const { file } = await exportOf(match, true, owner);
		expect(names(file)).toBe(2);
		expect(await verify(file)).toMatchObject({ ok: true, hasPersons: true });
	});
});
