/**
 * One-time codes that are asked for by an account's name, without a log-in: for a new password, and to unlock. Each
 * device that asks has a code and tries of its own, known by a sealed cookie, and each network its own budget, so that
 * strangers who ask and guess take none of the owner's. A client without the cookie tries the latest code that its
 * network asked for. Codes to a contact are limited by the day (`registration-limits.ts`), which bounds the guesses, too.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { CodeBudget } from '#server/people/players/code-budget.ts';
import type { CookieJar, KnownDevices } from '#server/people/players/known-devices.ts';
import { CODE_MS, CODE_TRIES, newCode, sealOfCode } from '#server/people/players/mobile-codes.ts';
import type { Player } from '#server/people/players/player.ts';
import type { Visitor } from '#server/people/players/players.ts';
import type { RegistrationLimits } from '#server/people/players/registration-limits.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import type { PlayerId } from '#values/ids.ts';
import { nameKey } from '#values/name-key.ts';
import { networkOf } from '#values/network.ts';

type CodePurpose = 'RESET' | 'UNLOCK';

interface AccountCodesOptions {
	db: pg.Pool;
	/** The server's secret, which seals codes and cookies. */
	tokenKey: string;
	clock: () => number;
	limits: RegistrationLimits;
	resends: CodeBudget;
	/** Browsers that have logged in to an account. */
	devices: KnownDevices;
}

/** Who asks for a code, or gives one. */
export interface Asker {
	/** Null for a client without the cookie. */
	device: string | null;
	network: string;
}

const COOKIES = 'asking-';
/** Of one browser. */
const MOST_COOKIES = 5;
const SECRET = /^([\w-]{16})\.([\w-]{43})$/;

export class AccountCodes {
	readonly #options: AccountCodesOptions;
	readonly #purpose: CodePurpose;

	constructor(options: AccountCodesOptions, purpose: CodePurpose) {
		this.#options = options;
		this.#purpose = purpose;
	}

	/**
	 * Counts a request for a code, whether or not there is such an account, and makes its device known.
	 * @throws Refused THROTTLED
	 */
	async asking(name: string, { brand, address, cookies }: Visitor): Promise<Asker & { device: string }> {
		const account = accountOf(name, brand.host);
		const network = networkOf(address);
		await this.#options.resends.take(`${this.#purpose} ${account}|${network}`);
		const device = this.#deviceIn(cookies, account) ?? randomBytes(12).toString('base64url');
		const cookie = this.#cookieOf(account);
		const others = cookies.names().filter((held) => held.startsWith(COOKIES) && held !== cookie);
		for (const oldest of others.slice(0, Math.max(0, others.length + 1 - MOST_COOKIES))) cookies.drop(oldest);
		cookies.keep({ name: cookie, value: `${device}.${this.#sealOf(device, account)}` });
		return { device, network };
	}

	/** Counts a code to the account's contact. @throws Refused THROTTLED */
	count({ playerId, passwordHash }: Pick<Player, 'playerId' | 'passwordHash'>, to: string, visitor: Visitor): void {
		const { limits, devices } = this.#options;
		const isKnown = devices.find({ id: playerId, passwordHash }, visitor.cookies) !== null;
		if (isKnown) limits.takeForAccount(playerId, visitor);
		else limits.takeResend(to, visitor);
	}

	asker(name: string, { brand, address, cookies }: Visitor): Asker {
		return { device: this.#deviceIn(cookies, accountOf(name, brand.host)), network: networkOf(address) };
	}

	/** Makes the device's code; a later one of the device replaces it. */
	async make(
		client: Pick<pg.ClientBase, 'query'>,
		playerId: PlayerId,
		{ device, network }: Asker & { device: string },
	): Promise<string> {
		const now = this.#options.clock();
		const code = newCode();
		await client.query('delete from account_code where player_id = $1 and code_ends_at <= $2', [playerId, now]);
		await client.query(
			`insert into account_code (player_id, purpose, device, network, code_hash, code_ends_at)
			 values ($1, $2, $3, $4, $5, $6)
			 on conflict (player_id, purpose, device) do update set network = excluded.network,
			   code_hash = excluded.code_hash, code_ends_at = excluded.code_ends_at, device_tries = 0, network_tries = 0`,
			[playerId, this.#purpose, device, network, this.#codeSeal(playerId, code), now + CODE_MS],
		);
		return code;
	}

	/** Counts a try. @returns the seal of the code if it is right, which `spend` takes; null if it is not */
	async tried(playerId: PlayerId, otp: string, { device, network }: Asker): Promise<string | null> {
		// The database counts the attempt before the code is compared, so simultaneous attempts are all counted.
		const { rows } = await this.#options.db.query<{ codeHash: string }>(
			`update account_code set device_tries = device_tries + (device = $3)::int,
			   network_tries = network_tries + (device <> $3)::int
			 where player_id = $1 and purpose = $2 and device = (
			     select device from account_code
			     where player_id = $1 and purpose = $2 and code_ends_at > $5 and (device = $3 or network = $4)
			     order by device = $3 desc, code_ends_at desc limit 1)
			   and case when device = $3 then device_tries else network_tries end < $6
			 returning code_hash as "codeHash"`,
			[playerId, this.#purpose, device ?? '', network, this.#options.clock(), CODE_TRIES],
		);
		const hash = this.#codeSeal(playerId, otp);
		return isSameSecret(hash, rows[0]?.codeHash ?? '') ? hash : null;
	}

	/** Ends all codes of the account for the purpose. @returns false if the code is spent already */
	async spend(client: Pick<pg.ClientBase, 'query'>, playerId: PlayerId, codeHash: string): Promise<boolean> {
		const { rowCount } = await client.query(
			`delete from account_code where player_id = $1 and purpose = $2 and exists (
			   select from account_code as spent where spent.player_id = $1 and spent.purpose = $2 and spent.code_hash = $3)`,
			[playerId, this.#purpose, codeHash],
		);
		return rowCount !== 0;
	}

	#deviceIn(cookies: CookieJar, account: string): string | null {
		const [, device, seal] = SECRET.exec(cookies.find(this.#cookieOf(account)) ?? '') ?? [];
		return device && seal && isSameSecret(seal, this.#sealOf(device, account)) ? device : null;
	}

	/** A name that reveals nothing about the account. */
	#cookieOf(account: string): string {
		return `${COOKIES}${secretHash(`${this.#purpose} ${account}`).slice(0, 16)}`;
	}

	#sealOf(device: string, account: string): string {
		const text = `asking.${this.#purpose}.${device}.${account}`;
		return createHmac('sha256', this.#options.tokenKey).update(text).digest('base64url');
	}

	#codeSeal(playerId: PlayerId, code: string): string {
		return sealOfCode(this.#options.tokenKey, `${this.#purpose} ${playerId}`, code);
	}
}

/** Ends the codes for the purpose: after a change of the password or the contact, and when the account is unlocked. */
export async function forgetCodes(
	client: Pick<pg.ClientBase, 'query'>,
	playerId: PlayerId,
	purpose: CodePurpose,
): Promise<void> {
	await client.query('delete from account_code where player_id = $1 and purpose = $2', [playerId, purpose]);
}

const accountOf = (name: string, host: string): string => `${host}|${nameKey(name)}`;
