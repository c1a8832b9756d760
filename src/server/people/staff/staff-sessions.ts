/**
 * The sessions of staff. A session is a random token in a cookie; the table has its hash. It starts without the second
 * factor and gets a new token afterwards, so that an earlier token opens nothing.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import { deleteEnded } from '#server/platform/postgres/delete-ended.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

const MINUTE_MS = 60_000;
/** An unused session ends after this time. */
const IDLE_MS = 15 * MINUTE_MS;
/** A session ends after this time in any case. */
const LONGEST_MS = 12 * HOUR_MS;
/** Time limit between the password and the second factor. */
const FACTOR_MS = 5 * MINUTE_MS;
const DEVICE_MS = 30 * DAY_MS;
/** The largest lag of the time of last use in the table. */
const WRITTEN_EVERY_MS = MINUTE_MS;

export interface StaffSession {
	sessionId: string;
	staffId: number;
	address: string;
	userAgent: string;
	createdAtMs: number;
	lastUsedAtMs: number;
	/** When the second factor was shown; null before. */
	factorAtMs: number | null;
}

const newToken = (): string => randomBytes(32).toString('base64url');

export class StaffSessions {
	readonly #db: pg.Pool;
	readonly #clock: () => number;
	/** By the hash of the token. */
	readonly #sessions = new Map<string, StaffSession>();
	readonly #writtenAt = new Map<string, number>();
	/** The number of times that all sessions of a member were ended, or the member's browsers forgotten. */
	readonly #endings = new Map<number, number>();
	/** Called when a session ends early: its open streams end with it. */
	onEnded: () => void = () => undefined;

	constructor({ db, clock = Date.now }: { db: pg.Pool; clock?: () => number }) {
		this.#db = db;
		this.#clock = clock;
	}

	async load(): Promise<void> {
		const now = this.#clock();
		const since = [now - IDLE_MS, now - LONGEST_MS];
		deleteEnded(this.#db, 'delete from staff_session where last_used_at < $1 or created_at < $2', since);
		deleteEnded(this.#db, 'delete from staff_device where expires_at < $1', [now]);
		const { rows } = await this.#db.query<StaffSession & { tokenHash: string }>(
			`select token_hash as "tokenHash", session_id as "sessionId", staff_id as "staffId", address,
			   user_agent as "userAgent", created_at as "createdAtMs", last_used_at as "lastUsedAtMs",
			   factor_at as "factorAtMs"
			 from staff_session where last_used_at >= $1 and created_at >= $2`,
			since,
		);
		for (const { tokenHash, ...session } of rows) this.#sessions.set(tokenHash, session);
	}

	/** @returns the token for the member's cookie */
	async begin(
		staffId: number,
		{ address, userAgent }: Pick<StaffSession, 'address' | 'userAgent'>,
		hasFactor: boolean,
	): Promise<string> {
		const [now, token] = [this.#clock(), newToken()];
		const session: StaffSession = {
			sessionId: randomUUID(),
			staffId,
			address,
			userAgent: userAgent.slice(0, 300),
			createdAtMs: now,
			lastUsedAtMs: now,
			factorAtMs: hasFactor ? now : null,
		};
		await this.#db.query(
			`insert into staff_session
			   (session_id, staff_id, token_hash, address, user_agent, created_at, last_used_at, factor_at)
			 values ($1, $2, $3, $4, $5, $6, $6, $7)`,
			[session.sessionId, staffId, secretHash(token), address, session.userAgent, now, session.factorAtMs],
		);
		this.#sessions.set(secretHash(token), session);
		return token;
	}

	/**
	 * The session of a token; null if it is unknown or has ended.
	 * @param isUsed false for a request that a screen repeats in the background, which keeps no session alive
	 */
	find(token: string, isUsed = true): StaffSession | null {
		const hash = secretHash(token);
		const session = this.#sessions.get(hash);
		if (!session) return null;
		const now = this.#clock();
		const hasEnded =
			now - session.lastUsedAtMs > IDLE_MS ||
			now - session.createdAtMs > LONGEST_MS ||
			(session.factorAtMs === null && now - session.createdAtMs > FACTOR_MS);
		if (hasEnded) {
			// It has ended in memory; a row that stays is removed at the next start.
			this.end(session.sessionId).catch(() => undefined);
			return null;
		}
		if (!isUsed) return session;
		session.lastUsedAtMs = now;
		this.#write(hash, session, now);
		return session;
	}

	/** The second factor was checked. @returns the session's new token; the old one is invalid from now on */
	async complete(session: StaffSession): Promise<string> {
		const [now, token] = [this.#clock(), newToken()];
		const { rowCount } = await this.#db.query(
			'update staff_session set token_hash = $2, factor_at = $3 where session_id = $1',
			[session.sessionId, secretHash(token), now],
		);
		// A session that was ended meanwhile stays ended.
		const isOpen = rowCount === 1 && this.memberOf(session.sessionId) !== null;
		this.#drop(session.sessionId);
		if (isOpen) this.#sessions.set(secretHash(token), { ...session, factorAtMs: now });
		return token;
	}

	/** Newest first. */
	of(staffId: number): StaffSession[] {
		const own = [...this.#sessions.values()].filter((session) => session.staffId === staffId);
		return own.sort((one, other) => other.createdAtMs - one.createdAtMs);
	}

	/** The member of a session; null once it has ended. */
	memberOf(sessionId: string): number | null {
		return [...this.#sessions.values()].find((session) => session.sessionId === sessionId)?.staffId ?? null;
	}

	/** Ends one session at once; a failure to write it leaves it ended in memory. */
	async end(sessionId: string): Promise<void> {
		this.#drop(sessionId);
		await this.#db.query('delete from staff_session where session_id = $1', [sessionId]);
	}

	/** Rises when all sessions of a member end, so that a log-in in progress can detect it. */
	endingsOf(staffId: number): number {
		return this.#endings.get(staffId) ?? 0;
	}

	/** Ends all sessions of a member. @param except a session to keep */
	async endOf(staffId: number, except = ''): Promise<void> {
		this.#endings.set(staffId, this.endingsOf(staffId) + 1);
		for (const { sessionId } of this.of(staffId)) if (sessionId !== except) this.#drop(sessionId);
		await this.#db.query('delete from staff_session where staff_id = $1 and session_id::text <> $2', [staffId, except]);
	}

	/** @returns the token for the cookie of a browser that needs no second factor for 30 days */
	async rememberDevice(staffId: number): Promise<string> {
		const token = newToken();
		await this.#db.query('insert into staff_device (device_hash, staff_id, expires_at) values ($1, $2, $3)', [
			secretHash(token),
			staffId,
			this.#clock() + DEVICE_MS,
		]);
		return token;
	}

	async isKnownDevice(staffId: number, token: string): Promise<boolean> {
		const { rowCount } = await this.#db.query(
			'select from staff_device where device_hash = $1 and staff_id = $2 and expires_at > $3',
			[secretHash(token), staffId, this.#clock()],
		);
		return rowCount === 1;
	}

	async forgetDevices(staffId: number): Promise<void> {
		this.#endings.set(staffId, this.endingsOf(staffId) + 1);
		await this.#db.query('delete from staff_device where staff_id = $1', [staffId]);
	}

	#drop(sessionId: string): void {
		for (const [hash, session] of this.#sessions) {
			if (session.sessionId !== sessionId) continue;
			this.#sessions.delete(hash);
			this.#writtenAt.delete(hash);
		}
		this.onEnded();
	}

	/** A session in use survives a restart; a failed write has no other cost. */
	#write(hash: string, { sessionId }: StaffSession, now: number): void {
		if (now - (this.#writtenAt.get(hash) ?? 0) < WRITTEN_EVERY_MS) return;
		this.#writtenAt.set(hash, now);
		void this.#db
			.query('update staff_session set last_used_at = $2 where session_id = $1', [sessionId, now])
			.catch(() => undefined);
	}
}
