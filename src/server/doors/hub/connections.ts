/** All connections of this process by token, and their number by address and by player. */
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HubConnection } from '#server/doors/hub/connection.ts';
import { ConnectionLimit } from '#server/doors/hub/connection-limit.ts';
import { HEARTBEAT_TOPIC } from '#server/doors/hub/heartbeat.ts';
import type { HubBackend, HubBrand, HubBuses } from '#server/doors/hub/hub.ts';
import { type HubRequest, isOriginOf } from '#server/doors/hub/requests.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import { networkOf } from '#values/network.ts';

interface ConnectionsOptions {
	buses: HubBuses;
	backend: HubBackend;
	log: Logger;
	clock: () => number;
	/** Prefix of every connection's token, so that a proxy in front of several processes can route by it. */
	nodeId: string;
	/** Limit of connections from one address: many players share the address of a mobile network. */
	mostPerAddress: number;
	/** Limit of connections of one player. */
	mostPerPlayer: number;
	rateLimitFactor: number;
	/** Between two looks at what is due at each connection. */
	pulseMs: number;
}

/** The brand, login and address of a request that may use the hub. */
export interface Visit {
	request: HubRequest;
	brand: HubBrand;
}

const REFRESHED_AT_ONCE = 50;
/** Heartbeats written per turn of the event loop, so that players' calls are served in between. */
const HEARTBEATS_A_TURN = 500;

export class Connections {
	readonly #options: ConnectionsOptions;
	readonly #byToken = new Map<string, HubConnection>();
	readonly #ofAddress: ConnectionLimit<string>;
	readonly #ofPlayer: ConnectionLimit<string>;
	readonly #pulse: NodeJS.Timeout;
	readonly #leaveHeartbeats: (() => void)[];
	/** The buses whose heartbeats are being passed on. */
	readonly #beating = new Set<Bus>();

	constructor(options: ConnectionsOptions) {
		this.#options = options;
		this.#ofAddress = new ConnectionLimit(options.mostPerAddress);
		this.#ofPlayer = new ConnectionLimit(options.mostPerPlayer);
		this.#pulse = setInterval(() => {
			const now = options.clock();
			for (const connection of this.#byToken.values()) connection.pulse(now);
		}, options.pulseMs);
		this.#leaveHeartbeats = options.buses.all.map((bus) =>
			bus.subscribe(HEARTBEAT_TOPIC, () => void this.#heartbeat(bus)),
		);
	}

	get count(): number {
		return this.#byToken.size;
	}

	/** @throws Refused UNKNOWN_DOMAIN for a host without a site, FORBIDDEN for a page of another site */
	async admit(request: HubRequest): Promise<Visit> {
		const brand = await this.#options.backend.brandOf(request.host);
		if (!brand) throw new Refused('UNKNOWN_DOMAIN');
		if (request.origin !== null && !isOriginOf(request.origin, brand.host)) throw new Refused('FORBIDDEN');
		return { request, brand };
	}

	/** @throws Refused LOGIN_EXPIRED if the request carries a token that is expired or of another domain */
	async checkToken({ request, brand }: Visit): Promise<void> {
		if (request.token === '') return;
		if (!(await this.#options.backend.findLogin(request.token, brand.host))) throw new Refused('LOGIN_EXPIRED');
	}

	/**
	 * Creates a connection without a transport. If its address has too many, the oldest is closed.
	 * @param options.secret false for clients that know only one id, which is then the token, too (negotiate version 0)
	 */
	create(
		{ request, brand }: Visit,
		options: { stateful: boolean; secret: boolean },
	): {
		connection: HubConnection;
		connectionId: string;
		token: string;
	} {
		const address = networkOf(request.address);
		const token = `${this.#options.nodeId}.${randomBytes(18).toString('base64url')}`;
		const connectionId = options.secret ? randomBytes(12).toString('base64url') : token;
		const connection = new HubConnection({
			...this.#options,
			brand,
			queryToken: request.token,
			token,
			connectionId,
			stateful: options.stateful,
			onPlayer: (player, before) => {
				if (before !== null) this.#ofPlayer.leave(before, connection);
				if (player !== null) sendAway(this.#ofPlayer.join(player, connection));
			},
			onGone: () => {
				if (this.#byToken.delete(token)) this.#ofAddress.leave(address, connection);
			},
		});
		this.#byToken.set(token, connection);
		sendAway(this.#ofAddress.join(address, connection));
		return { connection, connectionId, token };
	}

	/** @throws Refused VALIDATION_FAILED without an id, UNKNOWN_CONNECTION */
	find({ request, brand }: Visit): HubConnection {
		const id = request.query.get('id');
		if (id === null) throw new Refused('VALIDATION_FAILED');
		const connection = this.#byToken.get(id);
		if (!connection || connection.brand.host !== brand.host) throw new Refused('UNKNOWN_CONNECTION');
		return connection;
	}

	/** Messages of this bus may have been lost: all of its clients get new images, a few at a time. */
	async refresh(bus: Bus): Promise<void> {
		const all = this.#listening(bus);
		for (let from = 0; from < all.length; from += REFRESHED_AT_ONCE) {
			await Promise.all(all.slice(from, from + REFRESHED_AT_ONCE).map((connection) => connection.refresh()));
		}
	}

	#listening(bus: Bus): HubConnection[] {
		const { buses } = this.#options;
		return [...this.#byToken.values()].filter(({ pool }) => buses.of(pool) === bus);
	}

	/** The process behind the bus is alive, and all its earlier messages have arrived. */
	async #heartbeat(bus: Bus): Promise<void> {
		if (this.#beating.has(bus)) return;
		this.#beating.add(bus);
		let beaten = 0;
		for (const connection of this.#listening(bus)) {
			connection.heartbeat(this.#options.clock());
			beaten += 1;
			if (beaten % HEARTBEATS_A_TURN === 0) await nextTurn();
		}
		this.#beating.delete(bus);
	}

	endAll(reason: string): void {
		clearInterval(this.#pulse);
		for (const leave of this.#leaveHeartbeats) leave();
		for (const connection of this.#byToken.values()) connection.end(reason, true);
	}

	cutAll(): void {
		for (const connection of this.#byToken.values()) connection.cut();
	}
}

/** A client that reconnected immediately would close the next connection. */
function sendAway(oldest: HubConnection | null): void {
	oldest?.end('TOO_MANY_CONNECTIONS' satisfies ErrorCode, false);
}
