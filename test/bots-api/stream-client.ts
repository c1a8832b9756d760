/** A client of the stream with the caches that clients keep: books from images and changes, orders from theirs. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TestServer } from '../support/server.ts';
import type { Bot, Wire } from './bot.ts';

type Levels = Map<number, readonly number[]>;

/** One runner as its messages made it. */
interface CachedRunner {
	ladders: Map<string, Levels>;
	ltp: number | null;
	tv: number | null;
}

/** Changes of markets that do not follow the state which the changes before them led to; an image follows any earlier one. */
export function gapsIn(changes: readonly Wire[]): Wire[] {
	const sequences = new Map<string, number>();
	return changes.filter(({ id, img, seq, prev }) => {
		const before = sequences.get(id) ?? 0;
		sequences.set(id, seq);
		return img ? seq < before || prev !== undefined : prev !== before || seq <= before;
	});
}

export class StreamClient {
	readonly socket: Socket;
	/** By market id and selection id. */
	readonly markets = new Map<string, { definition: Wire; runners: Map<number, CachedRunner> }>();
	/** By bet id: the latest state. */
	readonly orders = new Map<string, Wire>();
	/** By market, selection and list: size by price. */
	readonly matched = new Map<string, Map<number, number>>();
	readonly lines: Wire[] = [];
	/** All changes of markets that it heard, of earlier connections, too. */
	readonly changes: Wire[] = [];
	initialClk: string | undefined;
	clk: string | undefined;
	ended = false;
	#text = '';
	#heard: (() => void)[] = [];

	private constructor(socket: Socket) {
		this.socket = socket;
		socket.on('data', (data) => this.#read(data.toString('utf8')));
		socket.on('error', () => undefined);
		socket.on('close', () => {
			this.ended = true;
			this.#wake();
		});
	}

	static async open(server: TestServer): Promise<StreamClient> {
		return await StreamClient.at(server.running.streamPort ?? 0);
	}

	/** @param earlier a connection whose caches the client goes on with */
	static async at(port: number, earlier: StreamClient | null = null): Promise<StreamClient> {
		const socket = connect({ port, host: '127.0.0.1' });
		const client = new StreamClient(socket);
		if (earlier) client.#inherit(earlier);
		await once(socket, 'connect');
		return client;
	}

	/** Over TLS, with an authority that the client trusts. */
	static async openTls(port: number, ca: string): Promise<StreamClient> {
		const socket = connectTls({ port, host: 'localhost', ca });
		const client = new StreamClient(socket);
		await once(socket, 'secureConnect');
		return client;
	}

	/** Connected, authenticated and subscribed. */
	static async subscribed(
		server: TestServer,
		bot: Bot,
		subscription: object,
		earlier: StreamClient | null = null,
	): Promise<StreamClient> {
		const client = await StreamClient.at(server.running.streamPort ?? 0, earlier);
		client.say({ op: 'authentication', id: 1, appKey: bot.appKey, session: bot.token });
		await client.line(({ op, id }) => op === 'status' && id === 1);
		client.say({ id: 2, ...subscription });
		await client.line(({ id, ct, segmentType }) => id === 2 && ct && (!segmentType || segmentType === 'SEG_END'));
		return client;
	}

	say(message: object): void {
		this.socket.write(`${JSON.stringify(message)}\r\n`);
	}

	/** The first line like that, heard before or still to come. */
	async line(isLike: (line: Wire) => boolean): Promise<Wire> {
		for (;;) {
			const found = this.lines.find(isLike);
			if (found) return found;
			if (this.ended) throw new Error(`the stream ended: ${JSON.stringify(this.lines.at(-1))}`);
			await new Promise<void>((heard) => {
				this.#heard.push(heard);
			});
		}
	}

	async end(): Promise<void> {
		while (!this.ended) {
			await new Promise<void>((heard) => {
				this.#heard.push(heard);
			});
		}
	}

	close(): void {
		this.socket.destroy();
	}

	/** Takes over what an earlier connection had, as a client that reconnects. */
	#inherit(earlier: StreamClient): void {
		for (const [id, market] of earlier.markets) this.markets.set(id, market);
		this.changes.push(...earlier.changes);
		for (const [id, order] of earlier.orders) this.orders.set(id, order);
		for (const [id, points] of earlier.matched) this.matched.set(id, points);
	}

	#wake(): void {
		for (const heard of this.#heard.splice(0)) heard();
	}

	#read(text: string): void {
		this.#text += text;
		const lines = this.#text.split('\r\n');
		this.#text = lines.pop() ?? '';
		for (const line of lines) this.#hear(JSON.parse(line));
		this.#wake();
	}

	#hear(line: Wire): void {
		this.lines.push(line);
		if (line.initialClk) this.initialClk = line.initialClk;
		if (line.clk) this.clk = line.clk;
		if (line.ct === 'SUB_IMAGE' && line.op === 'ocm') {
			this.orders.clear();
			this.matched.clear();
		}
		this.changes.push(...(line.mc ?? []));
		for (const change of line.mc ?? []) this.#market(change);
		for (const change of line.oc ?? []) this.#ofMarket(change);
	}

	#market(change: Wire): void {
		if (change.img || !this.markets.has(change.id))
			this.markets.set(change.id, { definition: null, runners: new Map() });
		const market = this.markets.get(change.id);
		if (!market) return;
		if (change.marketDefinition) market.definition = change.marketDefinition;
		for (const runner of change.rc ?? []) {
			const cached = market.runners.get(runner.id) ?? { ladders: new Map(), ltp: null, tv: null };
			market.runners.set(runner.id, cached);
			if (runner.ltp !== undefined) cached.ltp = runner.ltp;
			if (runner.tv !== undefined) cached.tv = runner.tv;
			for (const name of ['batb', 'batl', 'atb', 'atl', 'trd']) {
				const levels: Levels = cached.ladders.get(name) ?? new Map();
				cached.ladders.set(name, levels);
				for (const level of runner[name] ?? []) {
					if (level.at(-1) === 0) levels.delete(level[0]);
					else levels.set(level[0], level);
				}
			}
		}
	}

	#ofMarket(change: Wire): void {
		const isOf = (key: string) => key.startsWith(`${change.id}|`);
		if (change.fullImage || change.closed)
			for (const key of this.matched.keys()) if (isOf(key)) this.matched.delete(key);
		for (const runner of change.orc ?? []) {
			for (const order of runner.uo ?? []) this.orders.set(order.id, order);
			for (const list of ['mb', 'ml']) {
				const key = `${change.id}|${runner.id}|${list}`;
				const points = this.matched.get(key) ?? new Map<number, number>();
				this.matched.set(key, points);
				for (const [price, size] of runner[list] ?? []) {
					if (size === 0) points.delete(price);
					else points.set(price, size);
				}
			}
		}
	}

	/** Levels of one ladder in the order of their names. */
	ladder(marketId: string, selectionId: number, name: string): (readonly number[])[] {
		const levels = this.markets.get(marketId)?.runners.get(selectionId)?.ladders.get(name) ?? new Map();
		return [...levels.values()].sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
	}
}
