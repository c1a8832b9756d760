/**
 * Locks of accounts after wrong passwords, and the two ways out: a code to the proven mobile, which is the player's second
 * factor, and an operator. Open log-ins go on, because they showed the right password.
 */
import type pg from 'pg';
import { rulesAt } from '#contract/rules-at.ts';
import { AccountCodes, forgetCodes, ownMobileOf } from '#server/people/players/account-codes.ts';
import type { CodeBudget } from '#server/people/players/code-budget.ts';
import { FailedLogins } from '#server/people/players/failed-logins.ts';
import type { KnownDevices } from '#server/people/players/known-devices.ts';
import { textOfCode } from '#server/people/players/mobile-codes.ts';
import type { Outbox } from '#server/people/players/outbox.ts';
import type { Player } from '#server/people/players/player.ts';
import type { Visitor } from '#server/people/players/players.ts';
import type { RegistrationLimits } from '#server/people/players/registration-limits.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { DAY_MS } from '#values/time.ts';

interface LoginLocksOptions {
	db: pg.Pool;
	journal: Journal;
	outbox: Outbox;
	/** The server's secret, which seals codes. */
	tokenKey: string;
	clock: () => number;
	/** The exchange's: setting the wall clock forgets no failure. */
	ledgerClock: () => number;
	/** Codes to a mobile count together, for any purpose. */
	limits: RegistrationLimits;
	resends: CodeBudget;
	/** Browsers that have logged in to an account. */
	devices: KnownDevices;
}

/** The player, or an operator by name. */
interface Unlocker {
	actor: string;
	address: string | null;
}

export class LoginLocks {
	readonly #options: LoginLocksOptions;
	readonly #codes: AccountCodes;
	readonly #failed: FailedLogins;

	constructor(options: LoginLocksOptions) {
		this.#options = options;
		this.#codes = new AccountCodes(options, 'UNLOCK');
		this.#failed = new FailedLogins(options.ledgerClock);
	}

	async load(): Promise<void> {
		const { db, clock } = this.#options;
		const { rows } = await db.query<{ playerId: PlayerId; failedAtMs: number[]; isLocked: boolean }>(
			`select player_id as "playerId", array_agg(at order by at)::float8[] as "failedAtMs", false as "isLocked"
			 from login_attempt as failed where not succeeded and at > $1 and player_id is not null
			   and not exists (select from login_attempt as later
			     where later.player_id = failed.player_id and later.succeeded and later.at > failed.at)
			 group by player_id
			 union all select player_id, '{}', true from login_lock`,
			[clock() - DAY_MS],
		);
		for (const { playerId, ...account } of rows) this.#failed.restore(playerId, account);
	}

	/**
	 * Counts a password that is to be checked.
	 * @param name folded, with its brand
	 * @returns called with the outcome of the check, null for a fault
	 * @throws Refused ACCOUNT_LOCKED, THROTTLED
	 */
	begin(
		playerId: PlayerId | null,
		name: string,
		{ brand, address }: Pick<Visitor, 'brand' | 'address'>,
	): (isRight: boolean | null) => Promise<void> {
		const end = this.#failed.begin(playerId, name, rulesAt(brand.setting, this.#options.ledgerClock).locksAfter);
		return async (isRight) => {
			if (end(isRight) === 'LOCKED' && playerId !== null) await this.#lock(playerId, address);
		};
	}

	async #lock(playerId: PlayerId, address: string): Promise<void> {
		await this.#options.journal.change(async (client) => {
			await client.query(
				'insert into login_lock (player_id, locked_at) values ($1, $2) on conflict (player_id) do nothing',
				[playerId, this.#options.ledgerClock()],
			);
			return {
				result: undefined,
				act: { actor: 'server', address, act: 'ACCOUNT_LOCKED', subject: `player ${playerId}` },
			};
		});
	}

	/** Sends a code to the proven mobile of a locked account; does nothing, and says the same, for any other. */
	async sendCode(
		player: Pick<Player, 'playerId' | 'passwordHash'> | null,
		name: string,
		visitor: Visitor,
	): Promise<void> {
		const { db, outbox } = this.#options;
		const asker = await this.#codes.asking(name, visitor);
		if (player === null || !this.#failed.isLocked(player.playerId)) return;
		const { playerId } = player;
		const mobile = await ownMobileOf(db, playerId);
		if (mobile === null) return;
		this.#codes.count(player, mobile, visitor);
		const code = await this.#codes.makeFor(mobile, playerId, asker);
		if (code !== null) await outbox.send({ brand: visitor.brand.host, mobile, text: textOfCode(code, visitor.brand) });
	}

	/** @throws Refused WRONG_CODE for every cause */
	async unlockByCode(
		playerId: PlayerId | null,
		{ name, otp }: { name: string; otp: string },
		visitor: Visitor,
	): Promise<void> {
		if (playerId === null) throw new Refused('WRONG_CODE');
		const codeHash = await this.#codes.tried(playerId, otp, this.#codes.asker(name, visitor));
		if (codeHash === null) throw new Refused('WRONG_CODE');
		await this.#unlock(playerId, { actor: 'player', address: visitor.address }, { codeHash, otherwise: 'WRONG_CODE' });
	}

	/** By an operator. @throws Refused WRONG_STATE for an account that is not locked */
	async unlock(playerId: PlayerId, by: Unlocker): Promise<void> {
		await this.#unlock(playerId, by, { codeHash: null, otherwise: 'WRONG_STATE' });
	}

	async #unlock(
		playerId: PlayerId,
		by: Unlocker,
		{ codeHash, otherwise }: { codeHash: string | null; otherwise: ErrorCode },
	): Promise<void> {
		await this.#options.journal.change(async (client) => {
			if (codeHash !== null && !(await this.#codes.spend(client, playerId, codeHash))) throw new Refused(otherwise);
			const { rowCount } = await client.query('delete from login_lock where player_id = $1', [playerId]);
			await forgetCodes(client, playerId, 'UNLOCK');
			// It is unlocked already: by the same code, given twice at once, or by an operator.
			if (rowCount !== 1) throw new Refused(otherwise);
			return { result: undefined, act: { ...by, act: 'ACCOUNT_UNLOCKED', subject: `player ${playerId}` } };
		});
		this.#failed.unlock(playerId);
	}

	isLocked(playerId: PlayerId): boolean {
		return this.#failed.isLocked(playerId);
	}
}
