/** The browsers that players subscribed, and what they want: in memory for every batch, in tables for the next start. */
import type pg from 'pg';
import type { PushKind } from '#contract/calls/push.ts';
import { arePushKeys, type PushKeys } from '#server/people/push/web-push.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/** Of one player; the oldest goes. */
const MOST_BROWSERS = 10;

export interface Subscription extends PushKeys {
	endpointHash: string;
	playerId: PlayerId;
	/** Its notifications end with it. */
	loginId: string;
	endpoint: string;
	createdAtMs: number;
}

interface PushChoice {
	off: PushKind[];
	atNight: boolean;
}

const NO_CHOICE: PushChoice = { off: [], atNight: false };

export class Subscriptions {
	readonly #db: pg.Pool;
	readonly #clock: () => number;
	readonly #byHash = new Map<string, Subscription>();
	readonly #byPlayer = new Map<PlayerId, Set<string>>();
	readonly #choices = new Map<PlayerId, PushChoice>();

	constructor(db: pg.Pool, clock: () => number) {
		this.#db = db;
		this.#clock = clock;
	}

	async load(): Promise<void> {
		const [subscriptions, choices] = await Promise.all([
			this.#db.query<Subscription>(
				`select endpoint_hash as "endpointHash", player_id as "playerId", login_id as "loginId", endpoint,
				   public_key as "publicKey", secret, created_at as "createdAtMs"
				 from push_subscription order by created_at, endpoint_hash`,
			),
			this.#db.query<PushChoice & { playerId: PlayerId }>(
				`select player_id as "playerId", off, at_night as "atNight" from push_choice`,
			),
		]);
		for (const subscription of subscriptions.rows) this.#keep(subscription);
		for (const { playerId, ...choice } of choices.rows) this.#choices.set(playerId, choice);
	}

	/** Oldest first. */
	of(playerId: PlayerId): Subscription[] {
		return [...(this.#byPlayer.get(playerId) ?? [])].flatMap((hash) => this.#byHash.get(hash) ?? []);
	}

	/** Whether a browser gets the notifications of a login: another login's, or another player's, are not its own. */
	isOf({ playerId, loginId }: Pick<Subscription, 'playerId' | 'loginId'>, endpointHash: string): boolean {
		const subscription = this.#byHash.get(endpointHash);
		return subscription?.playerId === playerId && subscription.loginId === loginId;
	}

	has(playerId: PlayerId): boolean {
		return this.#byPlayer.has(playerId);
	}

	get isEmpty(): boolean {
		return this.#byHash.size === 0;
	}

	choiceOf(playerId: PlayerId): PushChoice {
		return this.#choices.get(playerId) ?? NO_CHOICE;
	}

	/** Takes the place of another player's subscription of the same browser. @throws Refused VALIDATION_FAILED */
	async add(asked: Omit<Subscription, 'endpointHash' | 'createdAtMs'>): Promise<void> {
		if (!arePushKeys(asked)) throw new Refused('VALIDATION_FAILED', {}, 'These are no keys of a browser.');
		const endpointHash = secretHash(asked.endpoint);
		const subscription = { ...asked, endpointHash, createdAtMs: this.#clock() };
		const { playerId, loginId, endpoint, publicKey, secret, createdAtMs } = subscription;
		await this.#db.query(
			`insert into push_subscription (endpoint_hash, player_id, login_id, endpoint, public_key, secret, created_at)
			 values ($1, $2, $3, $4, $5, $6, $7)
			 on conflict (endpoint_hash) do update set player_id = excluded.player_id, login_id = excluded.login_id,
			   public_key = excluded.public_key, secret = excluded.secret, created_at = excluded.created_at`,
			[endpointHash, playerId, loginId, endpoint, publicKey, secret, createdAtMs],
		);
		this.#drop(endpointHash);
		this.#keep(subscription);
		const tooMany = this.of(playerId).slice(0, -MOST_BROWSERS);
		for (const { endpointHash: old } of tooMany) await this.remove(old);
	}

	/** Does nothing for a browser that is not subscribed for that player. */
	async removeOwn(playerId: PlayerId, endpoint: string): Promise<void> {
		const endpointHash = secretHash(endpoint);
		if (this.#byHash.get(endpointHash)?.playerId === playerId) await this.remove(endpointHash);
	}

	async remove(endpointHash: string): Promise<void> {
		this.#drop(endpointHash);
		await this.#db.query('delete from push_subscription where endpoint_hash = $1', [endpointHash]);
	}

	async choose(playerId: PlayerId, choice: PushChoice): Promise<void> {
		await this.#db.query(
			`insert into push_choice (player_id, off, at_night) values ($1, $2, $3)
			 on conflict (player_id) do update set off = excluded.off, at_night = excluded.at_night`,
			[playerId, choice.off, choice.atNight],
		);
		this.#choices.set(playerId, choice);
	}

	/** The subscribed players who pinned an event. */
	async pinnedBy(eventId: string): Promise<PlayerId[]> {
		if (this.isEmpty) return [];
		const { rows } = await this.#db.query<{ playerId: PlayerId }>(
			`select distinct player_id as "playerId" from pinned_event join push_subscription using (player_id)
			 where event_id = $1`,
			[eventId],
		);
		return rows.map(({ playerId }) => playerId);
	}

	#keep(subscription: Subscription): void {
		const { endpointHash, playerId } = subscription;
		this.#byHash.set(endpointHash, subscription);
		const own = this.#byPlayer.get(playerId) ?? new Set();
		this.#byPlayer.set(playerId, own.add(endpointHash));
	}

	#drop(endpointHash: string): void {
		const subscription = this.#byHash.get(endpointHash);
		if (!subscription) return;
		this.#byHash.delete(endpointHash);
		const own = this.#byPlayer.get(subscription.playerId);
		own?.delete(endpointHash);
		if (own?.size === 0) this.#byPlayer.delete(subscription.playerId);
	}
}
