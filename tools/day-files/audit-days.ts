/**
 * The audit of written days, from their files alone. It computes in a second way what the books of each day say:
 * balances from postings, nets from bets, and with the ledger's key the seals of the postings and their chain.
 */
import { join } from 'node:path';
import { ENTRY_BYTES } from '../../src/server/exchange/ledger/ledger-seal.ts';
import { SEALED_TABLES, type SealedTable, storedEntry } from '../../src/server/exchange/ledger/seal-batch.ts';
import { LONGEST_BATCH_MS } from '../../src/server/money/liabilities/day-end.ts';
import { FIRST_PLAYER_ID } from '../../src/values/pools.ts';
import { dayName } from '../../src/values/zoned-calendar.ts';
import type { Finding, SealKeys } from '../audit-check.ts';
import { digestOf } from '../durable-file.ts';
import { type DayManifest, daysIn, filePath, readManifest } from './day-folder.ts';
import {
	BALANCE_COLUMNS,
	BALANCE_FILE,
	BETS,
	DAY_TABLES,
	type DayTable,
	POSTINGS,
	SEALS,
	SETTLEMENTS,
} from './day-tables.ts';
import { type Row, rowsIn } from './parquet-table.ts';

export interface AskedOfDay extends Finding {
	day: string;
	check: string;
}

/** What is kept of a day until the next one was checked. */
interface Before {
	manifest: DayManifest;
	closing: Map<string, number>;
	/** Of the seals, as the day ended. */
	chain: Buffer;
}

interface Day {
	folder: string;
	manifest: DayManifest;
	before: Before | null;
	balances: readonly Balance[];
	keys: SealKeys | null;
}

interface Balance {
	name: string;
	pool: string;
	account: string;
	opening: number;
	closing: number;
}

interface DayCheck {
	name: string;
	/** It asks for the ledger's key. */
	isKeyed?: true;
	run(day: Day): Promise<Finding>;
}

const rowsOf = ({ folder }: Pick<Day, 'folder'>, { name, columns }: DayTable): AsyncGenerator<Row> =>
	rowsIn(filePath(folder, name), columns);

const accountOf = (pool: unknown, account: unknown, owner: unknown): string => `${pool} ${account} ${owner}`;

const add = (sums: Map<string, number>, name: string, amount: number): void => {
	sums.set(name, (sums.get(name) ?? 0) + amount);
};

const filesAreWhole: DayCheck = {
	name: 'the files are those of the manifest',
	run: async ({ folder, manifest }) => {
		const names = [...DAY_TABLES.map(({ name }) => name), BALANCE_FILE];
		for (const name of names) {
			const sha256 = await digestOf(filePath(folder, name)).catch(() => 'missing');
			if (sha256 !== manifest.files[name]?.sha256) return { rows: names.length, wrong: { file: name, sha256 } };
		}
		return { rows: names.length, wrong: null };
	},
};

const daysFollow: DayCheck = {
	name: 'the day begins as the one before ended',
	run: async ({ manifest, before, balances }) => {
		if (!before) return { rows: 0, wrong: null };
		if (manifest.from !== before.manifest.to)
			return { rows: 0, wrong: { from: manifest.from, before: before.manifest.to } };
		const { after } = manifest.batches;
		if (after !== before.manifest.batches.last)
			return { rows: 0, wrong: { after, before: before.manifest.batches.last } };
		const opened = new Map(balances.map(({ name, opening }) => [name, opening]));
		for (const [name, held] of before.closing)
			if ((opened.get(name) ?? 0) !== held)
				return { rows: opened.size, wrong: { account: name, held, opening: opened.get(name) ?? 0 } };
		const made = balances.find(({ name, opening }) => opening !== 0 && !before.closing.has(name));
		return { rows: opened.size, wrong: made ? { account: made.name, opening: made.opening } : null };
	},
};

const balancesFollow: DayCheck = {
	name: 'every balance is what the account held and its postings',
	run: async (day) => {
		const held = new Map(day.balances.map(({ name, opening }) => [name, opening]));
		let rows = 0;
		for await (const row of rowsOf(day, POSTINGS)) {
			rows++;
			const amount = Number(row['amount']);
			if (amount <= 0) return { rows, wrong: { batch: row['batch'], line: row['line'], amount } };
			add(held, accountOf(row['pool'], row['debit'], row['debit_owner']), -amount);
			add(held, accountOf(row['pool'], row['credit'], row['credit_owner']), amount);
		}
		const closed = new Map(day.balances.map(({ name, closing }) => [name, closing]));
		for (const [name, recomputed] of held)
			if (recomputed !== (closed.get(name) ?? 0))
				return { rows, wrong: { account: name, recomputed, closing: closed.get(name) ?? 0 } };
		return { rows, wrong: null };
	},
};

const poolsSumToZero: DayCheck = {
	name: 'every pool sums to zero',
	run: async ({ balances }) => {
		const sums = new Map<string, number>();
		for (const { pool, closing } of balances) add(sums, pool, closing);
		const wrong = [...sums].find(([, sum]) => sum !== 0);
		return { rows: balances.length, wrong: wrong ? { pool: wrong[0], sum: wrong[1] } : null };
	},
};

const statementsRun: DayCheck = {
	name: 'every posting says what it left of the free cash',
	run: async (day) => {
		const cash = new Map<number, number>();
		for (const { name, account, opening } of day.balances)
			if (account === 'cash') cash.set(Number(name.split(' ')[2]), opening);
		let rows = 0;
		for await (const { batch, line, wallet_id, debit, credit, amount, cash_after } of rowsOf(day, POSTINGS)) {
			rows++;
			const walletId = Number(wallet_id);
			if (walletId === 0) continue;
			const sign = credit === 'cash' ? 1 : debit === 'cash' ? -1 : 0;
			const running = (cash.get(walletId) ?? 0) + sign * Number(amount);
			cash.set(walletId, running);
			if (running !== cash_after) return { rows, wrong: { batch, line, wallet_id, cash_after, running } };
		}
		return { rows, wrong: null };
	},
};

/** A settlement in parts that goes on over midnight leaves money in a pot that moved. */
const potsAreEmpty: DayCheck = {
	name: 'no pot is below zero, and one that did not move is empty',
	run: async ({ balances }) => {
		const pots = balances.filter(({ account }) => account === 'pot');
		const wrong = pots.find(({ opening, closing }) => closing < 0 || (closing !== 0 && opening === closing));
		return { rows: pots.length, wrong: wrong ? { pot: wrong.name, closing: wrong.closing } : null };
	},
};

/** A sum of parts of hundredths of a minor unit, exactly. */
interface Fraction {
	numerator: bigint;
	denominator: bigint;
}

const sumOf = (one: Fraction, profit: bigint, parts: bigint): Fraction => {
	if (one.denominator % parts === 0n) return { ...one, numerator: one.numerator + profit * (one.denominator / parts) };
	return { numerator: one.numerator * parts + profit * one.denominator, denominator: one.denominator * parts };
};

/** Whole minor units; a half is rounded down. */
function roundedOnce({ numerator, denominator }: Fraction): number {
	const [above, below] = [2n * numerator - 100n * denominator, 200n * denominator];
	const whole = above / below;
	return Number(above > 0n && above % below !== 0n ? whole + 1n : whole);
}

const netsFollowBets: DayCheck = {
	name: 'every player’s net in a settled market is the sum of the bets, rounded once',
	run: async (day) => {
		const exact = new Map<string, Fraction>();
		for await (const { market_id, wallet_id, result, profit_exact, parts } of rowsOf(day, BETS)) {
			if (result !== 'WON' && result !== 'LOST') continue;
			const name = `${market_id} ${wallet_id}`;
			const sum = exact.get(name) ?? { numerator: 0n, denominator: 1n };
			exact.set(name, sumOf(sum, BigInt(Number(profit_exact)), BigInt(Number(parts))));
		}
		let rows = 0;
		for await (const { market_id, wallet_id, net, commission, profit } of rowsOf(day, SETTLEMENTS)) {
			rows++;
			const sum = exact.get(`${market_id} ${wallet_id}`) ?? { numerator: 0n, denominator: 1n };
			const recomputed = roundedOnce(sum);
			const taken = Number(commission);
			const isRight =
				net === recomputed && profit === recomputed - taken && taken >= 0 && (recomputed > 0 || taken === 0);
			if (!isRight) return { rows, wrong: { market_id, wallet_id, net, commission, profit, recomputed } };
		}
		return { rows, wrong: null };
	},
};

/**
 * Not of markets that were reopened that day: their postings have the result before, too. The row of a batch that the day
 * cuts has the batch’s last instant, and may stand in the day after its postings.
 */
const netsArePaid: DayCheck = {
	name: 'every player’s net was paid into the market’s pot, or out of it',
	run: async (day) => {
		const paid = new Map<string, number>();
		const reopened = new Set<unknown>();
		for await (const { kind, wallet_id, market_id, debit, credit, amount } of rowsOf(day, POSTINGS)) {
			if (kind === 'MARKET_REOPENED') reopened.add(market_id);
			if (kind !== 'MARKET_SETTLED' || wallet_id === 0) continue;
			if (debit === 'pot') add(paid, `${market_id} ${wallet_id}`, Number(amount));
			if (credit === 'pot') add(paid, `${market_id} ${wallet_id}`, -Number(amount));
		}
		let rows = 0;
		const cutUntilMs = Date.parse(day.manifest.from) + LONGEST_BATCH_MS;
		for await (const { market_id, wallet_id, net, at } of rowsOf(day, SETTLEMENTS)) {
			if (Number(wallet_id) < FIRST_PLAYER_ID || reopened.has(market_id)) continue;
			const moved = paid.get(`${market_id} ${wallet_id}`) ?? 0;
			if (moved === 0 && Number(at) < cutUntilMs) continue;
			rows++;
			if (moved !== net) return { rows, wrong: { market_id, wallet_id, net, moved } };
		}
		return { rows, wrong: null };
	},
};

const POSTING_SEAL = SEALED_TABLES.find(({ table }) => table.into === 'posting') as SealedTable;

const chainBefore = ({ manifest }: Day): Buffer => Buffer.from(manifest.batches.chain, 'hex');

const chainHolds: DayCheck = {
	name: 'the chain of the seals holds',
	isKeyed: true,
	run: async (day) => {
		let chain = chainBefore(day);
		let rows = 0;
		if (day.before && !day.before.chain.equals(chain)) return { rows, wrong: { day: 'begins with another chain' } };
		for await (const { batch, part, key_id, entries, chain: kept } of rowsOf(day, SEALS)) {
			rows++;
			const sealer = day.keys?.sealers.get(String(key_id));
			if (!sealer) return { rows, wrong: { batch, part, key_id, is: 'sealed with a key that was not given' } };
			chain = sealer.chainAfter(chain, Number(batch), Number(part), Buffer.from(entries as Uint8Array));
			if (!chain.equals(kept as Uint8Array))
				return { rows, wrong: { batch, part, is: 'no continuation of the chain' } };
		}
		return { rows, wrong: null };
	},
};

/** The entries of postings, by batch. */
async function postingEntries(day: Day): Promise<Map<number, Set<string>>> {
	const byBatch = new Map<number, Set<string>>();
	for await (const { batch, entries } of rowsOf(day, SEALS)) {
		const ofBatch = byBatch.get(Number(batch)) ?? new Set();
		const bytes = Buffer.from(entries as Uint8Array);
		for (let at = 0; at < bytes.length; at += ENTRY_BYTES)
			if (bytes[at] === POSTING_SEAL.seal.code) ofBatch.add(bytes.toString('latin1', at, at + ENTRY_BYTES));
		byBatch.set(Number(batch), ofBatch);
	}
	return byBatch;
}

/**
 * A batch that the day cuts has its seal in one day and some of its postings in the other, so the first and the last batch
 * may have more entries than the day has postings.
 */
const postingsAreSealed: DayCheck = {
	name: 'every posting is sealed, and every sealed posting is there',
	isKeyed: true,
	run: async (day) => {
		const entries = await postingEntries(day);
		const keyOf = new Map<number, string>();
		for await (const { batch, key_id } of rowsOf(day, SEALS)) keyOf.set(Number(batch), String(key_id));
		let rows = 0;
		for await (const row of rowsOf(day, POSTINGS)) {
			rows++;
			const batch = Number(row['batch']);
			if (batch <= day.manifest.batches.after) continue;
			const sealer = day.keys?.sealers.get(keyOf.get(batch) ?? '');
			const entry = sealer && storedEntry(sealer, POSTING_SEAL, { ...row }).toString('latin1');
			if (!entry || !entries.get(batch)?.delete(entry))
				return { rows, wrong: { batch, line: row['line'], is: 'edited or added' } };
		}
		const missing = [...entries].find(([batch, left]) => left.size > 0 && batch !== day.manifest.batches.last);
		return { rows, wrong: missing ? { batch: missing[0], is: 'missing', count: missing[1].size } : null };
	},
};

const CHECKS: readonly DayCheck[] = [
	filesAreWhole,
	daysFollow,
	balancesFollow,
	poolsSumToZero,
	statementsRun,
	potsAreEmpty,
	netsFollowBets,
	netsArePaid,
	chainHolds,
	postingsAreSealed,
];

/**
 * Checks each day in order, up to the first that finds an error.
 * @param keys null leaves the seals out
 * @param newest how many days, from the last one back; the first of them is not compared with the one before
 */
export async function* auditDays(
	into: string,
	keys: SealKeys | null,
	newest = Number.POSITIVE_INFINITY,
): AsyncGenerator<AskedOfDay> {
	let before: Before | null = null;
	const days = await daysIn(into);
	for (const number of days.slice(Math.max(0, days.length - newest))) {
		const folder = join(into, dayName(number));
		const manifest = await readManifest(folder);
		if (manifest?.day !== dayName(number)) {
			yield {
				day: dayName(number),
				check: 'the folder has its manifest',
				rows: 0,
				wrong: { manifest: manifest?.day ?? null },
			};
			return;
		}
		const day: Day = { folder, manifest, before: isNext(before, number) ? before : null, balances: [], keys };
		for (const { name, isKeyed, run } of CHECKS) {
			if (isKeyed && keys === null) continue;
			// Once the files are known to be those that were written.
			if (name === daysFollow.name) day.balances = await readBalances(folder);
			const finding = await run(day);
			yield { day: manifest.day, check: name, ...finding };
			if (finding.wrong) return;
		}
		before = await endOf(day);
	}
}

const isNext = (before: Before | null, day: number): boolean => before?.manifest.day === dayName(day - 1);

async function readBalances(folder: string): Promise<Balance[]> {
	const balances: Balance[] = [];
	for await (const { pool, account, owner, opening, closing } of rowsIn(
		filePath(folder, BALANCE_FILE),
		BALANCE_COLUMNS,
	))
		balances.push({
			name: accountOf(pool, account, owner),
			pool: String(pool),
			account: String(account),
			opening: Number(opening),
			closing: Number(closing),
		});
	return balances;
}

async function endOf(day: Day): Promise<Before> {
	let chain = chainBefore(day);
	for await (const row of rowsOf(day, SEALS)) chain = Buffer.from(row['chain'] as Uint8Array);
	return { manifest: day.manifest, chain, closing: new Map(day.balances.map(({ name, closing }) => [name, closing])) };
}
