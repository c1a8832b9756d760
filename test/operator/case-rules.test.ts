/**
 * The rules that raise cases find the patterns that are planted in a ledger, raise no alarm about innocent traffic, and
 * make one case of the same facts, however often and in however many processes they look.
 */
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Candidate, Fact, Reads } from '#server/operators/cases/candidate.ts';
import { CaseSweep, type Looked } from '#server/operators/cases/case-sweep.ts';
import { Cases } from '#server/operators/cases/cases.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { CASE_RULE_NAMES, type CaseRuleName } from '#values/cases.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { PlantedLedger } from '../support/planted-ledger.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY } from '../support/server.ts';

const NOW_MS = Date.now();
const daysAgo = (days: number) => NOW_MS - days * DAY_MS;

let database: FreshDatabase;
let db: pg.Pool;
beforeAll(async () => {
	database = await freshDatabase();
	db = database.db;
});
afterAll(() => database.drop());
beforeEach(() => clear());

async function clear(): Promise<void> {
	await db.query(
		`truncate player, posting, workflow, payout_details, money_at_risk, bet, bet_match, player_settlement,
		   compliance_case, compliance_case_player, compliance_case_entry, compliance_case_fact, journal cascade`,
	);
	await db.query('update journal_fence set epoch = 0');
}

const casesOf = (epoch = 0): Cases =>
	new Cases({
		db,
		journal: new Journal({ db, ledgerKey: LEDGER_KEY, epoch }),
		clock: () => NOW_MS,
		decideDaysOf: () => 14,
		onChanged: () => undefined,
	});

/** Accounts whose hundreds are equal are one person's. */
const personOf = (playerId: number): number => (playerId >= 9_000 ? Math.floor(playerId / 100) * 100 : playerId);

function sweepOf(cases = casesOf(), reads: Reads = db): CaseSweep {
	const log = { error: (about: unknown) => expect.unreachable(String(about)) };
	return new CaseSweep({ reads, cases, log, clock: () => NOW_MS, personOf, restMs: () => 0 });
}

interface Found {
	caseId: number;
	rule: CaseRuleName;
	subject: string;
	players: number[];
	facts: number;
}

async function found(): Promise<Found[]> {
	const { rows } = await db.query<Found>(
		`select case_id as "caseId", rule, subject,
		   (select jsonb_agg(player_id order by player_id) from compliance_case_player as its where its.case_id = one.case_id) as players,
		   (select count(*)::int from compliance_case_fact as its where its.case_id = one.case_id) as facts
		 from compliance_case as one order by rule, subject`,
	);
	return rows;
}

const named = async () => (await found()).map(({ rule, subject, facts }) => `${rule} ${subject} ${facts}`);

/** Other players’ trade at 2.00, before and after what a test plants. */
const atTwo = (atMs: number) => ({ backer: 2_001, layer: 2_002, stake: 10, price: 2, isWon: true, atMs });

interface Loss {
	from: number;
	to: number;
	rupees: number;
	/** The market’s by default. */
	price?: number;
	atMs?: number;
}

/** A backer loses to a layer, far off the market or at its price. */
function lose(ledger: PlantedLedger, { from, to, rupees, price = 2, atMs = daysAgo(1) }: Loss): void {
	ledger.market([atTwo(atMs), { backer: from, layer: to, stake: rupees, price, isWon: false, atMs }, atTwo(atMs)]);
}

interface Plant {
	/** As many rupees, deposits, persons or matches as the rule asks for at least, or one less. */
	(ledger: PlantedLedger, isEnough: boolean): void;
}

/** What each rule is about, with the subject of its case and the number of its facts. */
const PLANTS: Readonly<Record<CaseRuleName, { plant: Plant; subject: string; facts: number }>> = {
	STRUCTURING: {
		plant: (ledger, isEnough) => {
			for (const day of [20, 18, isEnough ? 13 : 12]) ledger.deposit(1_001, day === 12 ? 50_000 : 49_000, daysAgo(day));
			ledger.play(1_001, 150_000, daysAgo(1));
		},
		subject: 'player 1001',
		facts: 3,
	},
	DEPOSIT_WITHOUT_PLAY: {
		plant: (ledger, isEnough) => {
			ledger.deposit(1_002, 10_000, daysAgo(3));
			ledger.play(1_002, isEnough ? 1_999 : 2_000, daysAgo(2));
			ledger.withdrawal(1_002, 8_000, daysAgo(1));
			// What was rejected, and what was played before, count for nothing.
			ledger.withdrawal(1_002, 9_000, daysAgo(1), 'own 1002', 'REJECTED');
			ledger.play(1_002, 50_000, daysAgo(4));
		},
		subject: 'player 1002',
		facts: 2,
	},
	MULE_CIRCLE: {
		plant: (ledger, isEnough) => {
			// Two accounts of one person, and two persons who share a payout account with it or with one another.
			ledger.withdrawal(9_100, 4_000, daysAgo(3), 'shared');
			ledger.withdrawal(9_101, 1_000, daysAgo(3), 'shared');
			ledger.withdrawal(1_003, 3_000, daysAgo(2), 'shared');
			ledger.withdrawal(1_003, 1_000, daysAgo(2), 'other');
			ledger.withdrawal(1_004, 1_000, daysAgo(1), isEnough ? 'other' : 'own');
		},
		subject: 'circle of player 1003',
		facts: 5,
	},
	OFF_MARKET_PAIR: {
		plant: (ledger, isEnough) => {
			for (const rupees of [300, 300, isEnough ? 400 : 399]) lose(ledger, { from: 1_005, to: 1_006, rupees, price: 3 });
		},
		subject: 'players 1005 and 1006',
		facts: 3,
	},
	CIRCULAR_FLOW: {
		plant: (ledger, isEnough) => {
			lose(ledger, { from: 1_007, to: 1_008, rupees: 12_000 });
			lose(ledger, { from: 1_008, to: 1_009, rupees: 11_000 });
			lose(ledger, { from: 1_009, to: 1_007, rupees: isEnough ? 10_000 : 9_999 });
			// Each plays with others, too, but less.
			lose(ledger, { from: 1_007, to: 1_010, rupees: 5_000 });
		},
		subject: 'players 1007 > 1008 > 1009',
		facts: 3,
	},
	CHARGEBACK_WINNER: {
		plant: (ledger, isEnough) => {
			const paidAtMs = daysAgo(5);
			lose(ledger, { from: 1_011, to: 1_012, rupees: 5_000, price: 2, atMs: paidAtMs - HOUR_MS });
			const payment = ledger.deposit(1_011, 2_000, paidAtMs);
			ledger.play(1_011, 6_000, paidAtMs);
			lose(ledger, { from: 1_011, to: 1_012, rupees: isEnough ? 1_000 : 999, price: 2, atMs: daysAgo(4) });
			ledger.dispute(1_011, payment, 2_000, { paidAtMs, atMs: daysAgo(2) });
		},
		subject: 'player 1012',
		facts: 2,
	},
};

/** Everything in one ledger. @returns the cases that it has */
async function plantAll(): Promise<string[]> {
	const ledger = new PlantedLedger();
	for (const { plant } of Object.values(PLANTS)) plant(ledger, true);
	await ledger.write(db);
	return CASE_RULE_NAMES.map((rule) => `${rule} ${PLANTS[rule].subject} ${PLANTS[rule].facts}`).sort();
}

const total = ({ opened, extended, reopened }: Looked) => ({ opened, extended, reopened });
const NOTHING = { opened: 0, extended: 0, reopened: 0 };

describe('the rules', () => {
	it('find each planted pattern, once, and nothing else', async () => {
		const planted = await plantAll();
		expect(total(await sweepOf().look())).toEqual({ ...NOTHING, opened: planted.length });
		expect(await named()).toEqual(planted);
		expect((await found()).find(({ rule }) => rule === 'CHARGEBACK_WINNER')?.players).toEqual([1_011, 1_012]);
	});

	it('raise no alarm about what is just too little for each of them', async () => {
		const ledger = new PlantedLedger();
		for (const { plant } of Object.values(PLANTS)) plant(ledger, false);
		await ledger.write(db);
		expect(total(await sweepOf().look())).toEqual(NOTHING);
	});

	it.each(['EUR', 'JPY'] as const)('compare amounts of %s with as much in it, and say them in it', async (currency) => {
		const little = new PlantedLedger(1, currency);
		for (const { plant } of Object.values(PLANTS)) plant(little, false);
		await little.write(db);
		expect(total(await sweepOf().look())).toEqual(NOTHING);
		await clear();
		const enough = new PlantedLedger(1, currency);
		for (const { plant } of Object.values(PLANTS)) plant(enough, true);
		await enough.write(db);
		expect(total(await sweepOf().look())).toEqual({ ...NOTHING, opened: CASE_RULE_NAMES.length });
		const { rows } = await db.query<{ text: string }>(
			`select text from compliance_case_entry where text like 'Structuring%'`,
		);
		const sum = { EUR: '€1,470', JPY: '¥294,000' }[currency];
		expect(rows).toEqual([{ text: `Structuring: 3 facts of ${sum} together.` }]);
	});

	it('add no amounts of two currencies: a circle is one by what it was paid in one of them', async () => {
		const [rupees, euros] = [new PlantedLedger(1), new PlantedLedger(5_000, 'EUR')];
		rupees.withdrawal(1_003, 5_000, daysAgo(2), 'shared');
		rupees.withdrawal(1_004, 4_000, daysAgo(2), 'shared');
		// As much as 9,000 rupees: with the others it would be enough.
		euros.withdrawal(1_005, 9_000, daysAgo(1), 'shared');
		for (const ledger of [rupees, euros]) await ledger.write(db);
		expect(total(await sweepOf().look())).toEqual(NOTHING);
		const more = new PlantedLedger(9_000);
		more.withdrawal(1_006, 1_000, daysAgo(1), 'shared');
		await more.write(db);
		expect(total(await sweepOf().look())).toEqual({ ...NOTHING, opened: 1 });
		const { rows } = await db.query<{ text: string }>('select text from compliance_case_entry');
		expect(rows).toEqual([{ text: 'Mule circle: 4 facts of ₹10,000 and €90 together.' }]);
	});

	it('see nothing in what happened before their time', async () => {
		const ledger = new PlantedLedger();
		for (const day of [31, 32, 33]) ledger.deposit(1_001, 49_000, daysAgo(day));
		await ledger.write(db);
		expect(total(await sweepOf().look())).toEqual(NOTHING);
	});

	onSeeds(
		[1, 2, 3],
		'raise a false alarm about less than one in a hundred players who play, win, lose and share accounts, seed %i',
		async (seed) => {
			const numbers = new SeededNumbers(seed);
			const ledger = new PlantedLedger();
			const players = Array.from({ length: 200 }, (_, at) => 3_000 + at);
			for (const playerId of players) {
				for (let count = 1 + numbers.below(4); count > 0; count--) {
					const atMs = daysAgo(10 + numbers.below(19));
					const rupees = 100 * (1 + numbers.below(600));
					ledger.deposit(playerId, rupees, atMs);
					ledger.play(playerId, Math.round(rupees * (0.5 + numbers.below(200) / 100)), atMs + HOUR_MS);
				}
				// Couples have one bank account.
				const account = playerId % 10 < 2 ? `couple ${Math.floor(playerId / 10)}` : undefined;
				if (numbers.chance(50))
					ledger.withdrawal(playerId, 100 * (1 + numbers.below(300)), daysAgo(numbers.below(10)), account);
			}
			for (let market = 0; market < 40; market++) {
				const atMs = daysAgo(1 + numbers.below(28));
				const fair = 1.5 + numbers.below(300) / 100;
				const isWon = numbers.chance(50);
				ledger.market(
					Array.from({ length: 30 }, () => {
						const backer = numbers.from(players);
						// A third of all bets are against the house.
						const layer = numbers.chance(33) ? 1 : numbers.from(players.filter((other) => other !== backer));
						const price = Math.round(fair * (97 + numbers.below(7))) / 100;
						return { backer, layer, stake: 100 * (1 + numbers.below(200)), price, isWon, atMs };
					}),
				);
			}
			await ledger.write(db);
			await sweepOf().look();
			// Now and then an innocent player deposits three times a little below the threshold.
			expect((await named()).filter((name) => !name.startsWith('STRUCTURING'))).toEqual([]);
			expect((await named()).length).toBeLessThan(players.length / 100);
		},
	);
});

describe('a look', () => {
	it('that is repeated, also after a restart, makes nothing of the same facts', async () => {
		const planted = await plantAll();
		await sweepOf().look();
		expect([total(await sweepOf().look()), total(await sweepOf(casesOf()).look())]).toEqual([NOTHING, NOTHING]);
		expect(await named()).toEqual(planted);
	});

	it('of a process that has just been deposed, beside that of its successor, makes each case once', async () => {
		const planted = await plantAll();
		const successor = new Journal({ db, ledgerKey: LEDGER_KEY, epoch: 1 });
		const deposed = Promise.allSettled([sweepOf().look()]);
		await successor.open();
		const next = sweepOf(
			new Cases({ db, journal: successor, clock: () => NOW_MS, decideDaysOf: () => 14, onChanged: () => undefined }),
		).look();
		await next;
		const [first] = await deposed;
		if (first.status === 'rejected') expect(first.reason).toMatchObject({ code: 'DRAINING' });
		expect(await named()).toEqual(planted);
	});

	it('beside another one of the same process makes each case once', async () => {
		const planted = await plantAll();
		const cases = casesOf();
		await Promise.all([sweepOf(cases).look(), sweepOf(cases).look()]);
		expect(await named()).toEqual(planted);
	});

	it('of the same facts under two subjects, at the same time, makes one case of them and none without facts', async () => {
		const ledger = new PlantedLedger();
		for (const playerId of [1_001, 1_002, 1_003, 1_004]) ledger.player(playerId);
		await ledger.write(db);
		const cases = casesOf();
		const candidate = candidateOf([1, 2, 3], 3);
		const seen = (players: number[]): Candidate => ({
			...candidate,
			subject: `circle of player ${players[0]}`,
			isCircle: true,
			players,
		});
		await Promise.all([cases.take(seen([1_001, 1_002, 1_003])), cases.take(seen([1_002, 1_003, 1_004]))]);
		expect((await found()).map(({ facts }) => facts)).toEqual([3]);
	});

	it('tries a read again that was refused because others wait, and gives up one that always is', async () => {
		const planted = await plantAll();
		let asked = 0;
		const busy: Reads = {
			query: async (text, values) => {
				if (asked++ % 3 === 0) throw new Refused('OVERLOADED');
				return await db.query(text, values);
			},
		};
		await sweepOf(casesOf(), busy).look();
		expect(await named()).toEqual(planted);
		const full: Reads = { query: () => Promise.reject(new Refused('OVERLOADED')) };
		await expect(sweepOf(casesOf(), full).look()).rejects.toMatchObject({ code: 'OVERLOADED' });
	});

	it('is made of short reads, and stops between two of them', async () => {
		await plantAll();
		const sweep = sweepOf();
		const looking = sweep.look();
		await sweep.stop();
		await expect(looking).rejects.toMatchObject({ name: 'AbortError' });
		expect(sweep.lastAtMs).toBeNull();
	});
});

const BY_TEST = { actor: 'asha', address: null };

describe('new facts', () => {
	const rowOf = async () => {
		const { rows } = await db.query<{ caseId: number; state: string; entries: number; due: number | null }>(
			'select case_id as "caseId", state, entries, due_at as due from compliance_case order by case_id',
		);
		return rows;
	};
	const deposits = async (ledger: PlantedLedger, ...days: number[]) => {
		for (const day of days) ledger.deposit(1_001, 49_000, daysAgo(day));
		await ledger.write(db);
	};

	it('extend an open case, whose deadline stays', async () => {
		const ledger = new PlantedLedger();
		await deposits(ledger, 20, 19, 18);
		await sweepOf().look();
		const [before] = await rowOf();
		await deposits(ledger, 2);
		expect(total(await sweepOf().look())).toEqual({ ...NOTHING, extended: 1 });
		expect(await rowOf()).toEqual([{ ...before, entries: 2 }]);
	});

	it('open a decided case again only when they are an alarm by themselves, with a deadline of its own', async () => {
		const ledger = new PlantedLedger();
		await deposits(ledger, 20, 19, 18);
		const cases = casesOf();
		await sweepOf(cases).look();
		const [{ caseId = 0 } = {}] = await rowOf();
		await cases.decide(caseId, { seen: 1, outcome: 'UNFOUNDED', reason: 'a merchant' }, BY_TEST);
		await deposits(ledger, 3, 2);
		expect(total(await sweepOf(cases).look())).toEqual(NOTHING);
		expect(await rowOf()).toMatchObject([{ state: 'DECIDED', due: null }]);
		await deposits(ledger, 1);
		expect(total(await sweepOf(cases).look())).toEqual({ ...NOTHING, reopened: 1 });
		expect(await rowOf()).toEqual([{ caseId, state: 'OPEN', entries: 3, due: NOW_MS + 14 * DAY_MS }]);
	});

	it('of a circle that grew to an older player are of its first case', async () => {
		const ledger = new PlantedLedger();
		PLANTS.MULE_CIRCLE.plant(ledger, true);
		await ledger.write(db);
		await sweepOf().look();
		ledger.withdrawal(1_000, 500, daysAgo(1), 'shared');
		await ledger.write(db);
		expect(total(await sweepOf().look())).toEqual({ ...NOTHING, extended: 1 });
		expect(await found()).toMatchObject([
			{ subject: 'circle of player 1003', players: [1_000, 1_003, 1_004, 9_100, 9_101] },
		]);
	});

	onSeeds([4, 5, 6], 'in any order, with decisions between, do what the stated rule says, seed %i', async (seed) => {
		const numbers = new SeededNumbers(seed);
		const ledger = new PlantedLedger();
		ledger.player(1_001);
		await ledger.write(db);
		const cases = casesOf();
		/** The facts that the rule sees, those of the case, and whether the case is open; null before the first alarm. */
		const seen: number[] = [];
		const held = new Set<number>();
		let isOpen: boolean | null = null;
		let entries = 0;
		const LEAST = 3;
		for (let step = 0; step < 60; step++) {
			if (isOpen && numbers.chance(25)) {
				const [{ caseId = 0 } = {}] = await rowOf();
				await cases.decide(caseId, { seen: entries, outcome: 'WATCHED', reason: 'so far' }, BY_TEST);
				isOpen = false;
				entries += 1;
			}
			if (numbers.chance(60)) seen.push(step);
			// What is older than the rule's time is seen no more.
			if (numbers.chance(20)) seen.shift();
			await cases.take(candidateOf(seen, LEAST));
			const fresh = seen.filter((fact) => !held.has(fact));
			const isAlarm = isOpen ? seen.length >= LEAST : fresh.length >= LEAST;
			if (fresh.length > 0 && isAlarm) {
				for (const fact of fresh) held.add(fact);
				isOpen = true;
				entries += 1;
			}
			const rows = await rowOf();
			expect(rows.map(({ state, entries: count }) => ({ state, count }))).toEqual(
				isOpen === null ? [] : [{ state: isOpen ? 'OPEN' : 'DECIDED', count: entries }],
			);
			expect((await found())[0]?.facts ?? 0).toBe(held.size);
		}
		expect(entries).toBeGreaterThan(4);
	});
});

function candidateOf(facts: readonly number[], least: number): Candidate {
	return {
		rule: 'STRUCTURING',
		subject: 'player 1001',
		isCircle: false,
		players: [1_001],
		facts: facts.map(
			(id): Fact => ({
				name: `PAYMENT ${id}`,
				kind: 'payment',
				ref: id,
				playerId: 1_001,
				atMs: id,
				amount: 1,
				currency: 'INR',
				words: 'Deposited.',
			}),
		),
		holds: (some) => some.length >= least,
	};
}
