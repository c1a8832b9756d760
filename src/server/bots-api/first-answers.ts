/**
 * The answers to calls with a customerRef, which a repetition gets again. What was accepted the exchange remembers with
 * its request keys. A refusal changed nothing, so the exchange would check it anew; the answers that hold one are kept
 * here for an hour, and in a table, because the first answer counts after a restart, too.
 */
import type pg from 'pg';
import { deleteEnded } from '#server/db/delete-ended.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

const KEPT_MS = 3_600_000;
const MOST_KEPT = 50_000;

export interface Reference {
	playerId: PlayerId;
	/** The operation and the bot's own reference. */
	name: string;
	/** A digest of the call: a reference with another call is refused. */
	bodyHash: string;
}

interface Kept {
	bodyHash: string;
	answer: Promise<unknown>;
	atMs: number;
}

/** @param isFinal false when the answer may be different a moment later, so that it must not be kept */
export interface Answered<Answer> {
	answer: Answer;
	hasRefusal: boolean;
	isFinal: boolean;
}

export class FirstAnswers {
	readonly #db: pg.Pool;
	readonly #clock: () => number;
	/** Oldest first. */
	readonly #kept = new Map<string, Kept>();

	constructor(db: pg.Pool, clock: () => number) {
		this.#db = db;
		this.#clock = clock;
	}

	async load(): Promise<void> {
		const since = this.#clock() - KEPT_MS;
		deleteEnded(this.#db, 'delete from api_answer where at < $1', [since]);
		const { rows } = await this.#db.query<Reference & { answer: unknown; atMs: number }>(
			`select player_id as "playerId", reference as name, body_hash as "bodyHash", answer, at as "atMs"
			 from api_answer where at >= $1 order by at desc limit ${MOST_KEPT}`,
			[since],
		);
		for (const { bodyHash, answer, atMs, ...of } of rows.reverse()) {
			this.#kept.set(keyOf(of), { bodyHash, answer: Promise.resolve(answer), atMs });
		}
	}

	/**
	 * The first answer of this reference: of an earlier call, of one in progress, or of `work`.
	 * @throws Refused REQUEST_ID_REUSED
	 */
	async first<Answer>(reference: Reference, work: () => Promise<Answered<Answer>>): Promise<Answer> {
		const key = keyOf(reference);
		this.#forgetOld();
		const earlier = this.#kept.get(key);
		if (earlier) {
			if (earlier.bodyHash !== reference.bodyHash) throw new Refused('REQUEST_ID_REUSED');
			return (await earlier.answer) as Answer;
		}
		const done = work();
		const answer = done.then((answered) => this.#keep(reference, key, answered));
		this.#kept.set(key, { bodyHash: reference.bodyHash, answer, atMs: this.#clock() });
		// A call that failed as a whole answered nothing that could be repeated.
		answer.catch(() => this.#kept.delete(key));
		return (await answer) as Answer;
	}

	async #keep<Answer>(reference: Reference, key: string, { answer, hasRefusal, isFinal }: Answered<Answer>) {
		if (!isFinal || !hasRefusal) this.#kept.delete(key);
		else {
			await this.#db.query(
				`insert into api_answer (player_id, reference, body_hash, answer, at) values ($1, $2, $3, $4, $5)
				 on conflict (player_id, reference) do update
				 set body_hash = excluded.body_hash, answer = excluded.answer, at = excluded.at`,
				[reference.playerId, reference.name, reference.bodyHash, JSON.stringify(answer), this.#clock()],
			);
		}
		return answer;
	}

	#forgetOld(): void {
		const since = this.#clock() - KEPT_MS;
		for (const [key, { atMs }] of this.#kept) {
			if (atMs >= since && this.#kept.size < MOST_KEPT) break;
			this.#kept.delete(key);
		}
	}
}

const keyOf = ({ playerId, name }: Pick<Reference, 'playerId' | 'name'>): string => `${playerId} ${name}`;
