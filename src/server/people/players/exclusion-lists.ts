/**
 * Registers in which authorities keep who excluded themselves from gambling, such as GAMSTOP. The profile of a brand
 * names its register and says when it is asked; this server asks a bridge to it over HTTP. Only real money is concerned.
 * Without an answer real money stays closed to the player, and a balance can leave.
 */

import type pg from 'pg';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { rulesAt } from '#contract/rules-at.ts';
import { isRefuted } from '#server/people/persons/facts.ts';
import { postJson } from '#server/people/players/post-json.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { isRealPool, type Pool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

/** The bridge: one POST for each question. */
export interface ExclusionListConfig {
	url: string;
	/** Sent as a bearer token; empty sends none. */
	key: string;
}

/** A log-in or a bet waits no longer for a register that hangs. */
const TIMEOUT_MS = 3_000;
/** An answer of the last log-in; a player who stays logged in is asked about again. */
const GOOD_FOR_MS = DAY_MS;

const Answered = v.object({ excluded: v.boolean() });

interface ExclusionListsOptions {
	/** Null without a bridge: no register answers. */
	config: ExclusionListConfig | null;
	db: Pick<pg.Pool, 'query'>;
	journal: Journal;
	/** The ledger's time. */
	clock: () => number;
	/** Called with a player whom the register names, each time that it does. */
	onListed: (playerId: PlayerId) => Promise<void>;
	log: Pick<Logger, 'warn' | 'error'>;
}

interface Answer {
	list: string;
	isListed: boolean;
	atMs: number;
}

type Asked = { playerId: PlayerId; pool: Pool };

export class ExclusionLists {
	readonly #options: ExclusionListsOptions;
	/** In memory alone: after a restart the register is asked again. */
	readonly #answers = new Map<PlayerId, Answer>();
	/** Questions under way: the bets of one player wait for one answer. */
	readonly #asking = new Map<PlayerId, Promise<void>>();

	constructor(options: ExclusionListsOptions) {
		this.#options = options;
	}

	get asksRegisters(): boolean {
		return this.#options.config !== null;
	}

	/**
	 * Before an account is opened, when a code has shown who has the mobile.
	 * @throws Refused EXCLUDED; REAL_MONEY_CLOSED without an answer
	 */
	async admitSignUp(mobile: string, brand: Brand): Promise<void> {
		const register = this.#registerOf(brand);
		if (!isRealPool(brand.pool) || !register?.askedAt.includes('sign-up')) return;
		const isListed = await this.#question(register.name, mobile);
		if (isListed === null) throw new Refused('REAL_MONEY_CLOSED', { gate: 'EXCLUSION_LIST' });
		if (isListed) throw new Refused('EXCLUDED', { list: register.name });
	}

	/** Before a log-in is open. It opens in any case, so that a balance can leave. */
	async loggingIn(player: Asked, brand: Brand): Promise<void> {
		const register = this.#registerOf(brand);
		if (isRealPool(player.pool) && register?.askedAt.includes('log-in'))
			await this.#ask(player.playerId, register.name);
	}

	/** Resolves when the answer that a stake needs is there, or cannot be had; null if nothing has to be asked. */
	fresh({ playerId, pool }: Asked, brand: Brand): Promise<void> | null {
		const register = this.#registerOf(brand);
		if (!isRealPool(pool) || !register) return null;
		const { name, askedAt } = register;
		if (askedAt.includes('bet')) return this.#ask(playerId, name);
		return askedAt.includes('log-in') && this.of(playerId, name) === null ? this.#ask(playerId, name) : null;
	}

	/** What the register last said about the player; null if that is unknown, or a day ago. */
	of(playerId: PlayerId, list: string): 'LISTED' | 'FREE' | null {
		const answer = this.#answers.get(playerId);
		if (answer?.list !== list || this.#options.clock() - answer.atMs >= GOOD_FOR_MS) return null;
		return answer.isListed ? 'LISTED' : 'FREE';
	}

	#registerOf({ setting }: Brand) {
		return rulesAt(setting, this.#options.clock).exclusionList;
	}

	#ask(playerId: PlayerId, list: string): Promise<void> {
		let asking = this.#asking.get(playerId);
		if (!asking) {
			asking = this.#renew(playerId, list).finally(() => this.#asking.delete(playerId));
			this.#asking.set(playerId, asking);
		}
		return asking;
	}

	async #renew(playerId: PlayerId, list: string): Promise<void> {
		const { clock, onListed, log } = this.#options;
		const before = this.#answers.get(playerId);
		try {
			const isListed = await this.#question(list, await this.#mobileOf(playerId));
			// The door is shut before what the player left open is cancelled.
			if (isListed === null) this.#answers.delete(playerId);
			else this.#answers.set(playerId, { list, isListed, atMs: clock() });
			if (!isListed) return;
			await onListed(playerId);
			if (before?.list !== list || !before.isListed) await this.#note(playerId, list);
		} catch (error) {
			// The next log-in or stake asks again, and finishes what this one could not.
			this.#answers.delete(playerId);
			log.error({ err: error, playerId, list }, 'a player could not be looked up in a register of exclusions');
		}
	}

	#note(playerId: PlayerId, list: string): Promise<void> {
		const subject = `player ${playerId}`;
		return this.#options.journal.write({ actor: 'server', address: null, act: 'LISTED', subject, details: { list } });
	}

	/** @returns null without an answer */
	async #question(list: string, mobile: string | null): Promise<boolean | null> {
		const { config, log } = this.#options;
		if (!config || mobile === null) return null;
		try {
			const response = await postJson(config, { list, mobile }, TIMEOUT_MS);
			if (response.ok) return v.parse(Answered, await response.json()).excluded;
			await response.body?.cancel();
			log.warn({ list, status: response.status }, 'a register of exclusions refused a question');
		} catch (error) {
			log.warn({ err: error, list }, 'a register of exclusions does not answer');
		}
		return null;
	}

	/** Null also for one that an operator refuted: its answer would be about its new owner. */
	async #mobileOf(playerId: PlayerId): Promise<string | null> {
		const { rows } = await this.#options.db.query<{ mobile: string | null }>(
			`select mobile from player where player_id = $1 and not ${isRefuted('mobile', 'player.mobile', ['player.player_id'])}`,
			[playerId],
		);
		return rows[0]?.mobile ?? null;
	}
}
