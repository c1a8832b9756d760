/**
 * Watches every commit: the money that postings move is the money that rows say, one process writes at a time, nothing is
 * there twice, and a delayed bet reaches the book once and not before its time. It reads rows alone.
 */
import { isOfCoins, type Pool } from '#values/pools.ts';
import type { Change } from '../database/execute.ts';
import type { Row } from '../database/tables.ts';
import { LEASE_MS } from '../feed.ts';

/** How far the exchange's time may run from the monotonic clock in a lease, and between a renewal and its note. */
const CLOCK_SLACK = 1.02;
const ACCOUNTS = ['cash', 'exposure', 'hold', 'bonus'] as const;

/** A request as its batch wrote it. */
export interface WrittenRequest {
	walletId: number;
	clientRequestId: string;
	answer: Record<string, unknown>;
	batch: number;
	epoch: number;
	/** When the database judged its batch, by the simulation's clock. The commit itself may take longer. */
	judgedAtMs: number;
	/** The version that its batch left its wallet. */
	walletVersion: number;
}

export class LedgerWatch {
	/** By wallet and request id. */
	readonly requests = new Map<string, WrittenRequest>();
	/** The highest version of each wallet that is committed. */
	readonly versions = new Map<number, number>();
	batches = 0;
	readonly #accounts = new Map<string, number>();
	readonly #takers = new Map<number, string>();
	/** By market and process, which may go on when it is deposed: when its feed spoke last. */
	readonly #renewed = new Map<string, number>();
	readonly #opened = new Set<unknown>();
	readonly #unleased = new Set<unknown>();
	readonly #delays = new Map<number, number>();
	#epoch = 0;
	#batch = 0;
	#stamp = 0;

	get epochCount(): number {
		return this.#takers.size;
	}

	/** The process that took the lease last. */
	get holder(): string | null {
		return this.#takers.get(this.#epoch) ?? null;
	}

	/** A feed renews the lease of a market, by the exchange's time. */
	renewed(marketId: number, process: string, atMs: number): void {
		this.#renewed.set(`${marketId} ${process}`, atMs);
	}

	/** @throws Error naming what is wrong */
	committed(changes: readonly Change[], process: string, judgedAtMs: number): void {
		const rows = Map.groupBy(
			changes.filter((change) => 'row' in change),
			({ table }) => table.definition.name,
		);
		const of = (table: string): Row[] => (rows.get(table) ?? []).map(({ row }) => row);
		const [lease] = of('lease');
		if (lease) this.#leaseChanged(lease, process);
		else this.#must(of('posting').length + of('bet').length === 0, 'rows of the ledger were written without the lease');
		this.#posted(of('posting'), of('wallet'), of('house_account'));
		// A lease begins when its market opens.
		for (const { market_id: marketId, terms } of of('market_state')) {
			if (this.#opened.has(marketId)) continue;
			this.#opened.add(marketId);
			// Some markets have no lease.
			const { feedLeaseMs } = JSON.parse(terms as string) as { feedLeaseMs: number };
			if (feedLeaseMs === 0) this.#unleased.add(marketId);
			else this.renewed(marketId as number, process, lease?.['at'] as number);
		}
		for (const row of of('bet')) this.#betWritten(row, of('lease')[0]?.['at'] as number);
		for (const row of of('bet_match')) this.#matched(row);
		for (const row of of('request_key')) this.#requested(row, lease as Row, judgedAtMs);
	}

	#must(holds: boolean, what: string): void {
		if (!holds) throw new Error(what);
	}

	#leaseChanged(lease: Row, process: string): void {
		const epoch = lease['epoch'] as number;
		const batch = lease['batch'] as number;
		if (epoch !== this.#epoch) {
			this.#must(epoch > this.#epoch && !this.#takers.has(epoch), `epoch ${epoch} follows ${this.#epoch}`);
			this.#takers.set(epoch, process);
		} else if (batch !== this.#batch) {
			const taker = this.#takers.get(epoch);
			this.#must(taker === process, `${process} wrote batch ${batch} in epoch ${epoch}, which ${taker} took`);
			this.batches++;
		}
		this.#must(batch >= this.#batch, `batch ${batch} follows ${this.#batch}`);
		const stamp = lease['at'] as number;
		this.#must(stamp >= this.#stamp, `batch ${batch} has the stamp ${stamp}, which is before ${this.#stamp}`);
		this.#stamp = stamp;
		this.#epoch = epoch;
		this.#batch = batch;
	}

	#posted(postings: readonly Row[], wallets: readonly Row[], house: readonly Row[]): void {
		const changed = new Set<string>();
		const move = (pool: unknown, account: unknown, owner: unknown, amount: number): number => {
			const name = `${account} ${pool} ${owner}`;
			const balance = (this.#accounts.get(name) ?? 0) + amount;
			this.#accounts.set(name, balance);
			changed.add(name);
			return balance;
		};
		for (const { pool, debit, debit_owner, credit, credit_owner, amount, wallet_id, cash_after } of postings) {
			this.#must(isOfCoins(pool as Pool, amount as number), `a posting of ${amount} in ${pool} has parts of a coin`);
			move(pool, debit, debit_owner, -(amount as number));
			move(pool, credit, credit_owner, amount as number);
			const cash = this.#accounts.get(`cash ${pool} ${wallet_id}`) ?? 0;
			this.#must(
				wallet_id === 0 || cash === cash_after,
				`a posting leaves wallet ${wallet_id} ${cash_after}, and not ${cash}`,
			);
		}
		const shown = new Map<string, number>();
		for (const wallet of wallets) {
			for (const account of ACCOUNTS)
				shown.set(`${account} ${wallet['pool']} ${wallet['wallet_id']}`, wallet[account] as number);
			this.#versionRises(wallet);
		}
		for (const { kind, pool, owner, balance } of house) shown.set(`${kind} ${pool} ${owner}`, balance as number);
		for (const [name, balance] of shown)
			this.#must(
				balance === (this.#accounts.get(name) ?? 0),
				`${name} holds ${balance}, its postings come to ${this.#accounts.get(name) ?? 0}`,
			);
		for (const name of changed) {
			this.#must(shown.has(name), `${name} was posted to, and its row was not written`);
			this.#must(
				!/^(cash|exposure|hold|pot)/.test(name) || (this.#accounts.get(name) ?? 0) >= 0,
				`${name} is below zero`,
			);
		}
	}

	#versionRises({ wallet_id: id, version }: Row): void {
		const before = this.versions.get(id as number) ?? -1;
		this.#must((version as number) >= before, `wallet ${id} has version ${version} after ${before}`);
		this.versions.set(id as number, version as number);
	}

	#betWritten(row: Row, atMs: number): void {
		const betId = row['bet_id'] as number;
		const delay = row['delay'] === null ? null : (JSON.parse(row['delay'] as string) as { dueAtMs: number });
		const due = this.#delays.get(betId);
		if (delay) {
			this.#must(row['matched'] === 0, `bet ${betId} is matched in its delay`);
			this.#delays.set(betId, delay.dueAtMs);
		} else if (due !== undefined) {
			const hasEnded = row['ended_at'] !== null && row['matched'] === 0;
			this.#must(hasEnded || atMs >= due, `bet ${betId} reached the book at ${atMs}, before ${due}`);
			this.#delays.delete(betId);
		}
	}

	/** Bets that are delayed, with the time at which they are due, by the exchange's clock. */
	get delayed(): ReadonlyMap<number, number> {
		return this.#delays;
	}

	#matched({ market_id: marketId, at }: Row): void {
		if (this.#unleased.has(marketId)) return;
		const process = this.#takers.get(this.#epoch) ?? '';
		const renewedAtMs = this.#renewed.get(`${marketId} ${process}`) ?? 0;
		this.#must(
			(at as number) <= renewedAtMs + LEASE_MS * CLOCK_SLACK,
			`a bet was matched in market ${marketId} at ${at}, whose feed in ${process} spoke last at ${renewedAtMs}`,
		);
	}

	#requested(row: Row, lease: Row, judgedAtMs: number): void {
		const walletId = row['wallet_id'] as number;
		const clientRequestId = row['client_request_id'] as string;
		const name = `${walletId} ${clientRequestId}`;
		this.#must(!this.requests.has(name), `request ${name} is there twice`);
		this.requests.set(name, {
			walletId,
			clientRequestId,
			answer: JSON.parse(row['answer'] as string),
			batch: lease['batch'] as number,
			epoch: lease['epoch'] as number,
			judgedAtMs,
			walletVersion: this.versions.get(walletId) ?? 0,
		});
	}
}
