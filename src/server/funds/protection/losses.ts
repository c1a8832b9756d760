/**
 * The net losses of players with a loss limit: results of markets after commission, and casino rounds. Only these
 * players are followed; each is read from the ledger once and then updated by the batches.
 */
import type pg from 'pg';
import type { Committed } from '#server/exchange/committed.ts';
import { PERIODS, type Period } from '#server/funds/deposit-limits.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

interface Result {
	atMs: number;
	/** The player's gain in paise; below zero for a loss. */
	net: AnyPaise;
}

export class Losses {
	readonly #db: pg.Pool;
	/** By player, then by market or round: a reopened market gets another result. */
	readonly #results = new Map<number, Map<string, Result>>();

	/** Players whose earlier results have been read. */
	readonly #followed = new Set<number>();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** Follows these players from now on. */
	async follow(playerIds: readonly PlayerId[], nowMs: number): Promise<void> {
		const unknown = playerIds.filter((playerId) => !this.#results.has(playerId));
		if (unknown.length === 0) return;
		// Set before the tables are read: what a batch brings meanwhile is newer than the tables.
		for (const playerId of unknown) this.#results.set(playerId, new Map());
		try {
			await this.#read(unknown, nowMs);
		} catch (error) {
			for (const playerId of unknown) this.#results.delete(playerId);
			throw error;
		}
		for (const playerId of unknown) this.#followed.add(playerId);
	}

	async #read(playerIds: readonly PlayerId[], nowMs: number): Promise<void> {
		const { rows } = await this.#db.query<Result & { playerId: PlayerId; name: string }>(
			`select wallet_id as "playerId", 'market ' || market_id as name, at as "atMs", profit as net from player_settlement
			 where wallet_id = any($1) and at >= $2
			 union all
			 select wallet_id, 'round ' || ref, max(at), sum(case when credit = 'cash' then amount else -amount end)::bigint
			 from posting where wallet_id = any($1) and at >= $2 and kind = 'CASINO' and (debit = 'cash' or credit = 'cash')
			 group by wallet_id, ref`,
			[playerIds, nowMs - PERIODS.MONTH],
		);
		for (const { playerId, name, atMs, net } of rows) {
			const results = this.#results.get(playerId);
			if (results && !results.has(name)) results.set(name, { atMs, net });
		}
	}

	/** Whether what the player lost before is known. */
	isFollowed(playerId: PlayerId): boolean {
		return this.#followed.has(playerId);
	}

	onCommitted({ settlements, postings }: Committed): void {
		if (this.#results.size === 0) return;
		for (const { walletId, marketId, profit, atMs } of settlements) {
			this.#results.get(walletId)?.set(`market ${marketId}`, { atMs, net: profit });
		}
		for (const { kind, walletId, ref, credit, debit, amount, atMs } of postings) {
			const results = kind === 'CASINO' ? this.#results.get(walletId) : undefined;
			if (!results || (credit !== 'cash' && debit !== 'cash')) continue;
			const net = (results.get(`round ${ref}`)?.net ?? 0) + (credit === 'cash' ? amount : -amount);
			results.set(`round ${ref}`, { atMs, net });
		}
	}

	/** Paise lost in the period before now; zero when the player is ahead. */
	lost(playerId: PlayerId, period: Period, nowMs: number): number {
		let net = 0;
		const results = this.#results.get(playerId);
		for (const [name, result] of results ?? []) {
			if (result.atMs < nowMs - PERIODS.MONTH) results?.delete(name);
			else if (result.atMs >= nowMs - PERIODS[period]) net += result.net;
		}
		return Math.max(0, -net);
	}
}
