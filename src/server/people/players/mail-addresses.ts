/**
 * Mail addresses of players: a contact and a second name to log in with. An address counts only when the player has
 * given the code that was sent to it; before, it is known to its own account alone, bars nothing and takes nothing from
 * another account. On a brand an address belongs to one account at most.
 */
import type pg from 'pg';
import { forgetCodes } from '#server/people/players/account-codes.ts';
import type { CodeBudget } from '#server/people/players/code-budget.ts';
import { CODE_MS, CODE_TRIES, newCode, sealOfCode } from '#server/people/players/mobile-codes.ts';
import type { Player } from '#server/people/players/player.ts';
import type { PlayerStore } from '#server/people/players/player-store.ts';
import type { Notices, Players, Visitor } from '#server/people/players/players.ts';
import type { RegistrationLimits } from '#server/people/players/registration-limits.ts';
import { type MailKind, type ValuesOf, writeMail } from '#server/people/players/write-mail.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import type { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { isMailAddress, mailKey } from '#values/mail-address.ts';
import { nameKey } from '#values/name-key.ts';
import { DAY_MS } from '#values/time.ts';

export interface MailAddressesOptions {
	db: pg.Pool;
	journal: Journal;
	mails: MailOutbox;
	players: Pick<PlayerStore, 'byId' | 'byName'>;
	/** The server's secret, which seals codes. */
	tokenKey: string;
	clock: () => number;
	/** Messages to an address count with the texts of the brand and the network. */
	limits: RegistrationLimits;
	resends: CodeBudget;
	/** Whether addresses may be given: mail leaves, or a developer reads it. */
	isOffered: boolean;
}

type AddressesOfPlayers = Players['addresses'];

interface ProvenAddress extends Notices {
	playerId: PlayerId;
	brand: string;
	address: string;
}

const ALL_NOTICES: Notices = { limits: true, withdrawals: true, statement: true };
const READ = `select player_id as "playerId", brand, address, tells_limits as limits, tells_withdrawals as withdrawals,
  tells_statement as statement from mail_address`;
const NOTICE_WORTH_MS = 3 * DAY_MS;

export class MailAddresses implements AddressesOfPlayers {
	readonly #options: MailAddressesOptions;
	readonly #byPlayer = new Map<PlayerId, ProvenAddress>();
	/** By brand and address. */
	readonly #owners = new Map<string, PlayerId>();

	constructor(options: MailAddressesOptions) {
		this.#options = options;
	}

	async load(): Promise<void> {
		const { rows } = await this.#options.db.query<ProvenAddress>(READ);
		for (const row of rows) this.#keep(row);
	}

	/** The account of a brand whose proven address that is. */
	ownerOf(address: string, brand: string): PlayerId | null {
		return this.#owners.get(ownerKey(brand, mailKey(address))) ?? null;
	}

	/**
	 * The player whom a text names at every door: by a proven address, or else by the name. Names may look like addresses,
	 * and one that was taken as a name must not stand before the log-in of its owner.
	 */
	named(text: string, brand: string): Player | undefined {
		const { players } = this.#options;
		const owner = this.ownerOf(nameKey(text), brand);
		return owner === null ? players.byName(text, brand) : players.byId(owner);
	}

	/** The proven address; null without one. */
	of(playerId: PlayerId): string | null {
		return this.#byPlayer.get(playerId)?.address ?? null;
	}

	async contact(playerId: PlayerId): ReturnType<AddressesOfPlayers['contact']> {
		const { db, isOffered } = this.#options;
		const { rows } = await db.query<{ address: string }>('select address from mail_proof where player_id = $1', [
			playerId,
		]);
		const { address = null, ...own } = this.#byPlayer.get(playerId) ?? (ALL_NOTICES as Notices & { address?: string });
		const { limits, withdrawals, statement } = own;
		return { isOffered, address, unproven: rows[0]?.address ?? null, notices: { limits, withdrawals, statement } };
	}

	async begin(playerId: PlayerId, given: string, visitor: Visitor): Promise<void> {
		const { db, mails, clock, limits, resends, tokenKey, isOffered } = this.#options;
		if (!isOffered) throw new Refused('FORBIDDEN');
		const address = mailKey(given);
		if (!isMailAddress(address)) throw new Refused('VALIDATION_FAILED');
		if (this.of(playerId) === address) throw new Refused('WRONG_STATE');
		limits.takeResend(address, visitor);
		await resends.take(`mail ${playerId}`);
		const isTaken = this.ownerOf(address, visitor.brand.host) !== null;
		const code = newCode();
		const seal = isTaken ? null : sealOfCode(tokenKey, aboutAddress(playerId, address), code);
		await inTransaction(db, async (client) => {
			await client.query(
				`insert into mail_proof (player_id, address, code_hash, code_ends_at, code_tries) values ($1, $2, $3, $4, 0)
				 on conflict (player_id) do update set address = excluded.address, code_hash = excluded.code_hash,
				   code_ends_at = excluded.code_ends_at, code_tries = 0`,
				[playerId, address, seal, clock() + CODE_MS],
			);
			const minutes = CODE_MS / 60_000;
			const isStored = isTaken
				? await this.write(client, { playerId, to: address, visitor }, 'addressTaken', {})
				: await this.write(client, { playerId, to: address, visitor }, 'proveAddress', { code, minutes });
			if (!isStored) throw new Refused('OVERLOADED');
		});
		mails.wake();
	}

	/**
	 * Proves the address that the latest code was sent to; the one before gets a message, and counts no more.
	 * @throws Refused WRONG_CODE for every cause
	 */
	async prove(playerId: PlayerId, otp: string, visitor: Visitor): Promise<void> {
		const { db, journal, mails, clock, tokenKey } = this.#options;
		// The database counts the attempt before the code is compared, so simultaneous attempts are all counted.
		const { rows } = await db.query<{ address: string; codeHash: string | null }>(
			`update mail_proof set code_tries = code_tries + 1
			 where player_id = $1 and code_ends_at > $2 and code_tries < $3 returning address, code_hash as "codeHash"`,
			[playerId, clock(), CODE_TRIES],
		);
		const [tried] = rows;
		const { address = 'none', codeHash = null } = tried ?? {};
		const hash = sealOfCode(tokenKey, aboutAddress(playerId, address), otp);
		if (codeHash === null || !isSameSecret(hash, codeHash)) throw new Refused('WRONG_CODE');
		const brand = visitor.brand.host;
		const proven = await journal.change(async (client) => {
			const spent = await client.query('delete from mail_proof where player_id = $1 and code_hash = $2', [
				playerId,
				hash,
			]);
			const owned = await client.query(
				'select from mail_address where brand = $1 and address = $2 and player_id <> $3',
				[brand, address, playerId],
			);
			// The same code was given twice at once, or another account proved the address meanwhile.
			if (spent.rowCount !== 1 || owned.rowCount !== 0) throw new Refused('WRONG_CODE');
			await this.#writeToFormer(client, playerId, visitor, 'addressChanged');
			await forgetCodes(client, playerId, 'RESET');
			const { rows: kept } = await client.query<ProvenAddress>(
				`insert into mail_address (player_id, brand, address, proven_at) values ($1, $2, $3, $4)
				 on conflict (player_id) do update set address = excluded.address, proven_at = excluded.proven_at
				 returning player_id as "playerId", brand, address, tells_limits as limits, tells_withdrawals as withdrawals,
				   tells_statement as statement`,
				[playerId, brand, address, clock()],
			);
			return { result: kept[0], act: actOf('MAIL_PROVEN', playerId, visitor) };
		});
		if (proven) this.#keep(proven);
		mails.wake();
	}

	/** Removes the address; it is told. Also one that is not proven yet. */
	async remove(playerId: PlayerId, visitor: Visitor): Promise<void> {
		const { db, journal, mails } = this.#options;
		await db.query('delete from mail_proof where player_id = $1', [playerId]);
		if (this.of(playerId) === null) return;
		await journal.change(async (client) => {
			await this.#writeToFormer(client, playerId, visitor, 'addressRemoved');
			await client.query('delete from mail_address where player_id = $1', [playerId]);
			// A code that the mailbox has sets no password any more.
			await forgetCodes(client, playerId, 'RESET');
			return { result: undefined, act: actOf('MAIL_REMOVED', playerId, visitor) };
		});
		this.forget(playerId);
		mails.wake();
	}

	/** @throws Refused WRONG_STATE without a proven address */
	async setNotices(playerId: PlayerId, { limits, withdrawals, statement }: Notices): Promise<void> {
		const { rows } = await this.#options.db.query<ProvenAddress>(
			`update mail_address set tells_limits = $2, tells_withdrawals = $3, tells_statement = $4 where player_id = $1
			 returning player_id as "playerId", brand, address, tells_limits as limits, tells_withdrawals as withdrawals,
			   tells_statement as statement`,
			[playerId, limits, withdrawals, statement],
		);
		const [kept] = rows;
		if (!kept) throw new Refused('WRONG_STATE');
		this.#keep(kept);
	}

	/** After the rows of an account are gone. */
	forget(playerId: PlayerId): void {
		const known = this.#byPlayer.get(playerId);
		if (!known) return;
		this.#byPlayer.delete(playerId);
		this.#owners.delete(ownerKey(known.brand, known.address));
	}

	/** Stores a message of a request's brand. @returns false if too many wait */
	async write<Kind extends MailKind>(
		client: Pick<pg.ClientBase, 'query'>,
		{ playerId, to, visitor }: { playerId: PlayerId; to: string; visitor: Pick<Visitor, 'brand'> },
		kind: Kind,
		values: ValuesOf<Kind>,
	): Promise<boolean> {
		const { mails, players } = this.#options;
		const written = writeMail(visitor.brand, players.byId(playerId)?.language ?? null, kind, values);
		const isCode = 'code' in values;
		const worthMs = isCode ? CODE_MS : NOTICE_WORTH_MS;
		return await mails.add(client, { ...written, playerId, to, isCode, about: null, worthMs });
	}

	/** A full queue does not keep a player from changing the address. */
	async #writeToFormer(
		client: pg.PoolClient,
		playerId: PlayerId,
		visitor: Visitor,
		kind: 'addressChanged' | 'addressRemoved',
	): Promise<void> {
		const former = this.of(playerId);
		if (former !== null) await this.write(client, { playerId, to: former, visitor }, kind, {});
	}

	#keep(proven: ProvenAddress): void {
		this.forget(proven.playerId);
		this.#byPlayer.set(proven.playerId, proven);
		this.#owners.set(ownerKey(proven.brand, proven.address), proven.playerId);
	}
}

const ownerKey = (brand: string, address: string): string => `${brand}|${address}`;
const aboutAddress = (playerId: PlayerId, address: string): string => `mail ${playerId} ${address}`;

/** The journal is kept for ever, so it has no address. */
const actOf = (act: string, playerId: PlayerId, { address }: Visitor) => ({
	actor: 'player',
	address,
	act,
	subject: `player ${playerId}`,
});
