/**
 * No input of a player or an operator reaches a constraint of the ledger: the server refuses it before the database
 * would, with a code, and the exchange continues. Every constraint has a case here; a new one needs a new case.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TABLES } from '#server/exchange/ledger/batch-tables.ts';
import type { StepMove } from '#server/exchange/order/workflow.ts';
import type { Refused } from '#values/error-catalogue.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { firstRound } from '../support/tables.ts';
import { codeOf } from './code-of.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { tableSpeed: 10 });
	for (const userName of ['first', 'second'])
		await server.act('create-player', { userName, password: 'a long enough Passw0rd!' });
});
afterAll(() => server.dispose());

/** The rows of the committer's statement. */
const LEDGER_TABLES = ['lease', 'batch_seal', ...TABLES.map(({ into }) => into)];

/** Names of all keys, checks and references of those tables, unique indexes among them; partitions have their table's. */
async function constraints(): Promise<string[]> {
	const { rows } = await server.database.db.query<{ name: string }>(
		`select conname as name from pg_constraint join pg_class as of on of.oid = conrelid
		 where of.relname = any($1) and conparentid = 0 and contype <> 'n'
		 union select made.relname from pg_index
		 join pg_class as of on of.oid = indrelid join pg_class as made on made.oid = indexrelid
		 where of.relname = any($1) and indisunique order by 1`,
		[LEDGER_TABLES],
	);
	return rows.map(({ name }) => name);
}

/** Rises when the exchange had to be recovered. */
const epoch = async (): Promise<number> =>
	(await server.database.db.query<{ epoch: number }>('select epoch from lease')).rows[0]?.epoch ?? 0;

const codesOf = (answers: readonly { code: string | null }[]) => answers.map(({ code }) => code).sort();
const grant = (userName: string, grantId: number, amount: number) =>
	server.operator('add-money', { userName, grantId, amount });
const place = (match: TestMatch, player: Player, changes: Record<string, unknown>) =>
	server.result('placeBetV2', betOn(match, changes), player.token);

/** Two triggers that one match reaches, while other bets come. */
async function reachedTogether(): Promise<void> {
	const match = await openTestMatch(server);
	const [owner, layer, backer] = [await server.demoPlayer(), await server.demoPlayer(), await server.demoPlayer()];
	const asked = () => ({ ...betOn(match, { price: 4, stake: 10 }), moves: 'FALLS', at: 3 }) as never;
	await Promise.all([1, 2].map(() => server.result('placeTrigger', asked(), owner.token)));
	await place(match, layer, { side: 'LAY', price: 3, stake: 100 });
	await Promise.all([1, 2, 3].map(() => place(match, backer, { price: 3, stake: 10 })));
	const openBets = async () => (await server.result('getUserOpenBets', {}, owner.token)).openBets;
	await expect.poll(openBets).toHaveLength(2);
}

/** Holds back every commit until `meanwhile` is done, so that commands share batches and see one another undone. */
async function withoutCommits<T>(meanwhile: () => T): Promise<T> {
	const client = await server.database.db.connect();
	try {
		await client.query('begin; select 1 from lease for update');
		const result = meanwhile();
		const isBlocked = async () =>
			(await server.database.db.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)).rowCount;
		await expect.poll(isBlocked).toBeGreaterThan(0);
		return result;
	} finally {
		await client.query('commit');
		client.release();
	}
}

/** Backs 100 at 2.00 against two lays at two times; the first layer has met another bet as well. */
async function severalMatches(match: TestMatch): Promise<{ betId: string; until: string }> {
	const [other, backer, layer, late] = [
		await server.demoPlayer(),
		await server.demoPlayer(),
		await server.demoPlayer(),
		await server.demoPlayer(),
	];
	await place(match, other, { stake: 50 });
	const { betId } = await place(match, backer, { stake: 100 });
	const { placedAt } = await place(match, layer, { side: 'LAY', stake: 100 });
	await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(placedAt) + 1);
	await place(match, late, { side: 'LAY', stake: 50 });
	return { betId, until: placedAt };
}

const CASES: Record<string, () => Promise<void>> = {
	lease_pkey: async () => {},
	lease_id_check: async () => {},
	// One row a batch, in the statement that moves the batch's number.
	batch_seal_pkey: async () => {},
	auto_cash_out_pkey: async () => {
		const match = await openTestMatch(server);
		const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		await place(match, backer, { stake: 100 });
		await place(match, layer, { side: 'LAY', stake: 100 });
		const { marketId } = match;
		const targets = [500, 600, null, 700, 700].map((target) =>
			server.call('setCashOutTarget', { marketId, target }, backer.token),
		);
		expect(codesOf(await Promise.all(targets))).toEqual([null, null, null, null, null]);
	},
	bet_terms_pkey: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const bet = betOn(match, { price: 50, stake: 10, postOnly: 'REFUSE', goodForSeconds: 600 });
		// One request repeated: its bet has its terms once.
		const placed = await Promise.all([bet, bet].map((asked) => server.result('placeBetV2', asked, token)));
		expect(placed[0]?.betId).toBe(placed[1]?.betId);
	},
	bet_terms_check: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const bet = betOn(match, { price: 50, stake: 10 });
		// Null and left out are no terms, and leave no row.
		expect(codesOf([await server.call('placeBetV2', bet, token)])).toEqual([null]);
		expect(codesOf([await server.call('placeBetV2', { ...bet, goodTill: null } as never, token)])).toEqual([
			'VALIDATION_FAILED',
		]);
	},
	bet_terms_post_only_check: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		for (const postOnly of ['MOVE', '', 1]) {
			const bet = { ...betOn(match, { price: 50, stake: 10 }), postOnly } as never;
			expect(codesOf([await server.call('placeBetV2', bet, token)])).toEqual(['VALIDATION_FAILED']);
		}
	},
	bet_terms_until_matched_check: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		for (const goodUntilMatched of [-1, 0, '', null]) {
			const bet = { ...betOn(match, { price: 50, stake: 10 }), goodUntilMatched } as never;
			expect(codesOf([await server.call('placeBetV2', bet, token)])).toEqual(['VALIDATION_FAILED']);
		}
	},
	bet_terms_self_match_check: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		for (const selfMatch of ['ALLOW', '', 1]) {
			const bet = { ...betOn(match, { price: 50, stake: 10 }), selfMatch } as never;
			expect(codesOf([await server.call('placeBetV2', bet, token)])).toEqual(['VALIDATION_FAILED']);
		}
		const bet = betOn(match, { price: 50, stake: 10, selfMatch: 'LAPSE_TAKING' });
		expect(codesOf([await server.call('placeBetV2', bet, token)])).toEqual([null]);
	},
	bet_trigger_pkey: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const asked = { ...betOn(match, { price: 4 }), moves: 'FALLS', at: 3 } as never;
		const placed = await Promise.all([1, 2, 3].map(() => server.result('placeTrigger', asked, token)));
		expect(new Set(placed.map(({ triggerId }) => triggerId)).size).toBe(1);
	},
	// Two triggers that the same match reaches place a bet each; what each looks at and does is refused or written, never both.
	bet_trigger_bet_id_key: () => reachedTogether(),
	bet_trigger_status_check: () => reachedTogether(),
	bet_trigger_watches_check: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const asked = { ...betOn(match, { price: 4 }), moves: 'FALLS', at: 3, watches: 'WORST' } as never;
		expect(codesOf([await server.call('placeTrigger', asked, token)])).toEqual(['VALIDATION_FAILED']);
	},
	// A group that is opened twice at once is one.
	order_group_pkey: async () => {
		const { token } = await server.demoPlayer();
		const asked = [500, 600].map((most) => server.call('setOrderGroup', { name: 'quotes', most } as never, token));
		expect(codesOf(await Promise.all(asked))).toEqual([null, null]);
		expect((await server.result('getOrderGroups', {}, token)).groups).toHaveLength(1);
	},
	order_group_name_check: async () => {
		const { token } = await server.demoPlayer();
		for (const name of ['', 'a'.repeat(33), 'टीम', null]) {
			const asked = { name, most: 500 } as never;
			expect(codesOf([await server.call('setOrderGroup', asked, token)])).toEqual(['VALIDATION_FAILED']);
		}
	},
	order_group_most_check: async () => {
		const { token } = await server.demoPlayer();
		for (const most of [0, -1, 0.001]) {
			const asked = { name: 'quotes', most } as never;
			expect(codesOf([await server.call('setOrderGroup', asked, token)])).toEqual(['VALIDATION_FAILED']);
		}
	},
	// Plans have what the others lack, and no price to wait for.
	bet_trigger_plan_check: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const asked = { ...betOn(match, { price: 4 }), moves: 'FALLS', at: 3, plan: { kind: 'PEG' } } as never;
		expect(codesOf([await server.call('placeTrigger', asked, token)])).toEqual(['VALIDATION_FAILED']);
		const plan = { ...betOn(match, { price: 4 }), plan: { kind: 'PEG' }, watches: 'BEST' } as never;
		expect(codesOf([await server.call('placePlan', plan, token)])).toEqual(['VALIDATION_FAILED']);
		const sound = { ...betOn(match, { price: 4 }), plan: { kind: 'ICEBERG', visible: 50 } } as never;
		expect(codesOf([await server.call('placePlan', sound, token)])).toEqual([null]);
	},
	bet_trigger_moves_check: async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const asked = { ...betOn(match, { price: 4 }), moves: 'JUMPS', at: 3 } as never;
		expect(codesOf([await server.call('placeTrigger', asked, token)])).toEqual(['VALIDATION_FAILED']);
	},
	wallet_self_match_check: async () => {
		const { token } = await server.demoPlayer();
		for (const selfMatch of ['ALLOW', '', null]) {
			expect(codesOf([await server.call('setSelfMatch', { selfMatch } as never, token)])).toEqual([
				'VALIDATION_FAILED',
			]);
		}
	},
	bet_reference_pkey: async () => {
		const { market } = await openTestMatch(server);
		const { userId: walletId } = await server.demoPlayer();
		const marketId = market.listing.id;
		const bet = {
			kind: 'place-bet',
			walletId,
			marketId,
			runner: 0,
			side: 0,
			price: 300,
			stake: 1_000,
			persist: false,
		} as const;
		const key = { walletId, clientRequestId: freshRequestId(), body: 'named' };
		const references = { orderRef: 'one', strategyRef: null };
		// The same name many times, and one request repeated: each bet is named once.
		const asked = [key, key, undefined, undefined].map((of) => server.running.exchange.submit(bet, of, { references }));
		expect(new Set((await Promise.all(asked)).map(({ betId }) => betId)).size).toBe(3);
	},
	posting_pkey: async () => {
		expect((await grant('first', 1, 10)).code).toBeNull();
		// The same act again gets the first answer; the id stands for no other player and no other amount.
		expect((await grant('first', 1, 10)).code).toBeNull();
		expect((await grant('second', 1, 10)).code).toBe('REQUEST_ID_REUSED');
		expect((await grant('first', 1, 11)).code).toBe('REQUEST_ID_REUSED');
		const both = await Promise.all([grant('first', 2, 10), grant('second', 2, 10), grant('first', 2, 10)]);
		// Whichever arrives first has the id.
		const [first, second, again] = both.map(({ code }) => code);
		expect([first, second].sort()).toEqual(['REQUEST_ID_REUSED', null]);
		expect(again).toBe(first);
		// Long after, when the request itself is no longer kept.
		await server.database.db.query(`delete from request_key where client_request_id = 'grant-2'`);
		expect((await grant(first === null ? 'second' : 'first', 2, 10)).code).toBe('REQUEST_ID_REUSED');
		// The demo players' grants bear their own numbers.
		expect((await grant('first', (await server.demoPlayer()).userId, 10)).code).toBe('REQUEST_ID_REUSED');
	},
	posting_amount_check: async () => {
		for (const amount of [0, -1, 0.001, 10 ** 13]) expect((await grant('first', 3, amount)).status).toBe(400);
	},
	wallet_pkey: async () => {
		const made = await Promise.all(
			Array.from({ length: 5 }, () =>
				server.operator('create-player', { userName: 'third', password: 'a long enough Passw0rd!' }),
			),
		);
		expect(codesOf(made).filter((code) => code === null)).toHaveLength(1);
	},
	wallet_exposure_check: async () => {
		const match = await openTestMatch(server);
		const player = await server.demoPlayer();
		const { betId } = await place(match, player, { stake: 20_000 });
		const cancel = () => server.call('cancelBet', { betId, clientRequestId: freshRequestId() }, player.token);
		const all = () => server.call('cancelAll', { clientRequestId: freshRequestId() }, player.token);
		await Promise.all([cancel(), all(), cancel(), all(), cancel()]);
		expect(server.money(player)).toEqual([20_000, 0]);
	},
	wallet_hold_check: async () => {
		const { userId: walletId } = await server.demoPlayer();
		const [first, rest] = await Promise.all([
			withdraw(walletId, 1_500_000, { from: null, to: 'REQUESTED' }),
			withdraw(walletId, 1_500_000, { from: null, to: 'REQUESTED' }),
		]);
		expect([first?.code, rest?.code].sort()).toEqual(['INSUFFICIENT_FUNDS', 'done']);
		const id = first?.id ?? rest?.id ?? 0;
		const paid = await Promise.all(
			['PAID', 'PAID', 'FAILED'].map((to) => withdraw(walletId, 1_500_000, { id, from: 'REQUESTED', to })),
		);
		expect(paid.map(({ code }) => code).sort()).toEqual(['WRONG_STATE', 'WRONG_STATE', 'done']);
	},
	wallet_bonus_check: async () => {
		const { userId: walletId } = await server.demoPlayer();
		const moves = [{ debit: 'bonus', credit: 'cash', amount: 100 }] as const;
		const step = { workflow: 'BONUS', from: null, to: 'RELEASED', isOpen: false, actor: 'server', moves } as const;
		const request = { kind: 'transfer', walletId, pool: 'DEMO', steps: [step] } as const;
		await expect(server.running.exchange.submit(request)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
	},
	workflow_pkey: () => manyAtOnce(),
	workflow_step_pkey: () => manyAtOnce(),
	// Real money has no provider here, so nothing of it is ordered or paid out.
	workflow_simulator_moves_no_real_money: async () =>
		expect(server.running.funds.payments.isOpenTo('REAL')).toBe(false),
	// test/funds/currencies.test.ts has the refusals of parts of a yen, where its pools are served.
	posting_amount_of_coins: async () => {
		const walletId = (await server.demoPlayer()).userId;
		const request = { kind: 'transfer', walletId, pool: 'DEMO-JPY', steps: [] } as const;
		await expect(server.running.exchange.submit(request)).rejects.toMatchObject({ code: 'OTHER_POOL' });
	},
	workflow_simulator_moves_no_further_real_money: async () =>
		expect(server.running.funds.payments.isOpenTo('REAL-EUR')).toBe(false),
	// A pool of another currency has no rounds of a house's beacon where it is not served.
	workflow_local_beacon_takes_no_further_real_money: async () => {
		const brand = { host: 'localhost', pool: 'REAL-EUR' as const };
		const created = server.running.players.createPlayer({ userName: 'real-in-euros', password: PASSWORD, brand });
		await expect(created).rejects.toMatchObject({ code: 'OTHER_POOL' });
	},
	// The beacon of a server without relays is local.
	workflow_local_beacon_takes_no_real_money: async () => {
		const brand = { host: 'localhost', pool: 'REAL' as const };
		await server.running.players.createPlayer({ userName: 'real-at-crash', password: PASSWORD, brand });
		const login = { userNameOrEmailAddress: 'real-at-crash', password: PASSWORD };
		const { accessToken } = await server.result('authenticate', login);
		await firstRound(server);
		const bet = { slot: 1, stake: 10, clientRequestId: freshRequestId() } as const;
		expect((await server.raw('placeCrashBet', bet, accessToken)).code).toBe('TABLE_CLOSED');
	},
	receipt_root_pkey: async () => {
		const { exchange } = server.running;
		const ids = ['one', 'two', 'three'];
		// Two of them are in one batch.
		const written = ids.map((id) =>
			exchange.writeReceiptRoot(() => ({ id, size: 1, root: Buffer.alloc(32), atMs: exchange.now(), onDemand: null })),
		);
		await Promise.all(written);
		const { rows } = await server.database.db.query<{ id: string }>('select id from receipt_root order by id');
		expect(rows.map(({ id }) => id)).toEqual(ids.toSorted());
	},
	webhook_event_pkey: async () => {
		const subscribed = { host: 'localhost', url: 'http://127.0.0.1:9/', events: ['finding.raised'] };
		await server.act('webhook-add', subscribed);
		const { userId: walletId } = await server.playPlayer();
		const step = {
			workflow: 'FINDING',
			from: null,
			to: 'OPEN',
			isOpen: true,
			actor: 'test',
			data: { name: 'x' },
		} as const;
		const request = { kind: 'transfer', walletId, pool: 'PLAY', steps: [step] } as const;
		// One batch has several events.
		const raised = await Promise.all(Array.from({ length: 5 }, () => server.running.exchange.submit(request)));
		expect(raised).toHaveLength(5);
	},
	workflow_claim_pkey: async () => {
		const { userId: walletId } = await server.demoPlayer();
		const coins = () =>
			codeOf(
				server.running.exchange.submit({
					kind: 'transfer',
					walletId,
					pool: 'DEMO',
					steps: [
						{
							workflow: 'COINS',
							from: null,
							to: 'GIVEN',
							isOpen: false,
							actor: 'server',
							claims: [`coins:${walletId}`, 'coins:all'],
							moves: [{ debit: 'mint', credit: 'cash', amount: 100 }],
						},
					],
				}),
			);
		expect((await withoutCommits(() => Promise.all([coins(), coins(), coins()]))).sort()).toEqual([
			'ALREADY_CLAIMED',
			'ALREADY_CLAIMED',
			'done',
		]);
		expect(await coins()).toBe('ALREADY_CLAIMED');
	},
	house_account_pkey: () => settledTwice(),
	house_account_check: () => settledTwice(),
	player_settlement_pkey: () => settledTwice(),
	money_at_risk_pkey: () => settledTwice(),
	money_at_risk_amount_check: () => settledTwice(),
	money_at_risk_check: () => settledTwice(),
	market_state_pkey: async () => {
		const { eventId } = await openTestMatch(server);
		const market = { eventId, name: 'Opened twice', type: 'MATCH_ODDS', runners: ['One', 'Other'] };
		const opened = await Promise.all(Array.from({ length: 3 }, () => server.operator('open-market', market)));
		expect(opened.filter(({ code }) => code === null).length).toBeGreaterThan(0);
	},
	bet_end_pkey: () => settledTwice(),
	bet_pkey: async () => {
		const match = await openTestMatch(server);
		const player = await server.demoPlayer();
		await Promise.all(Array.from({ length: 50 }, () => place(match, player, { stake: 10 })));
		const { openBets } = await server.result('getUserOpenBets', {}, player.token);
		expect(new Set(openBets.map(({ betId }) => betId)).size).toBe(50);
	},
	bet_check: async () => {
		const match = await openTestMatch(server);
		const player = await server.demoPlayer();
		const { betId } = await place(match, player, { stake: 100 });
		const take = (sizeReduction: number) =>
			server.call('cancelBet', { betId, sizeReduction, clientRequestId: freshRequestId() }, player.token);
		const answers = await Promise.all([take(60), take(60), take(60), take(1_000)]);
		expect(codesOf(answers).filter((code) => code === null)).toHaveLength(1);
	},
	bet_match_batch_line_at_key: async () => {
		const match = await openTestMatch(server);
		await withoutCommits(() => Promise.all([severalMatches(match), severalMatches(match)]));
	},
	market_event_pkey: async () => {
		const match = await openTestMatch(server);
		const player = await server.demoPlayer();
		const bets = await Promise.all([10, 20].map((stake) => place(match, player, { stake })));
		const cancel = ({ betId }: { betId: string }) =>
			server.call('cancelBet', { betId, clientRequestId: freshRequestId() }, player.token);
		const answers = await withoutCommits(() => Promise.all([...bets, ...bets].map(cancel)));
		expect(codesOf(answers).filter((code) => code === null)).toHaveLength(2);
	},
	void_match_pkey: async () => {
		const match = await openTestMatch(server);
		const { betId, until } = await severalMatches(match);
		const voided = () => server.operator('void-bets', { marketId: match.marketId, betId, to: until });
		const answers = await withoutCommits(() => Promise.all([voided(), voided()]));
		expect(codesOf(answers)).toEqual(['ORDER_NOT_ACTIVE', null].sort());
		expect((await voided()).code).toBe('ORDER_NOT_ACTIVE');
	},
	request_key_pkey: async () => {
		const match = await openTestMatch(server);
		const player = await server.demoPlayer();
		const bet = betOn(match, { stake: 10 });
		const other = { ...bet, stake: 11 };
		const answers = await withoutCommits(() =>
			Promise.all([bet, bet, other, bet].map((one) => server.call('placeBetV2', one, player.token))),
		);
		expect(codesOf(answers)).toEqual(['REQUEST_ID_REUSED', null, null, null]);
	},
};

/** A step of a withdrawal: the first holds the amount, any other pays it. */
async function withdraw(walletId: number, amount: number, step: { id?: number; from: string | null; to: string }) {
	const isNew = step.from === null;
	const move = isNew ? { debit: 'cash', credit: 'hold', amount } : { debit: 'hold', credit: 'bank', amount };
	try {
		const receipt = await server.running.exchange.submit({
			kind: 'transfer',
			walletId,
			pool: 'DEMO',
			steps: [{ workflow: 'WITHDRAWAL', ...step, isOpen: isNew, actor: 'player', moves: [move as StepMove] }],
		});
		return { code: 'done', id: receipt.workflows?.[0]?.id };
	} catch (error) {
		return { code: (error as Refused).code };
	}
}

/** Many new workflows in a few batches, some refused between them, and every step of each asked for twice. */
async function manyAtOnce(): Promise<void> {
	const { userId: walletId } = await server.demoPlayer();
	const made = await withoutCommits(() =>
		Promise.all(
			Array.from({ length: 30 }, (_, at) =>
				withdraw(walletId, at % 3 === 0 ? 10 ** 9 : 100, { from: null, to: 'REQUESTED' }),
			),
		),
	);
	const ids = made.flatMap(({ id }) => (id === undefined ? [] : [id]));
	expect(new Set(ids).size).toBe(20);
	const paid = await withoutCommits(() =>
		Promise.all([...ids, ...ids].map((id) => withdraw(walletId, 100, { id, from: 'REQUESTED', to: 'PAID' }))),
	);
	expect(paid.filter(({ code }) => code === 'done')).toHaveLength(20);
}

async function settledTwice(): Promise<void> {
	const match = await openTestMatch(server);
	await severalMatches(match);
	const settle = (winner: string) => server.operator('settle', { marketId: match.marketId, winners: [winner] });
	const reopen = () => server.operator('reopen', { marketId: match.marketId });
	expect(codesOf(await Promise.all([settle('India'), settle('Nepal')]))).toEqual(['WRONG_MARKET_STATE', null]);
	expect(codesOf(await Promise.all([reopen(), reopen()]))).toContain(null);
	expect(codesOf(await Promise.all([settle('Nepal'), settle('India')]))).toEqual(['WRONG_MARKET_STATE', null]);
}

let epochBefore = 0;
beforeEach(async () => {
	epochBefore = await epoch();
});

it('every constraint of the ledger has a case', async () => {
	expect(Object.keys(CASES).sort()).toEqual(await constraints());
});

it.each(Object.keys(CASES))('%s cannot be violated', async (name) => {
	await CASES[name]?.();
	const match = await openTestMatch(server);
	expect((await place(match, await server.demoPlayer(), { stake: 10 })).betId).toEqual(expect.any(String));
	expect(await epoch()).toBe(epochBefore);
});
