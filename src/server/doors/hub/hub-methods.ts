/** The hub's methods: register, heartbeat, follow, subscribe, unsubscribe. Each connection has its own state. */
import * as v from 'valibot';
import type { Subscribed } from '#contract/hub-messages.ts';
import { type HubBackend, type HubBrand, type HubBuses, type HubViewer, topicsOf } from '#server/doors/hub/hub.ts';
import { Subscription } from '#server/doors/hub/subscription.ts';
import type { Login } from '#server/people/players/logins.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';
import { COHORTS } from '#server/platform/bus/table-topics.ts';
import type { Pool } from '#values/pools.ts';

/** An error the client sees as the completion of its call. */
export class HubRefusal extends Error {
	/** Another player, or no player, uses the connection now, so it ends. */
	readonly ends: boolean;
	constructor(message: string, ends = false) {
		super(message);
		this.ends = ends;
	}
}

const Registration = v.object({
	Browser: v.pipe(v.string(), v.maxLength(200)),
	Domain: v.pipe(v.string(), v.maxLength(300)),
	CurrentPage: v.pipe(v.string(), v.maxLength(2000)),
	Token: v.pipe(v.string(), v.maxLength(300)),
	GroupBy: v.optional(v.pipe(v.string(), v.maxLength(300))),
	MissedMs: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
});
const Channels = v.object({ channels: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(100)) });
/** A page may name more than the limit; the first are subscribed, the others refused. */
const NamedChannels = v.object({
	channels: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(500)),
});
const MOST_CHANNELS = 100;

/** Methods whose use is limited by the number of channels and images, not by the number of calls. */
const ABOUT_CHANNELS: ReadonlySet<string> = new Set(['Follow', 'Subscribe', 'Unsubscribe']);
export const isAboutChannels = (method: string): boolean => ABOUT_CHANNELS.has(method);

export interface SessionOptions {
	connectionId: string;
	brand: HubBrand;
	/** The token in the connection's address, as SignalR clients send it; it was valid when the connection was made. */
	queryToken: string;
	backend: HubBackend;
	buses: HubBuses;
	clock: () => number;
	/** @param isOwn news of the player of the connection */
	send: (message: BusMessage, isOwn?: boolean) => void;
	/** Forgets the player's own news that were not sent yet. */
	dropOwn: () => void;
	/** Whether the connection may be sent one more image now. */
	mayHaveImage: () => boolean;
	/** The player of the connection changed, named by pool and number; null for a visitor. */
	onPlayer: (player: string | null, before: string | null) => void;
	/** Ends the connection with a close message. */
	end: (reason: string) => void;
}

/** Connections are assigned to the cohorts of tables in rotation. */
let sessions = 0;

export class HubSession {
	readonly #options: SessionOptions;
	readonly #channels = new Map<string, Subscription>();
	/** Ends the subscription to the brand's changes; null before the handshake. */
	#leaveBrand: (() => void) | null = null;
	/** The player's own topics; empty for a visitor. */
	#own: Subscription[] = [];
	/** Null for a visitor. */
	#login: Login | null = null;
	/** The newest token of the login. */
	#token = '';
	readonly #cohort = sessions++ % COHORTS;
	/** Counts changes of flags that may close channels to this viewer. */
	#flagChanges = 0;
	#closed = false;

	constructor(options: SessionOptions) {
		this.#options = options;
	}

	/** The client can receive messages now. */
	open(): void {
		this.#followBrand();
	}

	/** The pool of the player, or of the brand for a visitor. */
	get pool(): Pool {
		return this.#login?.pool ?? this.#options.brand.pool;
	}

	get #bus(): Bus {
		return this.#options.buses.of(this.pool);
	}

	/** A change of the brand arrives with the other news of its pool, after the process there obeys it. */
	#followBrand(): void {
		this.#leaveBrand?.();
		const topic = `brand.${this.#options.brand.host}`;
		this.#leaveBrand = this.#bus.subscribe(topic, (message) => this.#forward(message));
	}

	/** Forwards a message, which may have changed the brand's flags. */
	#forward(message: BusMessage, isOwn = false): void {
		this.#options.send(message, isOwn);
		if (message.code !== 'DomainSettingChanged' && message.code !== 'SportsChanged') return;
		this.#flagChanges++;
		this.#review().catch(() => this.#options.end('STARTING'));
	}

	/** Ends the subscriptions that are no longer allowed and tells the client about each. */
	async #review(): Promise<void> {
		const { backend, send } = this.#options;
		const refused = await backend.refusals([...this.#channels.keys()], this.#viewer);
		const standing = refused.filter(({ channel }) => this.#channels.has(channel));
		this.#unsubscribe(standing.map(({ channel }) => channel));
		for (const data of standing) send({ code: 'SubscriptionEnded', data });
	}

	/** Restores earlier subscriptions and tells the client which are no longer allowed. */
	async #subscribeAnew(channels: readonly string[]): Promise<void> {
		const { refused } = await this.#subscribe(channels);
		for (const data of refused) this.#options.send({ code: 'SubscriptionEnded', data });
	}

	get #viewer(): HubViewer {
		return { brand: this.#options.brand.host, pool: this.pool, playerId: this.#login?.playerId ?? null };
	}

	/** Runs a method. @throws HubRefusal with the message for the client */
	async invoke(method: string, args: readonly unknown[]): Promise<object> {
		switch (method) {
			case 'RegisterClient':
				return await this.#register(read(Registration, args));
			case 'SendHeartbeat':
				return await this.#heartbeat(read(Registration, args));
			case 'Follow':
				return await this.#follow(read(NamedChannels, args).channels);
			case 'Subscribe':
				return await this.#subscribe(read(Channels, args).channels);
			case 'Unsubscribe':
				return this.#unsubscribe(read(Channels, args).channels);
			default:
				throw new HubRefusal(`There is no method ${method.slice(0, 40)}.`);
		}
	}

	/** Whether there is a subscription that a heartbeat can confirm. */
	get hasChannels(): boolean {
		return this.#channels.size > 0;
	}

	/** Called when the connection has ended. */
	close(): void {
		this.#closed = true;
		this.#setLogin(null);
		this.#leaveBrand?.();
		this.#leaveTopics();
	}

	/** Ends the connection when its login expired and no heartbeat renewed it. */
	pulse(nowMs: number): void {
		if (this.#login && nowMs >= this.#login.expiresAtMs) this.#options.end('LOGIN_EXPIRED');
	}

	/** Sends the images of all channels again. The end of the login may be among the messages that were lost. */
	async refresh(): Promise<void> {
		if (!(await this.#joinPlayer())) return this.#options.end('LOGIN_EXPIRED');
		await this.#subscribeAnew([...this.#channels.keys()]);
	}

	async #register({ Token, MissedMs }: v.InferOutput<typeof Registration>): Promise<object> {
		const { backend, brand, queryToken, connectionId, clock } = this.#options;
		const token = Token || queryToken;
		const login = token === '' ? null : await backend.findLogin(token, brand.host);
		if (token !== '' && !login) throw new HubRefusal('LOGIN_EXPIRED');
		const held = [...this.#channels.keys()];
		this.#leaveTopics();
		this.#setLogin(login);
		this.#token = token;
		if (!(await this.#joinPlayer(MissedMs))) throw new HubRefusal('LOGIN_EXPIRED', true);
		// The viewer and the pool changed, so all channels are subscribed again.
		await this.#subscribeAnew(held);
		return { success: true, connectionId, serverTime: new Date(clock()).toISOString() };
	}

	#setLogin(login: Login | null): void {
		const before = nameOf(this.#login);
		const poolBefore = this.pool;
		// The connection may have ended while the login was looked up.
		this.#login = this.#closed ? null : login;
		const player = nameOf(this.#login);
		if (player !== before) {
			this.#options.dropOwn();
			this.#options.onPlayer(player, before);
		}
		if (!this.#closed && this.#leaveBrand && this.pool !== poolBefore) this.#followBrand();
	}

	async #heartbeat({ Token }: v.InferOutput<typeof Registration>): Promise<object> {
		const { backend, brand, clock } = this.#options;
		if (this.#login && Token !== '') {
			const login = await backend.findLogin(Token, brand.host);
			if (login?.loginId !== this.#login.loginId) throw new HubRefusal('LOGIN_EXPIRED', true);
			this.#login = login;
			this.#token = Token;
		}
		return { success: true, serverTime: new Date(clock()).toISOString() };
	}

	/**
	 * Balance and bets of the player, and the end of the login. Before it is listened to, a login may have ended unheard: so it
	 * is looked up when it is.
	 * @param missedMs for how long the client has not heard of the player
	 * @returns false for a login that has ended
	 */
	async #joinPlayer(missedMs = 0): Promise<boolean> {
		const { backend, brand, send, end } = this.#options;
		for (const subscription of this.#own.splice(0)) subscription.leave();
		if (!this.#login || this.#closed) return true;
		const { playerId, loginId, pool } = this.#login;
		const bus = this.#bus;
		const player = new Subscription(bus, [`player.${playerId}`], (message) => this.#forward(message, true));
		const login = new Subscription(bus, [`login.${loginId}`], (message) => {
			send(message);
			end('The login ended.');
		});
		this.#own = [player, login];
		const found = await backend.findLogin(this.#token, brand.host);
		if (found?.loginId !== loginId) return false;
		const balance = await backend.balance(playerId, pool);
		const notices = missedMs > 0 ? await backend.notices(playerId, pool, missedMs) : [];
		player.begin(balance ? [...notices, balance] : notices);
		login.begin([]);
		return true;
	}

	/**
	 * Sets the channels of the connection: others are left, new ones get their images, existing ones continue. A
	 * repetition changes nothing.
	 */
	async #follow(channels: readonly string[]): Promise<Subscribed> {
		const wanted = new Set(channels);
		this.#unsubscribe([...this.#channels.keys()].filter((held) => !wanted.has(held)));
		return await this.#subscribe([...wanted].filter((channel) => !this.#channels.has(channel)));
	}

	/** Subscribing to a channel again sends its image again. */
	async #subscribe(channels: readonly string[]): Promise<Subscribed> {
		const changes = this.#flagChanges;
		const refused = [...(await this.#options.backend.refusals(channels, this.#viewer))];
		const isRefused = new Set(refused.map(({ channel }) => channel));
		this.#unsubscribe([...isRefused]);
		const unknown: string[] = [];
		for (const channel of channels) {
			if (isRefused.has(channel)) continue;
			const isFull = !this.#channels.has(channel) && this.#channels.size >= MOST_CHANNELS;
			if (isFull || !this.#options.mayHaveImage()) refused.push({ channel, code: 'THROTTLED' });
			else if (!(await this.#join(channel))) unknown.push(channel);
		}
		// A flag may have changed since the channels were checked.
		if (changes !== this.#flagChanges) await this.#review();
		return { success: unknown.length + refused.length === 0, unknown, refused };
	}

	async #join(channel: string): Promise<boolean> {
		const { backend, send } = this.#options;
		const { pool } = this;
		const topics = topicsOf(channel, pool, this.#cohort);
		if (topics.length === 0 || this.#closed) return false;
		this.#channels.get(channel)?.leave();
		const subscription = new Subscription(this.#bus, topics, send);
		this.#channels.set(channel, subscription);
		let images: BusMessage[] | null = null;
		try {
			images = await backend.images(channel, pool);
		} finally {
			if (images) subscription.begin(images);
			else this.#unsubscribe([channel]);
		}
		return images !== null;
	}

	#unsubscribe(channels: readonly string[]): object {
		for (const channel of channels) {
			this.#channels.get(channel)?.leave();
			this.#channels.delete(channel);
		}
		return { success: true };
	}

	#leaveTopics(): void {
		for (const subscription of [...this.#channels.values(), ...this.#own.splice(0)]) subscription.leave();
		this.#channels.clear();
	}
}

/** Players of two pools may have one number. */
const nameOf = (login: Login | null): string | null => (login ? `${login.pool}.${login.playerId}` : null);

function read<S extends v.GenericSchema>(schema: S, args: readonly unknown[]): v.InferOutput<S> {
	const parsed = v.safeParse(schema, args[0]);
	if (!parsed.success) throw new HubRefusal('VALIDATION_FAILED');
	return parsed.output;
}
