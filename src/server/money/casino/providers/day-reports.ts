/**
 * Compares each day's transactions with the provider's own report. A transaction that is missing on one side, reported
 * twice, or of another amount becomes a finding, once however often a report is read.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import {
	compareBooks,
	type Difference,
	type OutsideEntry,
	type OwnEntry,
} from '#server/money/funds/operators/compare-books.ts';
import { earlierTime } from '#server/platform/postgres/earlier-time.ts';
import { unhurried } from '#server/platform/postgres/limited-queries.ts';
import { downToStep } from '#values/currencies.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { type Pool, stepOf } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

/** Near midnight the provider's clock and ours may put a transaction into different days. */
const BORDER_MS = 10 * 60_000;
/** After midnight, before the report of a day is fetched. */
const FETCH_AFTER_MS = 30 * 60_000;
const EVERY_MS = 10 * 60_000;
const MOST_DAYS_BACK = 7;
const TIMEOUT_MS = 60_000;

const HEAD = 'transaction,paid,received';
/** Up to ten thousand million; parts of a minor unit are truncated, as they were when it was paid. */
const AMOUNT = /^(\d{1,10})(?:\.(\d{1,9}))?$/;

interface Compared {
	provider: string;
	/** Such as 2026-11-22, UTC. */
	day: string;
	lines: number;
	/** Movements that both books have. */
	matched: number;
	/** Names of the findings, including those that existed before. */
	findings: string[];
}

interface DayReportsOptions {
	db: pg.Pool;
	ledger: Pick<FundsLedger, 'report' | 'houseOf'>;
	exchange: Pick<Exchange, 'pools'>;
	providers: readonly Provider[];
	log: Logger;
}

/**
 * Our transactions that a day's report has to contain: $1 provider, $2 and $3 the period, $4 the transactions that it
 * names.
 */
const OWN = `
	select tx_id as "txId", wallet.wallet_id as "walletId", wallet.pool, at as "atMs",
		reported_on as "reportedOn", coalesce((unanswered.bet ->> 'stake')::bigint, paid) as paid,
		coalesce((unanswered.bet ->> 'payout')::bigint, received) as received
	from provider_transaction
	left join lateral (
		-- A kill came between the money and the answer: the ledger says what moved.
		select wallet_id as owner, bet from workflow_claim join workflow using (kind, id), jsonb_array_elements(data -> 'bets') as bets (bet)
		where outcome is null and name = 'game-tx:' || $1 || ':' || tx_id and bet ->> 'txId' = tx_id
	) as unanswered on true
	left join wallet on wallet.wallet_id = coalesce(provider_transaction.wallet_id, unanswered.owner)
	where provider = $1 and (tx_id = any ($4) or at >= $2 and at < $3 and call <> 'rollback' and not exists (
		-- A bet that was given back moved nothing in the end, and no report needs to name it.
		select 1 from workflow, jsonb_array_elements(data -> 'bets') as bets (bet)
		where kind = 'CASINO' and data ->> 'provider' = $1 and data ->> 'providerRound' = provider_transaction.round
			and bet ->> 'txId' = tx_id and (bet ->> 'isRefunded')::boolean
	))
	order by at`;

interface OwnRow {
	txId: string;
	walletId: WalletId | null;
	/** Null where no player is known. */
	pool: Pool | null;
	atMs: number;
	reportedOn: number | null;
	paid: AnyMinor;
	received: AnyMinor;
}

interface Moved {
	paid: AnyMinor;
	received: AnyMinor;
}

/** The player's debit and credit in a transaction, as entries of the books. */
function entriesOf(txId: string, { paid, received }: Moved): OutsideEntry[] {
	return [
		...(paid > 0 ? [{ key: `-${txId}`, reference: null, amount: paid }] : []),
		...(received > 0 ? [{ key: `+${txId}`, reference: null, amount: received }] : []),
	];
}

/**
 * A report as CSV, amounts in major units; a bet that was rolled back may be left out.
 * @throws Refused VALIDATION_FAILED, with the line
 */
function readReport(csv: string): (Moved & { txId: string })[] {
	const [head, ...lines] = csv.trim().split(/\r?\n/);
	if (head?.trim() !== HEAD) throw new Refused('VALIDATION_FAILED', {}, `The report begins with ${HEAD}.`);
	return lines.map((line, at) => {
		const [txId = '', paid = '', received = '', ...more] = line.split(',').map((part) => part.trim());
		const moved = { paid: minorIn(paid), received: minorIn(received) };
		if (txId === '' || moved.paid === null || moved.received === null || more.length > 0)
			throw new Refused('VALIDATION_FAILED', { line: at + 2 }, `Line ${at + 2} of the report cannot be read.`);
		return { txId, paid: moved.paid, received: moved.received };
	});
}

/** @returns null for an invalid amount */
function minorIn(major: string): AnyMinor | null {
	const [, whole = '', parts = ''] = AMOUNT.exec(major) ?? [];
	return whole === '' ? null : Number(whole) * 100 + Number(parts.slice(0, 2).padEnd(2, '0'));
}

export class DayReports {
	readonly #options: DayReportsOptions;
	readonly #stopping = new AbortController();
	#timer: NodeJS.Timeout | null = null;

	constructor(options: DayReportsOptions) {
		this.#options = options;
	}

	start(): void {
		this.#timer = setInterval(() => void this.#checkDue(), EVERY_MS).unref();
	}

	stop(): void {
		this.#stopping.abort();
		if (this.#timer) clearInterval(this.#timer);
	}

	/** A clock that is ahead asks for no report of a day that is not over: it would be compared once, and for good. */
	async #checkDue(): Promise<void> {
		const { db, log } = this.#options;
		try {
			await this.check(await earlierTime(db));
		} catch (error) {
			log.warn({ err: error }, 'no report of a game provider could be compared');
		}
	}

	/** Fetches and compares the reports that are due. Called by the timer, and by tests. */
	async check(nowMs: number): Promise<Compared[]> {
		const { providers, log } = this.#options;
		const compared: Compared[] = [];
		for (const provider of providers.filter(({ reportKey }) => reportKey !== null)) {
			try {
				for (const day of await this.#dueDays(provider.id, nowMs))
					compared.push(await this.compare(provider.id, day, await this.#fetch(provider, day)));
			} catch (error) {
				log.warn({ err: error, provider: provider.id }, 'the report of a game provider could not be compared');
			}
		}
		return compared;
	}

	/** @param day such as 2026-11-22, UTC. @throws Refused NOT_FOUND, VALIDATION_FAILED */
	async compare(providerId: string, day: string, csv: string): Promise<Compared> {
		const { db, ledger, exchange, providers } = this.#options;
		if (!providers.some(({ id }) => id === providerId)) throw new Refused('NOT_FOUND');
		const lines = readReport(csv);
		const number = Date.parse(`${day}T00:00:00Z`) / DAY_MS;
		const named = lines.map(({ txId }) => txId);
		const { own, known, steps } = await this.#own(providerId, number, named);
		// A win was paid in whole coins of the player's currency, which the provider may not know.
		const reported = lines.flatMap(({ txId, paid, received }) =>
			entriesOf(txId, { paid, received: downToStep(received, steps.get(txId) ?? 1) }),
		);
		const { matched, differences } = compareBooks(reported, own, (key) => known.has(key));
		const findings: string[] = [];
		for (const difference of differences) {
			const { name, data } = findingOf(providerId, day, difference);
			findings.push(name);
			await ledger.report(name, difference.own?.owner ?? ledger.houseOf(exchange.pools), data);
		}
		await db.query(
			`update provider_transaction set reported_on = $3
			where provider = $1 and tx_id = any ($2) and reported_on is null`,
			[providerId, named, number],
		);
		await db.query(
			`insert into provider_day (provider, day, compared_at, differences) values ($1, $2, $3, $4)
			on conflict (provider, day) do update set compared_at = $3, differences = $4`,
			[providerId, number, Date.now(), findings.length],
		);
		return { provider: providerId, day, lines: lines.length, matched, findings };
	}

	/** Transactions of the day, and those that the report names: they may lie on either side of midnight. */
	async #own(
		provider: string,
		day: number,
		named: readonly string[],
	): Promise<{ own: OwnEntry[]; known: Set<string>; steps: Map<string, number> }> {
		const { db, ledger, exchange } = this.#options;
		const house = ledger.houseOf(exchange.pools);
		const { rows: before } = await db.query('select 1 from provider_day where provider = $1 and day = $2', [
			provider,
			day - 1,
		]);
		// The last minutes of a day may appear in the next day's report, if there was one.
		const fromMs = day * DAY_MS - (before.length > 0 ? BORDER_MS : 0);
		const toMs = (day + 1) * DAY_MS - BORDER_MS;
		const { rows } = await unhurried(db).query<OwnRow>(OWN, [provider, fromMs, toMs, named]);
		const own = rows.flatMap(({ txId, walletId, pool, atMs, ...moved }) =>
			entriesOf(txId, moved).map((entry) => ({
				...entry,
				owner: pool === null ? house : { walletId: walletId ?? 0, pool },
				isDue: atMs >= fromMs && atMs < toMs,
			})),
		);
		const known = rows.filter(({ reportedOn }) => reportedOn !== null).flatMap(({ txId }) => [`-${txId}`, `+${txId}`]);
		const steps = new Map(rows.map(({ txId, pool }) => [txId, pool === null ? 1 : stepOf(pool)]));
		return { own, known: new Set(known), steps };
	}

	/** Past days without a comparison, from the provider's first transaction or one week back. */
	async #dueDays(provider: string, nowMs: number): Promise<string[]> {
		const last = Math.floor((nowMs - FETCH_AFTER_MS) / DAY_MS) - 1;
		const { rows } = await this.#options.db.query<{ day: number }>(
			`select day from generate_series(greatest($2::int - ${MOST_DAYS_BACK - 1},
				(select min(at) / ${DAY_MS} from provider_transaction where provider = $1))::int, $2::int) as day
			where not exists (select 1 from provider_day where provider = $1 and provider_day.day = day.day) order by day`,
			[provider, last],
		);
		return rows.map(({ day }) => new Date(day * DAY_MS).toISOString().slice(0, 10));
	}

	async #fetch({ url, reportKey }: Provider, day: string): Promise<string> {
		const response = await fetch(`${url}/report?day=${day}`, {
			headers: { Authorization: `Bearer ${reportKey}` },
			redirect: 'error',
			signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
		});
		if (!response.ok) throw new Error(`the provider answered ${response.status}`);
		return await response.text();
	}
}

function findingOf(provider: string, day: string, { kind, key, reported, own }: Difference) {
	const amounts = {
		amount: reported?.amount ?? own?.amount ?? 0,
		...(kind === 'other-amount' && own ? { ours: own.amount } : {}),
	};
	const direction = key.startsWith('-') ? 'paid' : 'received';
	return {
		name: `game-${kind}:${provider}:${key}`,
		data: { provider, day, transaction: key.slice(1), direction, ...amounts },
	};
}
