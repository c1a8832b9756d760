/**
 * The studio's rounds on disk: each change is appended before it is acted on, so a killed process completes them after
 * its restart.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
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
		for (const line of wholeLines(this.#file)) {
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
		if (this.#file) append(this.#file, `${JSON.stringify(round)}\n`);
		this.#rounds.set(round.id, round);
		return round;
	}
}

/** A kill may have torn the last line, whose change was not acted on. It is cut off, so that the next one stands alone. */
function wholeLines(file: string): string[] {
	const bytes = readFileSync(file);
	const end = bytes.lastIndexOf('\n') + 1;
	if (end < bytes.length) {
		console.error(`${file} ended within a line, which is cut off: ${bytes.length - end} bytes.`);
		truncateSync(file, end);
	}
	return bytes
		.toString('utf8', 0, end)
		.split('\n')
		.filter((line) => line !== '');
}

/** @throws the error of the disk, which leaves no part of the line */
function append(file: string, line: string): void {
	const size = existsSync(file) ? statSync(file).size : 0;
	try {
		appendFileSync(file, line, { flush: true });
	} catch (error) {
		if (existsSync(file)) truncateSync(file, size);
		throw error;
	}
}
