/**
 * The log of accesses to outcomes that are known before their bets: GLI-19, 4.4.4a. The hash of a round that is not public
 * yet, and the server seed of a pair whose client seed is known, each tell what will be drawn. The journal has an entry
 * before one is read; what it does not take is not read, and the round is not played.
 */
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { WalletId } from '#values/ids.ts';

/** The act's name in the journal. */
export const OUTCOMES_READ = 'outcomes-read';

/**
 * MADE: the chain was drawn · SEALED_ANEW: it was encrypted with another key · ROUNDS: rounds are played with it ·
 * RESTART: rounds that an earlier process began are ended with it.
 */
export type ReadFor = 'MADE' | 'SEALED_ANEW' | 'ROUNDS' | 'RESTART';

/** Positions of a chain, both included. */
export interface ReadHashes {
	game: string;
	chain: number;
	first: number;
	last: number;
	purpose: ReadFor;
}

export type HashAccess = Pick<OutcomeAccess, 'hashes'>;
export type PairAccess = Pick<OutcomeAccess, 'pair'>;

/** Pairs of one row of the journal, whose rows are written one after another. */
const MOST_PAIRS = 1_000;

export class OutcomeAccess {
	readonly #journal: Pick<Journal, 'write'>;
	readonly #process: string;
	/** Pairs of the row that is written next. */
	#open: { pairs: string[]; written: Promise<void> } | null = null;
	#last: Promise<void> = Promise.resolve();

	/** @param process names this one */
	constructor({ journal, process }: { journal: Pick<Journal, 'write'>; process: string }) {
		this.#journal = journal;
		this.#process = process;
	}

	/** Resolves when it is durable that this process reads the hashes. @throws as Journal.write does: they are not read */
	async hashes({ game, chain, ...details }: ReadHashes): Promise<void> {
		await this.#write(subjectOfChain(game, chain), details);
	}

	/**
	 * Resolves when it is durable that this process reads the server seed of the player's pair. Players who begin while a
	 * row is written share the next one. @throws as Journal.write does: it is not read
	 */
	async pair(walletId: WalletId, number: number): Promise<void> {
		if (this.#open === null || this.#open.pairs.length >= MOST_PAIRS) this.#open = this.#nextRow();
		this.#open.pairs.push(`${walletId}:${number}`);
		await this.#open.written;
	}

	#nextRow(): { pairs: string[]; written: Promise<void> } {
		const pairs: string[] = [];
		const written = this.#writePairs(pairs, this.#last);
		this.#last = written.catch(() => undefined);
		return { pairs, written };
	}

	/** @param before the row before it, which may fail */
	async #writePairs(pairs: string[], before: Promise<void>): Promise<void> {
		await before;
		// Taken out before it is written: a pair that comes later is in another row.
		if (this.#open?.pairs === pairs) this.#open = null;
		await this.#write('pairs of players', { purpose: 'ROUNDS', pairs });
	}

	async #write(subject: string, details: object): Promise<void> {
		await this.#journal.write({ actor: this.#process, address: null, act: OUTCOMES_READ, subject, details });
	}
}

export const subjectOfChain = (game: string, chain: number): string => `chain ${game} ${chain}`;
