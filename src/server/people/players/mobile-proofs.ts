/**
 * Players prove their mobile after a registration without a code. Only then do their choices apply to other accounts of
 * the mobile. A player without a proven mobile may change it, and has to after an operator refuted it.
 */
import type pg from 'pg';
import { isOwn, isRefuted } from '#server/people/persons/facts.ts';
import type { CodeBudget } from '#server/people/players/code-budget.ts';
import { CODE_MS, CODE_TRIES, newCode, sealOfCode, textOfCode } from '#server/people/players/mobile-codes.ts';
import { admitMobile } from '#server/people/players/one-account.ts';
import type { Outbox } from '#server/people/players/outbox.ts';
import type { Visitor } from '#server/people/players/players.ts';
import type { RegistrationLimits } from '#server/people/players/registration-limits.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

interface MobileProofsOptions {
	db: pg.Pool;
	journal: Journal;
	outbox: Outbox;
	/** The server's secret, which seals codes. */
	tokenKey: string;
	clock: () => number;
	/** Codes to a mobile count together, for any purpose. */
	limits: RegistrationLimits;
	/** Of the player, for any mobile. */
	resends: CodeBudget;
	/** Called with each newly proven mobile, before the answer. */
	onProven: (playerId: PlayerId, mobile: string) => Promise<void>;
}

export class MobileProofs {
	readonly #options: MobileProofsOptions;

	constructor(options: MobileProofsOptions) {
		this.#options = options;
	}

	/**
	 * The mobile that a code may go to, and whether it is another one than the account stated.
	 * @param given null for the stated one
	 * @throws Refused WRONG_STATE when the mobile is proven, VALIDATION_FAILED without one
	 */
	async mobileFor(playerId: PlayerId, given: string | null): Promise<{ mobile: string; isOther: boolean }> {
		const { rows } = await this.#options.db.query<{
			stated: string | null;
			isProven: boolean;
			isRefuted: boolean;
		}>(
			`select mobile as stated, ${isOwn('mobile', 'player')} as "isProven",
			   ${isRefuted('mobile', 'coalesce($2::text, mobile)', ['player.player_id'])} as "isRefuted"
			 from player where player_id = $1`,
			[playerId, given],
		);
		const [known] = rows;
		if (known?.isProven) throw new Refused('WRONG_STATE');
		const mobile = given ?? known?.stated ?? null;
		// A code to a refuted one reaches its new owner, and would prove nothing.
		if (mobile === null || known?.isRefuted) throw new Refused('VALIDATION_FAILED', {}, 'Give your mobile number.');
		return { mobile, isOther: mobile !== known?.stated };
	}

	/** Sends a code to the mobile; a later code replaces it. @throws Refused THROTTLED */
	async send(playerId: PlayerId, mobile: string, visitor: Visitor): Promise<{ mobile: string }> {
		const { db, clock, limits, resends, outbox, tokenKey } = this.#options;
		limits.takeResend(mobile, visitor);
		await resends.take(`player ${playerId}`);
		const code = newCode();
		await db.query(
			`insert into mobile_proof (player_id, mobile, code_hash, code_ends_at, code_tries) values ($1, $2, $3, $4, 0)
			 on conflict (player_id) do update set mobile = excluded.mobile, code_hash = excluded.code_hash,
			   code_ends_at = excluded.code_ends_at, code_tries = 0`,
			[playerId, mobile, sealOfCode(tokenKey, aboutProof(playerId, mobile), code), clock() + CODE_MS],
		);
		await outbox.send({ brand: visitor.brand.host, mobile, text: textOfCode(code, visitor.brand) });
		return { mobile };
	}

	/**
	 * Proves the mobile that the latest code was sent to.
	 * @throws Refused WRONG_CODE for every cause; MOBILE_TAKEN, which only its owner hears
	 */
	async prove(playerId: PlayerId, otp: string, { address, brand }: Pick<Visitor, 'address' | 'brand'>): Promise<void> {
		const { db, journal, clock, tokenKey, onProven } = this.#options;
		// The database counts the attempt before the code is compared, so simultaneous attempts are all counted.
		const { rows } = await db.query<{ mobile: string; codeHash: string }>(
			`update mobile_proof set code_tries = code_tries + 1
			 where player_id = $1 and code_ends_at > $2 and code_tries < $3 returning mobile, code_hash as "codeHash"`,
			[playerId, clock(), CODE_TRIES],
		);
		const [tried] = rows;
		const hash = sealOfCode(tokenKey, aboutProof(playerId, tried?.mobile ?? 'none'), otp);
		if (!tried || !isSameSecret(hash, tried.codeHash)) throw new Refused('WRONG_CODE');
		const { mobile } = tried;
		await journal.change(async (client) => {
			await admitMobile(client, { mobile, isProven: true, playerId }, brand);
			const spent = await client.query('delete from mobile_proof where player_id = $1 and code_hash = $2', [
				playerId,
				hash,
			]);
			// The same code was given twice at once.
			if (spent.rowCount !== 1) throw new Refused('WRONG_CODE');
			await client.query('update player set mobile = $2, mobile_verified_at = $3 where player_id = $1', [
				playerId,
				mobile,
				clock(),
			]);
			const player = await journal.hashOf(client, playerId);
			const act = { actor: 'player', address, act: 'MOBILE_PROVEN', subject: `player ${playerId}`, player };
			return { result: undefined, act };
		});
		await onProven(playerId, mobile);
	}
}

const aboutProof = (playerId: PlayerId, mobile: string): string => `proof ${playerId} ${mobile}`;
