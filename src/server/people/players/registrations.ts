/**
 * Registrations: future players, and the one-time code that proves the mobile. A code is random, stored only as a seal,
 * and valid once, for ten minutes and five attempts, for its own registration on its own brand. A registration reserves
 * no name: the first one with a correct code becomes the player.
 */
import { createHmac, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { CodeBudget } from '#server/people/players/code-budget.ts';
import { isCommonPassword } from '#server/people/players/common-passwords.ts';
import { evenly } from '#server/people/players/evenly.ts';
import type { ExclusionLists } from '#server/people/players/exclusion-lists.ts';
import { CODE_MS, CODE_TRIES, newCode, sealOfCode, textOfCode } from '#server/people/players/mobile-codes.ts';
import { admitMobile } from '#server/people/players/one-account.ts';
import type { Outbox } from '#server/people/players/outbox.ts';
import { hashPassword, verifyPassword } from '#server/people/players/passwords.ts';
import { DEMO_PREFIX, type Player } from '#server/people/players/player.ts';
import type { PlayerStore } from '#server/people/players/player-store.ts';
import type { Registered, Registrant, RegistrationForm, Visitor } from '#server/people/players/players.ts';
import type { RegistrationLimits } from '#server/people/players/registration-limits.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { nameKey } from '#values/name-key.ts';
import { REGISTRATION_MS } from '#values/registration-time.ts';

/** Codes for one registration, including repeated registrations: too few to guess one. */
const MOST_CODES = 20;
interface RegistrationsOptions {
	db: pg.Pool;
	players: PlayerStore;
	outbox: Outbox;
	/** The server's secret, which seals codes. */
	tokenKey: string;
	clock: () => number;
	exclusionLists: Pick<ExclusionLists, 'admitSignUp'>;
	/** Called for a new player before the account can be used. */
	onMade: (playerId: PlayerId, mobile: { number: string; isProven: boolean }) => Promise<void>;
	limits: RegistrationLimits;
	resends: CodeBudget;
}

interface Pending {
	registrationId: string;
	passwordHash: string;
}

/** The outcome for a registration's row. */
interface Spent {
	userName: string;
	nameKey: string;
	passwordHash: string;
	referralCode: string | null;
}

export class Registrations {
	readonly #options: RegistrationsOptions;

	constructor(options: RegistrationsOptions) {
		this.#options = options;
	}

	/** @throws Refused SIGN_UP_CLOSED, PASSWORD_TOO_COMMON, NAME_TAKEN, THROTTLED */
	async begin(form: RegistrationForm, visitor: Visitor): Promise<Registered> {
		const { brand } = visitor;
		const { allowSignUp, skipVerification } = brand.setting;
		if (!allowSignUp) throw new Refused('SIGN_UP_CLOSED');
		if (isCommonPassword(form.password, form.userName)) throw new Refused('PASSWORD_TOO_COMMON');
		const key = nameKey(form.userName);
		if (key.startsWith(DEMO_PREFIX) || this.#options.players.byName(key, brand.host)) throw new Refused('NAME_TAKEN');
		this.#options.limits.takeRegistration(form.mobile, visitor, { sendsText: !skipVerification });
		const registrationId = (await this.#sameAgain(form, brand.host)) ?? (await this.#insert(form, brand.host));
		const code = await this.#newCode(registrationId, { isTexted: !skipVerification });
		if (code === null) throw new Refused('THROTTLED');
		visitor.cookies.keep({ name: cookieOf(accountOf(form, brand.host)), value: this.#markOf(registrationId) });
		if (skipVerification) return { domain: brand.host, autoVerifyCode: code };
		await this.#send(code, form.mobile, { brand });
		return { domain: brand.host };
	}

	/** Sends a new code for a pending registration; does nothing when there is none. @throws Refused THROTTLED */
	async resend(who: Registrant, visitor: Visitor): Promise<void> {
		this.#options.limits.takeResend(who.mobile, visitor);
		// It counts even if there is no such registration, so that the refusal reveals nothing.
		await this.#options.resends.take(accountOf(who, visitor.brand.host));
		await evenly(async () => {
			const pending = await this.#pending(who, visitor.brand.host);
			if (!pending) return;
			const code = await this.#newCode(pending.registrationId, { isTexted: true });
			if (code !== null) await this.#send(code, who.mobile, visitor);
		});
	}

	/**
	 * Creates the player, once.
	 * @throws Refused WRONG_CODE for every cause; NAME_TAKEN, MOBILE_TAKEN; EXCLUDED and REAL_MONEY_CLOSED by the brand's
	 *   register of exclusions
	 */
	async complete(who: Registrant & { otp: string }, visitor: Visitor): Promise<Player> {
		return await evenly(() => this.#complete(who, visitor));
	}

	async #complete(who: Registrant & { otp: string }, { brand, cookies }: Visitor): Promise<Player> {
		const { userName, mobile, otp } = who;
		const { db, players, clock, exclusionLists, onMade } = this.#options;
		const now = clock();
		const cookie = cookieOf(accountOf(who, brand.host));
		const pending = await this.#pending(who, brand.host);
		// The device that registered has attempts of its own, so that strangers cannot use up those of its owner.
		const isOwn = pending !== null && isSameSecret(cookies.find(cookie) ?? '', this.#markOf(pending.registrationId));
		const counted = isOwn ? 'device_tries' : 'code_tries';
		// The database counts the attempt before the code is compared, so simultaneous attempts are all counted.
		const { rows } = await db.query<{ registrationId: string; codeHash: string; isTexted: boolean }>(
			`update registration set ${counted} = ${counted} + 1
			 where brand = $1 and name_key = $2 and mobile = $3 and ends_at > $4 and code_ends_at > $4 and ${counted} < $5
			 returning registration_id as "registrationId", code_hash as "codeHash", code_texted as "isTexted"`,
			[brand.host, nameKey(userName), mobile, now, CODE_TRIES],
		);
		const [tried] = rows;
		const hash = this.#seal(tried?.registrationId ?? 'none', otp);
		if (!tried || !isSameSecret(hash, tried.codeHash)) throw new Refused('WRONG_CODE');
		const spent = { registrationId: tried.registrationId, codeHash: hash };
		// Only who has the mobile is told.
		await exclusionLists.admitSignUp(mobile, brand);
		// A code that was shown to the page proves nothing.
		const known = { number: mobile, isProven: tried.isTexted };
		const player = await players.create((client) => this.#toPlayer(client, spent, known, brand));
		if (isOwn) cookies.drop(cookie);
		await onMade(player.playerId, known);
		await players.welcome(player);
		return player;
	}

	/** Creates the registration's player in the transaction of `client`. @throws Refused as `complete` */
	async #toPlayer(
		client: pg.PoolClient,
		{ registrationId, codeHash }: { registrationId: string; codeHash: string },
		{ number: mobile, isProven }: { number: string; isProven: boolean },
		brand: Visitor['brand'],
	): Promise<Player> {
		const { players, clock } = this.#options;
		// Revealed only to the owner of the mobile, who has just entered its code; to others if no code is sent.
		await admitMobile(client, { mobile, isProven, playerId: null }, brand);
		const { rows } = await client.query<Spent>(
			`delete from registration where registration_id = $1 and code_hash = $2
			 returning user_name as "userName", name_key as "nameKey", password_hash as "passwordHash",
			   referral_code as "referralCode"`,
			[registrationId, codeHash],
		);
		const [spent] = rows;
		// The same code was entered twice at once.
		if (!spent) throw new Refused('WRONG_CODE');
		const { userName, passwordHash } = spent;
		const playerId = players.nextId();
		const { rowCount } = await client.query(
			`insert into player (player_id, brand, user_name, name_key, password_hash, is_demo, pool, created_at, mobile,
			   mobile_verified_at, referral_code)
			 values ($1, $2, $3, $4, $5, false, $6, $7, $8, case when $9 then $7::bigint end, $10) on conflict do nothing`,
			[
				playerId,
				brand.host,
				userName,
				spent.nameKey,
				passwordHash,
				brand.pool,
				clock(),
				mobile,
				isProven,
				spent.referralCode,
			],
		);
		// Another registration of this name, or an operator, was faster.
		if (rowCount === 0) throw new Refused('NAME_TAKEN');
		return {
			playerId,
			userName,
			passwordHash,
			brand: brand.host,
			isDemo: false,
			pool: brand.pool,
			stakes: null,
			language: null,
		};
	}

	/** A registration that is repeated unchanged continues. @throws Refused NAME_TAKEN with another password */
	async #sameAgain(form: RegistrationForm, brand: string): Promise<string | null> {
		const pending = await this.#pending(form, brand);
		if (!pending) return null;
		if (!(await verifyPassword(form.password, pending.passwordHash))) throw new Refused('NAME_TAKEN');
		return pending.registrationId;
	}

	async #pending({ userName, mobile }: Registrant, brand: string): Promise<Pending | null> {
		const { rows } = await this.#options.db.query<Pending>(
			`select registration_id as "registrationId", password_hash as "passwordHash" from registration
			 where brand = $1 and name_key = $2 and mobile = $3 and ends_at > $4`,
			[brand, nameKey(userName), mobile, this.#options.clock()],
		);
		return rows[0] ?? null;
	}

	async #insert({ userName, mobile, password, referralCode }: RegistrationForm, brand: string): Promise<string> {
		const { db, clock } = this.#options;
		const passwordHash = await hashPassword(password);
		const registrationId = randomUUID();
		const now = clock();
		await db.query('delete from registration where ends_at <= $1', [now]);
		const { rowCount } = await db.query(
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

	/** Replaces the code; null if there were too many. */
	async #newCode(registrationId: string, { isTexted }: { isTexted: boolean }): Promise<string | null> {
		const { db, clock } = this.#options;
		const code = newCode();
		const { rowCount } = await db.query(
			`update registration set code_hash = $2, code_ends_at = $3, code_tries = 0, device_tries = 0,
			   codes_sent = codes_sent + 1, code_texted = $5
			 where registration_id = $1 and codes_sent < $4`,
			[registrationId, this.#seal(registrationId, code), clock() + CODE_MS, MOST_CODES, isTexted],
		);
		return rowCount === 1 ? code : null;
	}

	async #send(code: string, mobile: string, { brand }: Pick<Visitor, 'brand'>): Promise<void> {
		await this.#options.outbox.send({ brand: brand.host, mobile, text: textOfCode(code, brand) });
	}

	/** The content of the registering device's cookie. */
	#markOf(registrationId: string): string {
		return createHmac('sha256', this.#options.tokenKey).update(`registering.${registrationId}`).digest('base64url');
	}

	#seal(registrationId: string, code: string): string {
		return sealOfCode(this.#options.tokenKey, registrationId, code);
	}
}

/** A name that reveals nothing about the account. */
const cookieOf = (account: string): string => `registering-${secretHash(account).slice(0, 16)}`;
const accountOf = ({ userName, mobile }: Registrant, brand: string): string =>
	`${brand}|${nameKey(userName)}|${mobile}`;
