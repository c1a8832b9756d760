/** The stream's port: JSON lines that end with CRLF, over TLS or plain. */

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Logger } from 'pino';
import type { TriggerView } from '#engine/effect.ts';
import type { BotCaller, BotCallers } from '#server/doors/bots-api/caller.ts';
import { ApingException } from '#server/doors/bots-api/errors.ts';
import { type MarketSources, MarketSubscription, SharedSnapshots } from '#server/doors/bots-api/market-subscription.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import { type DatedBet, OrderLog } from '#server/doors/bots-api/order-log.ts';
import { OrderSubscription } from '#server/doors/bots-api/order-subscription.ts';
import { StreamClock, WINDOW_MS } from '#server/doors/bots-api/stream-clock.ts';
import { type StreamHouse, StreamRefusal } from '#server/doors/bots-api/stream-house.ts';
import { StreamSession } from '#server/doors/bots-api/stream-session.ts';
import type { Subscription } from '#server/doors/bots-api/subscription.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { CookieJar } from '#server/people/players/known-devices.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import { networkOf } from '#values/network.ts';
import { POOLS, type Pool } from '#values/pools.ts';

export interface StreamConfig {
	port: number;
	host: string;
	/** PEM texts; null for plain connections. */
	tls: { cert: string; key: string } | null;
	/** How long a client may take to authenticate. */
	authenticateMs: number;
}

interface Options {
	/** Null: no stream. */
	stream: StreamConfig | null;
	parts: BotParts;
	callers: BotCallers;
	log: Logger;
}

const MOST_OF_A_PLAYER = 20;
const MOST_CONNECTIONS = 2_000;
/**
 * Of one network, before they authenticate: one machine that says nothing keeps no place from others. More than a port takes
 * in one turn of the event loop, in which none can be heard.
 */
const MOST_STRANGERS = 600;
/** Bytes of a line. */
const LONGEST_LINE = 64 * 1024;
/** A revoked key ends its connections within a second. */
const CHECK_EVERY_MS = 400;
const LINE_FEED = 0x0a;
const NO_COOKIES: CookieJar = { names: () => [], find: () => null, keep: () => {}, drop: () => {} };

export class StreamServer {
	readonly #options: Options;
	readonly #clock: StreamClock;
	readonly #orders = new OrderLog();
	readonly #shared = new SharedSnapshots();
	/** The clock of each market's latest change, while a client may name an earlier one. */
	readonly #changedAt = new Map<Pool, Map<MarketId, number>>(POOLS.map((pool) => [pool, new Map()]));
	#knownSince: number;
	/** The clock of the latest change of a market that has left memory: a client may not know how it ended. */
	#forgotten = -1;
	readonly #sessions = new Map<StreamSession, Socket>();
	/** Connections that have not authenticated, by network: the ports that they come from. */
	readonly #strangers = new Map<string, Set<number>>();
	/** The deadline for clients to resume with a clock that they got. */
	#resumableUntilMs = 0;
	readonly #house: StreamHouse;
	#server: Server | null = null;
	#checking: NodeJS.Timeout | null = null;

	constructor(options: Options) {
		const { parts, callers } = options;
		this.#options = options;
		this.#clock = new StreamClock(parts.exchange);
		this.#knownSince = this.#clock.value;
		const sources: MarketSources = {
			parts,
			shared: this.#shared,
			clock: () => this.#clock.value,
			forgotten: () => this.#forgotten,
			changedAt: (marketId, pool) => this.#changedAt.get(pool)?.get(marketId) ?? this.#knownSince,
		};
		this.#house = {
			sources,
			orders: this.#orders,
			clock: this.#clock,
			callers,
			callerOf: (named, by) => this.#callerOf(named, by),
			admit: (session, caller) => this.#admit(session, caller),
			onFault: (error) => options.log.error({ err: error }, 'a connection of the stream failed'),
		};
	}

	/** Listens, unless there is no stream. */
	async listen(): Promise<void> {
		const { stream } = this.#options;
		if (!stream) return;
		const serve = (socket: Socket) => this.#serve(socket);
		const server = stream.tls
			? createTlsServer({ ...stream.tls, handshakeTimeout: stream.authenticateMs }, serve)
			: createServer(serve);
		server.prependListener('connection', (socket: Socket) => this.#arrived(socket));
		server.on('tlsClientError', (_: Error, socket: Socket) => socket.destroy());
		server.maxConnections = MOST_CONNECTIONS;
		this.#server = server;
		server.listen(stream.port, stream.host);
		await once(server, 'listening');
		server.on('error', (error) => this.#options.log.error({ err: error }, 'the stream cannot take connections'));
		this.#checking = setInterval(() => this.check(), CHECK_EVERY_MS);
	}

	get port(): number | null {
		const address = this.#server?.address();
		return typeof address === 'object' ? (address?.port ?? null) : null;
	}

	/** Takes no more connections, and tells its clients to reconnect: another process may get the port. */
	stop(): void {
		if (this.#checking) clearInterval(this.#checking);
		this.#server?.close();
		const farewell = new StreamRefusal('CONNECTION_FAILED', 'This server stops. Connect again.', true);
		for (const session of this.#sessions.keys()) session.refuse(farewell, undefined);
	}

	/** A batch became durable: affected subscriptions are due. Without clients this costs next to nothing. */
	onCommitted(committed: Committed): void {
		if (!this.#server) return;
		const clock = this.#clock.advance(committed);
		const now = committed.atMs;
		if (this.#sessions.size > 0) this.#resumableUntilMs = now + WINDOW_MS;
		if (now > this.#resumableUntilMs) return this.#forgetAll();
		const bets = committed.bets.map((bet) => this.#orders.changed(bet, clock, committed.atMs));
		const changes = changesOf(committed, bets);
		for (const [pool, marketIds] of changes.markets)
			for (const marketId of marketIds) this.#changedAt.get(pool)?.set(marketId, clock);
		for (const session of this.#sessions.keys()) {
			if (!session.caller) continue;
			for (const subscription of session.subscriptions) note(subscription, changes, session.caller);
			if (session.subscriptions.some(({ isDirty }) => isDirty)) session.schedule();
		}
	}

	#forgetAll(): void {
		this.#knownSince = this.#clock.value;
		for (const ofPool of this.#changedAt.values()) ofPool.clear();
		this.#orders.forgetAll();
	}

	forget(isRemembered: (marketId: MarketId) => boolean): void {
		for (const ofPool of this.#changedAt.values())
			for (const [marketId, clock] of ofPool) {
				if (isRemembered(marketId)) continue;
				ofPool.delete(marketId);
				this.#forgotten = Math.max(this.#forgotten, clock);
			}
	}

	/** A connection, before its handshake over TLS. */
	#arrived(socket: Socket): void {
		const { remoteAddress = '', remotePort = 0 } = socket;
		const network = networkOf(remoteAddress);
		const strangers = this.#strangers.get(network) ?? new Set();
		if (strangers.size >= MOST_STRANGERS) {
			socket.destroy();
			return;
		}
		this.#strangers.set(network, strangers.add(remotePort));
		socket.once('close', () => this.#forgetStranger(network, remotePort));
	}

	#forgetStranger(network: string, port: number): void {
		const strangers = this.#strangers.get(network);
		strangers?.delete(port);
		if (strangers?.size === 0) this.#strangers.delete(network);
	}

	#serve(socket: Socket): void {
		if (socket.destroyed) return;
		socket.setNoDelay(true);
		socket.on('error', () => socket.destroy());
		const session = new StreamSession(socket, this.#house, socket.remoteAddress ?? '');
		this.#sessions.set(session, socket);
		const unauthenticated = setTimeout(() => {
			if (!session.caller) session.refuse(new StreamRefusal('TIMEOUT', 'No authentication in time.', true), undefined);
			// A client that does not close its end is cut off.
			if (!session.caller) setTimeout(() => socket.destroy(), 1_000).unref();
		}, this.#options.stream?.authenticateMs);
		socket.once('close', () => {
			clearTimeout(unauthenticated);
			session.close();
			this.#sessions.delete(session);
		});
		readLines(socket, session);
	}

	#callerOf(
		{ appKey, session: token, address }: Parameters<StreamHouse['callerOf']>[0],
		by: 'line' | 'look',
	): BotCaller {
		const { parts, callers } = this.#options;
		const host = parts.players.apiSessions.brandOf(token);
		const brand: Brand | null = host === null ? null : parts.brands.byHost(host);
		if (appKey === '') throw new ApingException('NO_APP_KEY');
		if (!parts.players.apiKeys.find(appKey)) throw new ApingException('INVALID_APP_KEY');
		if (!brand) throw new ApingException('INVALID_SESSION_INFORMATION');
		const caller = callers.known(appKey, token, { brand, address, cookies: NO_COOKIES }, by === 'look');
		if (parts.funds.protection.isBarred(caller.login.playerId, 'BOT_STREAM'))
			throw new StreamRefusal('NOT_AUTHORIZED', 'This account takes no bets now.', true);
		return caller;
	}

	#admit(session: object, caller: BotCaller): number | null {
		const [, socket] = [...this.#sessions].find(([one]) => one === session) ?? [];
		this.#forgetStranger(networkOf(socket?.remoteAddress ?? ''), socket?.remotePort ?? 0);
		const most = MOST_OF_A_PLAYER;
		const others = [...this.#sessions.keys()].filter(
			(other) => other !== session && other.caller?.login.playerId === caller.login.playerId,
		);
		return others.length >= most ? null : most - others.length - 1;
	}

	/** Ends the connections of sessions that have ended, of keys that were revoked, and of players who are barred. */
	check(): void {
		for (const session of this.#sessions.keys()) session.check();
	}
}

/** A batch in the form for subscriptions. */
interface Changes {
	markets: ReadonlyMap<Pool, ReadonlySet<MarketId>>;
	bets: ReadonlyMap<PlayerId, readonly DatedBet[]>;
	triggers: ReadonlyMap<PlayerId, readonly TriggerView[]>;
	ended: readonly MarketId[];
}

function changesOf({ books, markets, triggers }: Committed, bets: readonly DatedBet[]): Changes {
	const changed = new Map(POOLS.map((pool) => [pool, new Set<MarketId>()]));
	for (const { marketId, pool } of books) changed.get(pool)?.add(marketId);
	for (const { marketId, pools } of markets) for (const pool of pools) changed.get(pool)?.add(marketId);
	const ended = markets.filter(({ status }) => status === 'SETTLED' || status === 'VOIDED');
	return {
		markets: changed,
		bets: Map.groupBy(bets, ({ walletId }) => walletId),
		triggers: Map.groupBy(triggers, ({ walletId }) => walletId),
		ended: ended.map(({ marketId }) => marketId),
	};
}

/** Marks a subscription as due. */
function note(subscription: Subscription, { markets, bets, triggers, ended }: Changes, { login }: BotCaller): void {
	if (subscription instanceof MarketSubscription) {
		for (const marketId of markets.get(login.pool) ?? []) subscription.changed(marketId);
	} else if (subscription instanceof OrderSubscription) {
		for (const bet of bets.get(login.playerId) ?? []) subscription.changed(bet);
		for (const trigger of triggers.get(login.playerId) ?? []) subscription.triggerChanged(trigger);
		for (const marketId of ended) subscription.ended(marketId);
	}
}

/** Splits at line feeds, independent of packets. A line that is too long ends the connection. */
function readLines(socket: Socket, session: StreamSession): void {
	let pieces: Buffer[] = [];
	let length = 0;
	socket.on('data', (data: Buffer) => {
		let from = 0;
		for (let end = data.indexOf(LINE_FEED); end >= 0; end = data.indexOf(LINE_FEED, from)) {
			const line = Buffer.concat([...pieces, data.subarray(from, end)]);
			pieces = [];
			length = 0;
			from = end + 1;
			if (line.length > LONGEST_LINE) return tooLong();
			if (line.length > 0 && line.toString('latin1').trim() !== '') session.hear(line);
			if (!socket.writable) return;
		}
		const rest = data.subarray(from);
		length += rest.length;
		if (length > LONGEST_LINE) return tooLong();
		if (rest.length > 0) pieces.push(rest);
	});
	function tooLong(): void {
		socket.pause();
		pieces = [];
		session.refuse(new StreamRefusal('INVALID_INPUT', 'This line is too long.', true), undefined);
	}
}
