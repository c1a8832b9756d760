/**
 * Registrations: who wants to become a player, and the one-time code that proves the mobile. A code is random, kept as
 * a seal only, good once, for ten minutes and five tries, for its own registration on its own brand.
 */
import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Registered, Registrant, RegistrationForm, Visitor } from '#server/accounts/accounts.ts';
import { isCommonPassword } from '#server/accounts/common-passwords.ts';
import type { Outbox } from '#server/accounts/outbox.ts';
import { hashPassword, verifyPassword } from '#server/accounts/passwords.ts';
import { DEMO_PREFIX, nameKey, type Player, type PlayerStore } from '#server/accounts/player-store.ts';
import { RateLimit } from '#server/accounts/rate-limit.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';

const CODE_MS = 10 * 60_000;
const CODE_TRIES = 5;
/** Of one registration, the first one counted. */
const MOST_CODES = 5;
/** How long a name is held for who began with it. */
const REGISTRATION_MS = 3_600_000;
/** Codes to one mobile in an hour, whatever names they are asked for with. */
const MOST_CODES_A_MOBILE = 10;
/**
 * Whether such a registration exists must not be heard from how long the answer takes: every answer takes at least
 * this long, which is longer than the work.
 */
const ANSWER_MS = 150;

export interface RegistrationsOptions {
	pool: pg.Pool;
	players: PlayerStore;
	outbox: Outbox;
	/** The server's secret; codes are sealed with it. */
	tokenKey: string;
	clock: () => number;
}

interface Pending {
	registrationId: string;
	mobile: string;
	passwordHash: string;
}

export class Registrations {
	readonly #options: RegistrationsOptions;
	readonly #mobiles: RateLimit;
	readonly #resends: RateLimit;

	constructor(options: RegistrationsOptions) {
		this.#options = options;
		const { clock } = options;
		this.#mobiles = new RateLimit(MOST_CODES_A_MOBILE, { windowMs: REGISTRATION_MS, clock });
		this.#resends = new RateLimit(MOST_CODES - 1, { windowMs: REGISTRATION_MS, clock });
	}

	/** @throws Refused SIGN_UP_CLOSED, PASSWORD_TOO_COMMON, NAME_TAKEN, THROTTLED */
	async begin(form: RegistrationForm, { brand }: Visitor): Promise<Registered> {
		const { allowSignUp, skipVerification } = brand.setting;
		if (!allowSignUp) throw new Refused('SIGN_UP_CLOSED');
		if (isCommonPassword(form.password, form.userName)) throw new Refused('PASSWORD_TOO_COMMON');
		const key = nameKey(form.userName);
		if (key.startsWith(DEMO_PREFIX) || this.#options.players.byName(key, brand.host)) throw new Refused('NAME_TAKEN');
		if (!skipVerification) this.#mobiles.take(form.mobile);
		const registrationId = (await this.#sameAgain(form, brand.host)) ?? (await this.#insert(form, brand.host));
		const code = await this.#newCode(registrationId);
		if (code === null) throw new Refused('THROTTLED');
		if (skipVerification) return { domain: brand.host, autoVerifyCode: code };
		await this.#send(code, form.mobile, { brand });
		return { domain: brand.host };
	}

	/** A new code for a registration that waits for one; silent when there is none. @throws Refused THROTTLED */
	async resend(who: Registrant, visitor: Visitor): Promise<void> {
		this.#resends.take(`${visitor.brand.host}|${nameKey(who.userName)}|${who.mobile}`);
		this.#mobiles.take(who.mobile);
		await evenly(async () => {
			const pending = await this.#pending(who.userName, visitor.brand.host);
			if (pending?.mobile !== who.mobile) return;
			const code = await this.#newCode(pending.registrationId);
			if (code !== null) await this.#send(code, who.mobile, visitor);
		});
	}

	/** The new player, once. @throws Refused WRONG_CODE, the same for whatever is wrong; NAME_TAKEN */
	async complete(who: Registrant & { otp: string }, visitor: Visitor): Promise<Player> {
		return await evenly(() => this.#complete(who, visitor));
	}

	async #complete({ userName, mobile, otp }: Registrant & { otp: string }, { brand }: Visitor): Promise<Player> {
		const { pool, players, clock } = this.#options;
		const now = clock();
		// Counted before it is compared, and by the database: tries at the same moment are all counted.
		const { rows } = await pool.query<{ registrationId: string; codeHash: string }>(
			`update registration set code_tries = code_tries + 1
			 where brand = $1 and name_key = $2 and mobile = $3 and ends_at > $4 and code_ends_at > $4 and code_tries < $5
			 returning registration_id as "registrationId", code_hash as "codeHash"`,
			[brand.host, nameKey(userName), mobile, now, CODE_TRIES],
		);
		const [tried] = rows;
		const hash = this.#seal(tried?.registrationId ?? 'none', otp);
		if (!tried || !sameText(hash, tried.codeHash)) throw new Refused('WRONG_CODE');
		const made = await pool.query<{ playerId: number; userName: string; passwordHash: string; pool: Pool }>(
			`with spent as (delete from registration where registration_id = $1 and code_hash = $2 returning *)
			 insert into player (player_id, brand, user_name, name_key, password_hash, is_demo, pool, created_at, mobile,
			   referral_code)
			 select $3, brand, user_name, name_key, password_hash, false, $4, $5, mobile, referral_code from spent
			 on conflict do nothing
			 returning player_id as "playerId", user_name as "userName", password_hash as "passwordHash", pool`,
			[tried.registrationId, hash, players.nextId(), brand.pool, now],
		);
		const [row] = made.rows;
		// Somebody was quicker: with this code, or an operator with this name.
		if (!row) throw new Refused(players.byName(userName, brand.host) ? 'NAME_TAKEN' : 'WRONG_CODE');
		const player: Player = { ...row, brand: brand.host, isDemo: false, stakes: null };
		await players.welcome(player);
		return player;
	}

	/** Who registers again with all the same goes on where he was. @throws Refused NAME_TAKEN for anybody else */
	async #sameAgain(form: RegistrationForm, brand: string): Promise<string | null> {
		const pending = await this.#pending(form.userName, brand);
		if (!pending) return null;
		const same = await verifyPassword(form.password, pending.passwordHash);
		if (!same || pending.mobile !== form.mobile) throw new Refused('NAME_TAKEN');
		return pending.registrationId;
	}

	async #pending(userName: string, brand: string): Promise<Pending | null> {
		const { rows } = await this.#options.pool.query<Pending>(
			`select registration_id as "registrationId", mobile, password_hash as "passwordHash" from registration
			 where brand = $1 and name_key = $2 and ends_at > $3`,
			[brand, nameKey(userName), this.#options.clock()],
		);
		return rows[0] ?? null;
	}

	async #insert({ userName, mobile, password, referralCode }: RegistrationForm, brand: string): Promise<string> {
		const { pool, clock } = this.#options;
		const passwordHash = await hashPassword(password);
		const registrationId = randomUUID();
		const now = clock();
		await pool.query('delete from registration where ends_at <= $1', [now]);
		const { rowCount } = await pool.query(
			`insert into registration (registration_id, brand, user_name, name_key, mobile, password_hash, referral_code,
			   created_at, ends_at, code_hash, code_ends_at, code_tries, codes_sent)
			 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', 0, 0, 0) on conflict do nothing`,
			[
				registrationId,
				brand,
				userName,
				nameKey(userName),
				mobile,
				passwordHash,
				referralCode || null,
				now,
				now + REGISTRATION_MS,
			],
		);
		if (rowCount === 0) throw new Refused('NAME_TAKEN');
		return registrationId;
	}

	/** Puts a fresh code in the place of the one before; null when there were too many. */
	async #newCode(registrationId: string): Promise<string | null> {
		const { pool, clock } = this.#options;
		const code = String(randomInt(100_000, 1_000_000));
		const { rowCount } = await pool.query(
			`update registration set code_hash = $2, code_ends_at = $3, code_tries = 0, codes_sent = codes_sent + 1
			 where registration_id = $1 and codes_sent < $4`,
			[registrationId, this.#seal(registrationId, code), clock() + CODE_MS, MOST_CODES],
		);
		return rowCount === 1 ? code : null;
	}

	async #send(code: string, mobile: string, { brand }: Pick<Visitor, 'brand'>): Promise<void> {
		const minutes = CODE_MS / 60_000;
		const text = `${code} is your code for ${brand.setting.domainTitle}. It is good for ${minutes} minutes. Tell it to nobody.`;
		await this.#options.outbox.send({ brand: brand.host, mobile, text });
	}

	/** Without the server's key a table of a million seals of six digits would be made in a moment. */
	#seal(registrationId: string, code: string): string {
		return createHmac('sha256', this.#options.tokenKey).update(`code.${registrationId}.${code}`).digest('base64url');
	}
}

function sameText(one: string, other: string): boolean {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
}

/** The outcome of the work, not before its time. */
async function evenly<T>(work: () => Promise<T>): Promise<T> {
	const [outcome] = await Promise.allSettled([work(), pause(ANSWER_MS)]);
	if (outcome.status === 'rejected') throw outcome.reason;
	return outcome.value;
}
