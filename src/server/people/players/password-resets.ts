/**
 * A new password without the old one: by a code to the proven mail address or the proven mobile. Nothing tells whether an
 * account exists, and a new password opens no log-in: a second factor and a lock stay as they are.
 */
import type pg from 'pg';
import { isOwn } from '#server/people/persons/facts.ts';
import { AccountCodes, type Asker, forgetCodes } from '#server/people/players/account-codes.ts';
import type { CodeBudget } from '#server/people/players/code-budget.ts';
import { isCommonPassword } from '#server/people/players/common-passwords.ts';
import { evenly } from '#server/people/players/evenly.ts';
import type { KnownDevices } from '#server/people/players/known-devices.ts';
import type { LoginStore } from '#server/people/players/login-store.ts';
import type { MailAddresses } from '#server/people/players/mail-addresses.ts';
import { CODE_MS, textOfCode } from '#server/people/players/mobile-codes.ts';
import type { Outbox } from '#server/people/players/outbox.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { Player } from '#server/people/players/player.ts';
import type { PlayerStore } from '#server/people/players/player-store.ts';
import type { Players, Visitor } from '#server/people/players/players.ts';
import type { RegistrationLimits } from '#server/people/players/registration-limits.ts';
import type { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import type { Turns } from '#server/platform/pacing/turns.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

type ResetBy = 'MAIL' | 'MOBILE';

interface Sending {
	by: ResetBy;
	to: string;
	asker: Asker & { device: string };
}

type ResetsOfPlayers = Players['resets'];

export interface PasswordResetsOptions {
	db: pg.Pool;
	addresses: MailAddresses;
	mails: MailOutbox;
	outbox: Outbox;
	players: PlayerStore;
	logins: LoginStore;
	/** Changes of a player's password take turns. */
	changes: Turns<PlayerId>;
	/** The server's secret, which seals codes. */
	tokenKey: string;
	clock: () => number;
	limits: RegistrationLimits;
	resends: CodeBudget;
	/** Browsers that have logged in to an account. */
	devices: KnownDevices;
}

export class PasswordResets implements ResetsOfPlayers {
	readonly #options: PasswordResetsOptions;
	readonly #codes: AccountCodes;

	constructor(options: PasswordResetsOptions) {
		this.#options = options;
		this.#codes = new AccountCodes(options, 'RESET');
	}

	async begin(name: string, by: ResetBy, visitor: Visitor): Promise<void> {
		const asker = await this.#codes.asking(name, visitor);
		await evenly(async () => {
			const player = this.#options.addresses.named(name, visitor.brand.host);
			if (!player || player.passwordHash === null) return;
			const to = by === 'MAIL' ? this.#options.addresses.of(player.playerId) : await this.#mobileOf(player);
			if (to === null) return;
			try {
				this.#codes.count(player, to, visitor);
			} catch (error) {
				// The refusal would tell that there is such a contact.
				if (error instanceof Refused) return;
				throw error;
			}
			await this.#send(player, { by, to, asker }, visitor);
		});
	}

	async #send(player: Player, { by, to, asker }: Sending, visitor: Visitor): Promise<void> {
		const { db, addresses, mails, outbox } = this.#options;
		const { playerId, userName } = player;
		const code = await inTransaction(db, async (client) => {
			const made = await this.#codes.make(client, playerId, asker);
			const values = { code: made, minutes: CODE_MS / 60_000, userName };
			if (by === 'MAIL') await addresses.write(client, { playerId, to, visitor }, 'passwordReset', values);
			return made;
		});
		if (by === 'MAIL') mails.wake();
		else await outbox.send({ brand: visitor.brand.host, mobile: to, text: textOfCode(code, visitor.brand) });
	}

	async finish(name: string, otp: string, newPassword: string, visitor: Visitor): Promise<void> {
		if (isCommonPassword(newPassword, name)) throw new Refused('PASSWORD_TOO_COMMON');
		await evenly(() => this.#finish(name, otp, newPassword, visitor));
	}

	async #finish(name: string, otp: string, newPassword: string, visitor: Visitor): Promise<void> {
		const { db, players, logins, changes } = this.#options;
		const player = this.#options.addresses.named(name, visitor.brand.host);
		const playerId = player?.playerId ?? 0;
		const hash = await this.#codes.tried(playerId, otp, this.#codes.asker(name, visitor));
		if (!player || hash === null) throw new Refused('WRONG_CODE');
		if (isCommonPassword(newPassword, player.userName)) throw new Refused('PASSWORD_TOO_COMMON');
		const passwordHash = await hashPassword(newPassword);
		// A change by the old password that is under way ends first.
		await changes.take(playerId, async () => {
			// The same code was given twice at once, or the person was erased meanwhile.
			if (!(await this.#codes.spend(db, playerId, hash)) || player.passwordHash === null)
				throw new Refused('WRONG_CODE');
			await players.setPasswordHash(player, passwordHash, visitor.address);
			await logins.end(logins.of(playerId), 'PASSWORD_CHANGED');
		});
	}

	/** After a change of the password, by the player: a code from before sets no other one. */
	async forget(playerId: PlayerId): Promise<void> {
		await forgetCodes(this.#options.db, playerId, 'RESET');
	}

	async #mobileOf({ playerId }: Player): Promise<string | null> {
		const { rows } = await this.#options.db.query<{ mobile: string }>(
			`select mobile from player where player_id = $1 and ${isOwn('mobile', 'player')}`,
			[playerId],
		);
		return rows[0]?.mobile ?? null;
	}
}
