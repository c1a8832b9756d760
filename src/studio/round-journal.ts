/**
 * The studio's rounds on disk: each change is appended before it is acted on, so a killed process completes them after
 * its restart.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Play } from '#studio/games.ts';

/**
 * BETTING: the stake was requested, with an unknown outcome · OPEN · PAYING: the round is decided and the wallet is
 * being told · ENDED · REFUSED · REFUNDING · REFUNDED.
 */
type RoundState = 'BETTING' | 'OPEN' | 'PAYING' | 'ENDED' | 'REFUSED' | 'REFUNDING' | 'REFUNDED';

export interface StudioRound {
	id: string;
	provider: string;
	game: string;
	userId: string;
	sessionToken: string;
	/** Empty where the wallet named none. */
	currency: string;
	/** Minor units. */
	stake: number;
	state: RoundState;
	play: Play;
	payout: number;
	atMs: number;
	/** Confirmed by the wallet, for the report of a day. */
	confirmed: readonly Confirmed[];
}

/** A transaction that moved money. Amounts are the player's debit and credit in minor units. */
export interface Confirmed {
	txId: string;
	paid: number;
	received: number;
	atMs: number;
}

/** What rounds of earlier releases lack. All of them were in rupees. */
type Later = 'confirmed' | 'currency';

export class RoundJournal {
	readonly #file: string | null;
	readonly #rounds = new Map<string, StudioRound>();

	/** @param folder null to keep them only in memory */
	constructor(folder: string | null) {
		this.#file = folder && join(folder, 'rounds.jsonl');
		if (folder) mkdirSync(folder, { recursive: true });
		if (!this.#file || !existsSync(this.#file)) return;
		for (const line of readFileSync(this.#file, 'utf8').split('\n')) {
			// A kill may have truncated the last line.
			if (!line.endsWith('}')) continue;
			const round = JSON.parse(line) as Omit<StudioRound, Later> & Partial<Pick<StudioRound, Later>>;
			this.#rounds.set(round.id, { confirmed: [], currency: 'INR', ...round });
		}
	}

	all(): StudioRound[] {
		return [...this.#rounds.values()];
	}

	find(id: string): StudioRound | null {
		return this.#rounds.get(id) ?? null;
	}

	write(round: StudioRound): StudioRound {
		if (this.#file) appendFileSync(this.#file, `${JSON.stringify(round)}\n`, { flush: true });
		this.#rounds.set(round.id, round);
		return round;
	}
}
