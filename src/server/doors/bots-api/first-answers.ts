/**
 * The answers to calls with a customerRef. A repetition within a minute gets the same answer; after that the reference
 * is new. The exchange remembers accepted calls by their request keys, which contain the minute in which the reference
 * was first used. A refusal changed nothing, so the exchange would check it again; answers with a refusal are kept
 * here, and in a table, because the first answer counts after a restart, too.
 */
import type pg from 'pg';
import { deleteEnded } from '#server/platform/postgres/delete-ended.ts';
import { Counts } from '#values/counts.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/** How long a customerRef is valid after its first use. */
export const CUSTOMER_REF_MS = 60_000;
/**
 * First uses in that time, of all players and of one. One more is refused: to forget another's would let its repetition be
 * done twice.
 */
const REFERENCES = { most: 200_000, mostOfOne: 20_000 };

interface Reference {
	playerId: PlayerId;
	/** The operation and the bot's own reference. */
	name: string;
	/** A digest of the call: a reference with another call is refused. */
	bodyHash: string;
}

interface Kept {
	playerId: PlayerId;
	bodyHash: string;
	/** Null if the exchange repeats the first answer. */
	answer: Promise<unknown> | null;
	period: Promise<number>;
	/** Of the first use. */
	atMs: number;
}

/** @param isFinal false if the answer may change a moment later, so that it must not be kept */
interface Answered<Answer> {
	answer: Answer;
	hasRefusal: boolean;
	isFinal: boolean;
}

interface ReferencedCall<Answer> {
	/** @param period the minute of the reference's first use, which is part of request keys */
	work(period: number): Promise<Answered<Answer>>;
	/** When the exchange accepted a call of this reference under the keys of that minute; null if it did not. */
	acceptedAt(period: number): Promise<number | null>;
}

export class FirstAnswers {
	readonly #db: pg.Pool;
	readonly #clock: () => number;
	readonly #limits: typeof REFERENCES;
	/** In order of first use in this process. */
	readonly #kept = new Map<string, Kept>();
	/** How many of them each player has. */
	readonly #shares = new Counts<PlayerId>();
	/** After this time every use of a reference is in memory. */
	#knownFromMs = Number.POSITIVE_INFINITY;

	/** @param clock the ledger's time, which is independent of the wall clock */
	constructor(db: pg.Pool, clock: () => number, limits = REFERENCES) {
		this.#db = db;
		this.#clock = clock;
		this.#limits = limits;
	}

	async load(): Promise<void> {
		this.#knownFromMs = this.#clock();
		const since = this.#knownFromMs - CUSTOMER_REF_MS;
		deleteEnded(this.#db, 'delete from api_answer where at < $1', [since]);
		const { rows } = await this.#db.query<Reference & { answer: unknown; atMs: number }>(
			`select player_id as "playerId", reference as name, body_hash as "bodyHash", answer, at as "atMs"
			 from api_answer where at >= $1 order by at desc limit ${this.#limits.most}`,
			[since],
		);
		for (const { bodyHash, answer, atMs, ...of } of rows.reverse()) {
			const period = Promise.resolve(periodOf(atMs));
			const { playerId } = of;
			this.#add(keyOf(of), { playerId, bodyHash, answer: Promise.resolve(answer), period, atMs });
		}
	}

	/**
	 * The first answer of this reference: of an earlier call, of one in progress, or of this one.
	 * @throws Refused REQUEST_ID_REUSED; THROTTLED, OVERLOADED for a new one where there are too many
	 */
	async first<Answer>(reference: Reference, call: ReferencedCall<Answer>): Promise<Answer> {
		const key = keyOf(reference);
		const nowMs = this.#clock();
		this.#forgetOld(nowMs);
		const known = this.#kept.get(key);
		const earlier = known && nowMs - known.atMs <= CUSTOMER_REF_MS ? known : null;
		if (earlier && earlier.bodyHash !== reference.bodyHash) throw new Refused('REQUEST_ID_REUSED');
		if (earlier?.answer) return (await earlier.answer) as Answer;
		if (!earlier) this.#refuseTooMany(reference.playerId);
		const kept = earlier ?? this.#firstUse(reference, nowMs, call);
		const answer = kept.period.then((first) => call.work(first)).then((done) => this.#keep(reference, kept, done));
		kept.answer = answer;
		if (!earlier) this.#add(key, kept);
		answer.catch((error: unknown) => {
			// The reference belongs to another call, from before a restart.
			if (error instanceof Refused && error.code === 'REQUEST_ID_REUSED') this.#drop(key);
			else kept.answer = null;
		});
		return (await answer) as Answer;
	}

	/** Until this process has a whole minute in memory, an earlier first use is found by its accepted calls. */
	#firstUse(
		{ playerId, bodyHash }: Reference,
		nowMs: number,
		{ acceptedAt }: Pick<ReferencedCall<unknown>, 'acceptedAt'>,
	): Kept {
		const now = periodOf(nowMs);
		const kept: Kept = { playerId, bodyHash, answer: null, period: Promise.resolve(now), atMs: nowMs };
		const find = async (): Promise<number> => {
			for (const period of [now - 1, now]) {
				const atMs = await acceptedAt(period);
				if (atMs === null || nowMs - atMs > CUSTOMER_REF_MS) continue;
				kept.atMs = atMs;
				return period;
			}
			return now;
		};
		if (nowMs - this.#knownFromMs < CUSTOMER_REF_MS) kept.period = find();
		return kept;
	}

	async #keep<Answer>(reference: Reference, kept: Kept, { answer, hasRefusal, isFinal }: Answered<Answer>) {
		if (!isFinal || !hasRefusal) kept.answer = null;
		else {
			await this.#db.query(
				`insert into api_answer (player_id, reference, body_hash, answer, at) values ($1, $2, $3, $4, $5)
				 on conflict (player_id, reference) do update
				 set body_hash = excluded.body_hash, answer = excluded.answer, at = excluded.at`,
				[reference.playerId, reference.name, reference.bodyHash, JSON.stringify(answer), kept.atMs],
			);
		}
		return answer;
	}

	#forgetOld(nowMs: number): void {
		for (const [key, { atMs }] of this.#kept) {
			if (nowMs - atMs <= CUSTOMER_REF_MS) break;
			this.#drop(key);
		}
	}

	/** @throws Refused THROTTLED, OVERLOADED */
	#refuseTooMany(playerId: PlayerId): void {
		if (this.#shares.of(playerId) >= this.#limits.mostOfOne) throw new Refused('THROTTLED');
		if (this.#kept.size >= this.#limits.most) throw new Refused('OVERLOADED');
	}

	/** Behind all others, also where the reference was used before. */
	#add(key: string, kept: Kept): void {
		this.#drop(key);
		this.#kept.set(key, kept);
		this.#shares.add(kept.playerId);
	}

	#drop(key: string): void {
		const kept = this.#kept.get(key);
		if (!kept) return;
		this.#kept.delete(key);
		this.#shares.remove(kept.playerId);
	}
}

const periodOf = (atMs: number): number => Math.floor(atMs / CUSTOMER_REF_MS);
const keyOf = ({ playerId, name }: Pick<Reference, 'playerId' | 'name'>): string => `${playerId} ${name}`;
