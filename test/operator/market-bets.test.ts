/** The list of a market's bets: every bet once, in any order, and several of them voided together. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

type Page = ResultOf<'market-bets'>;
type Bet = Page['rows'][number];
type Proposal = ResultOf<'propose'>;

const PASSWORD = 'Correct-horse-9';
const SORTS = ['placed', 'stake', 'price', 'matched', 'profit'] as const;

let server: TestServer;
let asha: ConsoleClient;
let bela: ConsoleClient;
let match: TestMatch;
let players: Player[];
beforeAll(async () => {
	server = await TestServer.start();
	[asha, bela] = [await trader('asha'), await trader('bela')];
	match = await openTestMatch(server);
	players = await Promise.all([server.demoPlayer(), server.demoPlayer(), server.demoPlayer()]);
	await betAtRandom();
});
afterAll(() => server.dispose());

async function trader(name: string): Promise<ConsoleClient> {
	const about = { name, passwordHash: await hashPassword(PASSWORD), roles: ['trader'], brands: null };
	await server.running.staff.directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

/** Bets that meet each other, rest, and are cancelled; many have the same stake and price. */
async function betAtRandom(): Promise<void> {
	const numbers = new SeededNumbers(4);
	for (let turn = 0; turn < 60; turn++) {
		const player = numbers.from(players);
		const side = numbers.from(['BACK', 'LAY'] as const);
		const changes = { side, price: numbers.from([2, 2.1]), stake: numbers.from([100, 200]) };
		const runnerId = numbers.from(match.runnerIds);
		const { body } = await server.call('placeBetV2', betOn(match, { ...changes, runnerId }), player.token);
		if (numbers.chance(20) && body.result)
			await server.call('cancelBet', { betId: body.result.betId, clientRequestId: freshRequestId() }, player.token);
	}
}

async function all(question: object): Promise<Bet[]> {
	const rows: Bet[] = [];
	for (let before: string | null = ''; before !== null; ) {
		const page: Page = await asha.result<Page>('market-bets', {
			marketId: match.marketId,
			count: 7,
			...question,
			before,
		});
		rows.push(...page.rows);
		before = page.next;
	}
	return rows;
}

const VALUES: Record<(typeof SORTS)[number], (bet: Bet) => number> = {
	placed: ({ placedAt }) => Date.parse(placedAt),
	stake: ({ stake }) => stake,
	price: ({ price }) => price,
	matched: ({ matched }) => matched,
	profit: ({ profit }) => profit ?? 0,
};

it.each(SORTS.flatMap((sort) => [true, false].map((isDown) => ({ sort, isDown }))))(
	'has every bet once, sorted by $sort, falling: $isDown',
	async ({ sort, isDown }) => {
		const rows = await all({ sort, isDown });
		const { rows: stored } = await server.database.db.query<{ id: string }>(
			'select bet_id::text as id from bet where market_id = $1',
			[Number(match.marketId)],
		);
		expect(stored.length).toBeGreaterThan(30);
		expect(rows.map(({ betId }) => betId).sort()).toEqual(stored.map(({ id }) => id).sort());
		const byHand = rows.toSorted((one, other) => {
			const difference = VALUES[sort](one) - VALUES[sort](other) || Number(one.betId) - Number(other.betId);
			return isDown ? -difference : difference;
		});
		expect(rows).toEqual(byHand);
	},
);

it('has those of a runner, a side, a player or a state alone', async () => {
	const rows = await all({});
	const [first] = rows;
	if (!first) throw new Error('there is no bet');
	const { playerId } = first;
	const questions: [object, (bet: Bet) => boolean][] = [
		[{ runner: 'Nepal' }, ({ runner }) => runner === 'Nepal'],
		[{ side: 'LAY' }, ({ side }) => side === 'LAY'],
		[{ playerId }, (bet) => bet.playerId === playerId],
		[{ state: 'UNMATCHED' }, ({ remaining }) => remaining > 0],
		[{ state: 'MATCHED' }, ({ matched }) => matched > 0],
		[{ state: 'CANCELLED', side: 'BACK' }, ({ gone, stake, side }) => gone === stake && side === 'BACK'],
	];
	for (const [question, isWanted] of questions) {
		const wanted = rows.filter(isWanted);
		expect(wanted.length).toBeGreaterThan(0);
		expect([question, await all(question)]).toEqual([question, wanted]);
	}
});

it('gives several bets to one void, which a second member confirms', async () => {
	const { marketId } = match;
	await asha.result('suspend', { marketId });
	const chosen = (await all({ state: 'MATCHED' })).slice(0, 3).map(({ betId }) => betId);
	const asked = { act: 'void-bets', input: { marketId, betIds: chosen }, reason: 'The price was wrong.' };
	const { proposalId } = await asha.result<Proposal>('propose', asked);
	expect(await asha.code('confirm', { proposalId })).toBe('SAME_PERSON');
	await bela.result('confirm', { proposalId });
	const after = new Map((await all({})).map((bet) => [bet.betId, bet]));
	expect(chosen.map((betId) => after.get(betId)?.matched)).toEqual([0, 0, 0]);
	await expectSound(server.database.db);
});
