/** Limits of markets that tighten by rules: the steps, operators who overrule them, and races. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { LimitRules } from '#server/operators/limit-rules/limit-rules.ts';
import { EASED, TIGHTENED } from '#server/operators/limit-rules/limit-watch.ts';
import type { ProposalView } from '#server/operators/proposal-rows.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { limitsUnder, stepsHolding } from '#values/limit-steps.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { GatedDatabase } from '../ledger/gated-database.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, openTestMatch, quotesAround, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

type Rules = ResultOf<'limit-rules'>;

const PASSWORD = 'Correct-horse-9';
/** Of demo money, what one player can lose. */
const RULE = { pool: 'DEMO', watches: 'PLAYER' } as const;
const STEPS = [
	{ from: 100, maxStake: 50, maxExposure: 300 },
	{ from: 200, maxStake: 20 },
];

let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	for (const name of ['maker', 'checker']) {
		const about = { name, passwordHash: await hashPassword(PASSWORD), roles: ['trader'], brands: null };
		await server.running.staff.directory.add(about, { actor: 'test', address: null });
	}
	[maker, checker] = [await logIn('maker'), await logIn('checker')];
	await setRule({ ...RULE, steps: STEPS });
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

async function logIn(name: string): Promise<ConsoleClient> {
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

async function setRule(input: object): Promise<void> {
	const asked = { act: 'limit-rule-set', input, reason: 'The desk decided so.' };
	const { proposalId } = await maker.result<ProposalView>('propose', asked);
	await checker.result('confirm', { proposalId });
}

const today = () => dayName(dayOf(Date.now(), HOME_ZONE));
const look = () => server.running.limitWatch.look(true);
function limitsNow({ marketId }: TestMatch) {
	const { maxStake = 0, maxExposure = 0 } = server.running.exchange.market(Number(marketId)) ?? {};
	return { maxStake: maxStake / 100, maxExposure: maxExposure / 100 };
}
const place = (match: TestMatch, { token }: Player, changes: Record<string, unknown>) =>
	server.call('placeBetV2', betOn(match, changes), token);

/** One player backs India at evens, and the other lays it: both can lose the stake. */
async function matched(match: TestMatch, [backer, layer]: readonly [Player, Player], stake: number): Promise<void> {
	for (const [player, side] of [[layer, 'LAY'] as const, [backer, 'BACK'] as const]) {
		const { code } = await place(match, player, { side, price: 2, stake });
		expect(code).toBeNull();
	}
}

async function players(): Promise<[Player, Player]> {
	return [await server.demoPlayer(), await server.demoPlayer()];
}

const changesOf = async ({ marketId }: TestMatch) =>
	(
		await server.database.db.query<{ act: string; after: { maxStake: number } }>(
			`select act, after from journal where subject = $1 and act in ('${TIGHTENED}', '${EASED}') order by seq`,
			[`market ${marketId}`],
		)
	).rows.map(({ act, after }) => [act, after.maxStake]);

const tightenedOf = async ({ marketId }: TestMatch) =>
	(await maker.result<Rules>('limit-rules', {})).tightened.find((one) => one.marketId === marketId);

/** Voids what is matched in a market, so that no player can lose anything. */
async function voidAll(match: TestMatch): Promise<void> {
	await server.act('suspend', { marketId: match.marketId });
	await server.act('void-bets', { marketId: match.marketId, from: '2020-01-01T00:00:00Z' });
	await server.act('resume', { marketId: match.marketId });
}

describe('a rule', () => {
	it('is set by two members, and one without steps removes it', async () => {
		const about = { sport: 'football', marketType: 'MATCH_ODDS', pool: 'REAL', watches: 'HOUSE' };
		const asked = { act: 'limit-rule-set', input: { ...about, steps: STEPS }, reason: 'The desk decided so.' };
		const { proposalId } = await maker.result<ProposalView>('propose', asked);
		expect(await maker.code('confirm', { proposalId })).toBe('SAME_PERSON');
		expect(await maker.code('limit-rule-set', { ...about, steps: STEPS })).not.toBe('');
		await checker.result('confirm', { proposalId });
		const ofFootball = async () =>
			(await maker.result<Rules>('limit-rules', {})).rules.filter(({ sport }) => sport === 'football');
		expect(await ofFootball()).toMatchObject([{ ...about, relaxPercent: 80, steps: STEPS }]);
		await setRule({ ...about, steps: [] });
		expect(await ofFootball()).toEqual([]);
	});

	it.each([
		['with steps that do not rise', { ...RULE, steps: STEPS.toReversed() }],
		['of a type that there is not', { ...RULE, marketType: 'ANYTHING', steps: STEPS }],
	])('%s is refused', async (_, input) => {
		expect(await maker.code('propose', { act: 'limit-rule-set', input, reason: 'A slip.' })).toBe('VALIDATION_FAILED');
	});

	it('lowers the limits step by step, in the journal and on the floor, and gives them back below its share', async () => {
		const from = today();
		const match = await openTestMatch(server);
		const both = await players();
		const base = limitsNow(match);
		await matched(match, both, 90);
		await look();
		expect([limitsNow(match), await changesOf(match)]).toEqual([base, []]);
		await matched(match, both, 10);
		await look();
		expect(limitsNow(match)).toEqual({ maxStake: 50, maxExposure: 300 });
		expect((await place(match, both[0], { stake: 60 })).code).toBe('STAKE_TOO_LARGE');
		await matched(match, both, 50);
		await matched(match, both, 50);
		await look();
		expect(limitsNow(match)).toEqual({ maxStake: 20, maxExposure: 300 });
		expect(await tightenedOf(match)).toMatchObject({
			base: { maxStake: base.maxStake },
			now: { maxStake: 20, maxExposure: 300 },
			steps: 2,
			isOverruled: false,
		});
		const floor = await maker.result<ResultOf<'floor'>>('floor', {});
		expect(floor.find(({ eventId }) => eventId === match.eventId)?.tightened).toBe(1);
		// Nothing more is written while nothing changes.
		await look();
		await voidAll(match);
		await look();
		expect(limitsNow(match)).toEqual(base);
		expect(await tightenedOf(match)).toBeUndefined();
		expect(await changesOf(match)).toEqual([
			[TIGHTENED, 50],
			[TIGHTENED, 20],
			[EASED, base.maxStake],
		]);
		const events = await server.act('significant-events', { from, to: today() });
		expect(JSON.stringify(events)).toContain(`market ${match.marketId}`);
	});

	it('of what the house can lose counts the wallets of the house', async () => {
		await setRule({ sport: 'tennis', pool: 'DEMO', watches: 'HOUSE', steps: [{ from: 150, maxStake: 40 }] });
		const match = await openTestMatch(server, { sportId: 2 });
		const { exchange } = server.running;
		await openMarketMakers(exchange);
		await match.market.offer([quotesAround(300), quotesAround(150)]);
		const base = limitsNow(match);
		const [player] = await players();
		// The house can lose twice the stake.
		await place(match, player, { price: 3, stake: 60 });
		await look();
		expect(limitsNow(match)).toEqual(base);
		await place(match, player, { price: 3, stake: 15 });
		await look();
		expect(limitsNow(match).maxStake).toBe(40);
	});
});

describe('an operator', () => {
	it('overrules the steps that hold; they act again after the liability has fallen below them', async () => {
		const match = await openTestMatch(server);
		const both = await players();
		await matched(match, both, 120);
		await look();
		expect(limitsNow(match).maxStake).toBe(50);
		await maker.result('change-terms', { marketId: match.marketId, maxStake: 500 });
		await look();
		expect(limitsNow(match).maxStake).toBe(500);
		expect(await tightenedOf(match)).toMatchObject({ isOverruled: true });
		// The next step is another one.
		await matched(match, both, 100);
		await look();
		expect(limitsNow(match).maxStake).toBe(20);
		await voidAll(match);
		await look();
		expect(limitsNow(match).maxStake).toBe(500);
		await matched(match, both, 120);
		await look();
		expect(limitsNow(match).maxStake).toBe(50);
	});
});

describe('races', () => {
	it('a bet in its delay is kept when the limits are lowered meanwhile', async () => {
		const match = await openTestMatch(server, { betDelaySeconds: 1 });
		const both = await players();
		await matched(match, both, 100);
		await match.market.turnInPlay();
		const { body } = await place(match, both[0], { price: 1.5, stake: 90 });
		await look();
		expect(limitsNow(match).maxStake).toBe(50);
		expect(body.error).toBeNull();
		const bet = () => server.running.exchange.bet(Number(body.result?.betId));
		await expect.poll(() => bet()?.delay).toBeNull();
		expect(bet()).toMatchObject({ stake: 9_000, lapsed: 0 });
	});

	it('a market that closes keeps its limits, and is forgotten', async () => {
		const match = await openTestMatch(server);
		await matched(match, await players(), 120);
		const base = limitsNow(match);
		await match.market.close();
		await look();
		expect([limitsNow(match), await tightenedOf(match)]).toEqual([base, undefined]);
	});

	it('a kill after the market was changed, and before that was noted, lowers them once', async () => {
		const match = await openTestMatch(server);
		const both = await players();
		const base = limitsNow(match);
		await matched(match, both, 120);
		await look();
		await server.stop();
		// As the kill leaves it.
		const { db } = server.database;
		await db.query('update tightened_market set is_applied = false where market_id = $1', [Number(match.marketId)]);
		server = await TestServer.start(server.database);
		[maker, checker] = [await logIn('maker'), await logIn('checker')];
		await look();
		await look();
		expect(limitsNow(match).maxStake).toBe(50);
		expect(await tightenedOf(match)).toMatchObject({ base: { maxStake: base.maxStake } });
		expect(await changesOf(match)).toEqual([[TIGHTENED, 50]]);
		await voidAll(match);
		await look();
		expect(limitsNow(match)).toEqual(base);
	});
});

describe('the steps', () => {
	const rule = {
		relaxPercent: 80,
		steps: [
			{ from: 1_000, maxStake: 500, maxExposure: null },
			{ from: 2_000, maxStake: 200, maxExposure: 900 },
		],
	};

	it.each([
		[999, [], []],
		[1_000, [], [0]],
		[2_000, [], [0, 1]],
		[1_600, [0, 1], [0, 1]],
		[1_599, [0, 1], [0]],
		[800, [0], [0]],
		[799, [0], []],
		[799, [], []],
	])('at %i after %j are %j', (liability, held, expected) => {
		expect(stepsHolding(rule, liability, new Set(held))).toEqual(expected);
	});

	it('never loosen a limit, and leave the smallest stake possible', () => {
		expect(limitsUnder({ maxStake: 300, maxExposure: 0 }, rule.steps, 100)).toEqual({
			maxStake: 200,
			maxExposure: 900,
		});
		expect(limitsUnder({ maxStake: 100, maxExposure: 50 }, rule.steps, 100)).toEqual({
			maxStake: 100,
			maxExposure: 50,
		});
		expect(limitsUnder({ maxStake: 300, maxExposure: 0 }, [], 100)).toEqual({ maxStake: 300, maxExposure: 0 });
		expect(limitsUnder({ maxStake: 900, maxExposure: 0 }, rule.steps, 400).maxStake).toBe(400);
	});
});

describe('bets, voids, operators and restarts in any order', () => {
	onSeeds([1, 2], 'leave the limits that the plain rule says (seed %i)', async (seed) => {
		const numbers = new SeededNumbers(seed);
		const match = await openTestMatch(server);
		const both = await players();
		let [base, liability] = [limitsNow(match).maxStake, 0];
		/** By step: whether it holds, and whether an operator overruled it. */
		const state = STEPS.map(() => ({ holds: false, waived: false }));
		for (let turn = 0; turn < 25; turn++) {
			const kind = numbers.below(10);
			if (kind < 6) {
				const stake = numbers.from([10, 20]);
				const [layer, backer] = both.map(({ token }) => token);
				const lay = await server.call('placeBetV2', betOn(match, { side: 'LAY', price: 2, stake }), layer ?? '');
				if (lay.code === null) {
					const back = await server.call('placeBetV2', betOn(match, { side: 'BACK', price: 2, stake }), backer ?? '');
					expect(back.code).toBeNull();
					liability += stake;
				} else expect(lay.code).toBe('EXPOSURE_LIMIT');
			} else if (kind < 8) {
				base = numbers.from([1_000, 2_000, 3_000]);
				const now = limitsNow(match).maxStake;
				await maker.result('change-terms', { marketId: match.marketId, maxStake: base });
				if (now !== base) for (const step of state) step.waived = step.holds;
			} else if (liability > 0) {
				await voidAll(match);
				liability = 0;
			}
			for (const [at, step] of state.entries()) {
				const from = STEPS[at]?.from ?? 0;
				step.holds = liability >= from || (step.holds && liability >= from * 0.8);
				if (!step.holds) step.waived = false;
			}
			await look();
			const acting = STEPS.filter((_, at) => state[at]?.holds && !state[at]?.waived).map(({ maxStake }) => maxStake);
			expect([turn, limitsNow(match).maxStake]).toEqual([turn, Math.min(base, ...acting)]);
		}
	});
});

describe('a rule of one brand', () => {
	const OTHER = '127.0.0.1';
	const OF_BRAND = [
		{ from: 40, maxStake: 30, maxExposure: 90 },
		{ from: 80, maxStake: 10 },
	];
	type Steps = readonly { from: number; maxStake: number; maxExposure?: number }[];

	/** What the plain rule says of steps: which hold, and which of them an operator overruled. */
	class Model {
		readonly steps: readonly { from: number; maxStake: number; maxExposure: number; holds: boolean; waived: boolean }[];
		constructor(steps: Steps) {
			this.steps = steps.map((step) => ({
				maxExposure: Number.POSITIVE_INFINITY,
				...step,
				holds: false,
				waived: false,
			}));
		}
		look(liability: number): void {
			for (const step of this.steps) {
				step.holds = liability >= step.from || (step.holds && liability >= step.from * 0.8);
				if (!step.holds) step.waived = false;
			}
		}
		overrule(): void {
			for (const step of this.steps) step.waived = step.holds;
		}
		get acting() {
			return this.steps.filter(({ holds, waived }) => holds && !waived);
		}
	}

	const smallest = (models: readonly Model[], field: 'maxStake' | 'maxExposure'): number =>
		Math.min(...models.flatMap(({ acting }) => acting.map((step) => step[field])));

	onSeeds(
		[3, 4],
		'lowers the limits of its own players alone, and of all where a rule says so (seed %i)',
		async (seed) => {
			await setRule({ ...RULE, brand: OTHER, steps: OF_BRAND });
			const numbers = new SeededNumbers(seed);
			const match = await openTestMatch(server);
			const guest = async () => (await server.callElsewhere('loginAsDemoUser', {})).body.result?.accessToken ?? '';
			const ofAll = new Model(STEPS);
			const ofBrand = new Model(OF_BRAND);
			const here = { liability: 0, rules: [ofAll], tokens: (await players()).map(({ token }) => token) };
			const there = { liability: 0, rules: [ofAll, ofBrand], tokens: [await guest(), await guest()] };
			let base = limitsNow(match).maxStake;
			const place = async (brand: typeof here, side: 'LAY' | 'BACK', stake: number) => {
				const bet = betOn(match, { side, price: 2, stake });
				const token = brand.tokens[side === 'LAY' ? 0 : 1] ?? '';
				const { code } =
					brand === here
						? await server.call('placeBetV2', bet, token)
						: await server.callElsewhere('placeBetV2', bet, token);
				return code;
			};
			for (let turn = 0; turn < 40; turn++) {
				const kind = numbers.below(20);
				if (kind < 15) {
					const brand = numbers.from([here, there]);
					const stake = numbers.from([10, 20, 40]);
					const isLarge = stake > Math.min(base, smallest(brand.rules, 'maxStake'));
					const isRisky = brand.liability + stake > smallest(brand.rules, 'maxExposure');
					const expected = isLarge ? 'STAKE_TOO_LARGE' : isRisky ? 'EXPOSURE_LIMIT' : null;
					expect([turn, await place(brand, 'LAY', stake)]).toEqual([turn, expected]);
					if (expected === null) {
						expect([turn, await place(brand, 'BACK', stake)]).toEqual([turn, null]);
						brand.liability += stake;
					}
				} else if (kind < 17) {
					base = numbers.from([1_000, 2_000, 3_000]);
					const now = limitsNow(match).maxStake;
					await maker.result('change-terms', { marketId: match.marketId, maxStake: base });
					if (now !== base) for (const rule of there.rules) rule.overrule();
				} else if (kind < 18) {
					await server.stop();
					server = await TestServer.start(server.database);
					[maker, checker] = [await logIn('maker'), await logIn('checker')];
				} else if (here.liability + there.liability > 0) {
					await voidAll(match);
					here.liability = 0;
					there.liability = 0;
				}
				ofAll.look(Math.max(here.liability, there.liability));
				ofBrand.look(there.liability);
				await look();
				expect([turn, limitsNow(match).maxStake]).toEqual([turn, Math.min(base, smallest(here.rules, 'maxStake'))]);
				const { tightened } = await maker.result<Rules>('limit-rules', {});
				const row = tightened.find(({ marketId, brand }) => marketId === match.marketId && brand === OTHER);
				expect([turn, row?.now.maxStake]).toEqual([
					turn,
					ofBrand.steps.some(({ holds }) => holds) ? Math.min(base, smallest([ofBrand], 'maxStake')) : undefined,
				]);
			}
		},
	);

	it('is shown to its players with the limits, holds right after a restart, and is in the journal with its brand', async () => {
		await setRule({ ...RULE, brand: OTHER, steps: OF_BRAND });
		const match = await openTestMatch(server);
		const { maxStake: base } = limitsNow(match);
		const [one, two] = [0, 1].map(
			async () => (await server.callElsewhere('loginAsDemoUser', {})).body.result?.accessToken,
		);
		const tokens = [(await one) ?? '', (await two) ?? ''];
		for (const [at, side] of (['LAY', 'BACK'] as const).entries())
			expect(
				(await server.callElsewhere('placeBetV2', betOn(match, { side, price: 2, stake: 40 }), tokens[at])).code,
			).toBeNull();
		await look();
		await server.stop();
		server = await TestServer.start(server.database);
		[maker, checker] = [await logIn('maker'), await logIn('checker')];
		const large = betOn(match, { side: 'LAY', price: 2, stake: 40 });
		const refused = await server.callElsewhere('placeBetV2', large, tokens[0]);
		expect(refused.body.error).toMatchObject({ code: 'STAKE_TOO_LARGE', details: { most: 30 } });
		const [player] = await players();
		expect((await place(match, player, { side: 'LAY', price: 2, stake: 40 })).code).toBeNull();
		const { rows } = await server.database.db.query(
			`select details ->> 'brand' as brand, after ->> 'maxStake' as most from journal where subject = $1 and act = '${TIGHTENED}'`,
			[`market ${match.marketId}`],
		);
		expect(rows).toEqual([{ brand: OTHER, most: '30' }]);
		const limits = await server.callElsewhere('getUserLimits', { marketId: match.marketId }, tokens[0]);
		expect(limits.body.result).toMatchObject({ maxStake: 30, maxExposure: 90 });
		expect(await server.result('getUserLimits', { marketId: match.marketId }, player.token)).toMatchObject({
			maxStake: base,
		});
	});
});

it('a rule that is set while the rules before are read holds from then on', async () => {
	const { db } = server.database;
	const gated = new GatedDatabase(db);
	const rules = new LimitRules(gated.asDatabase());
	const about = { sport: 'kabaddi', marketType: '', brand: '', pool: 'PLAY', watches: 'HOUSE' } as const;
	const { reached, open } = gated.stop('from limit_rule', 'after');
	const reading = rules.all();
	await reached;
	await rules.set(about, { relaxPercent: 71, steps: [{ from: 100, maxStake: 10, maxExposure: null }] });
	open();
	await reading;
	expect(await rules.find(about)).toMatchObject({ relaxPercent: 71 });
	await rules.set(about, null);
	expect(await rules.find(about)).toBeNull();
});
