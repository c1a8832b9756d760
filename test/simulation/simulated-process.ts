/**
 * A process of the exchange, from its start as a server or as a standby to its end, as `process/start` and
 * `process/start-standby` connect the parts: connections, standby, exchange, and the feed of the process that leads.
 */
import type pino from 'pino';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange, Receipt, Request, RequestKey } from '#server/exchange/exchange.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { Recovered } from '#server/exchange/recovery/recovery.ts';
import { LifeSigns } from '#server/exchange/standby/life-signs.ts';
import { Pulse } from '#server/exchange/standby/pulse.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { SIGNS_SUFFIX } from '#server/platform/postgres/connect.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { DatabaseDouble } from './database/double.ts';
import { PoolDouble } from './database/pool.ts';
import { Feed, type FeedPlan, MAKERS, PLAYED_POOLS } from './feed.ts';
import { Host } from './host.ts';
import type { Network } from './network.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** As a server with standbys is configured by default. */
export const SILENCE_MS = 300;
export const GONE_MS = 60;
const MOST_CONNECTIONS = 8;

export type Role = 'serve' | 'stand by';

/** What a process answers to a request. */
export type Outcome = { kind: 'done'; receipt: Receipt } | { kind: 'refused'; code: string };

export interface ProcessOptions {
	name: string;
	time: SimulatedTime;
	network: Network;
	database: DatabaseDouble;
	ledgerKey: string;
	feed: FeedPlan;
	onCommitted: (process: SimulatedProcess, committed: Committed) => void;
	/** It has ended by itself; with an error that no process may end with, or null. */
	onEnded: (process: SimulatedProcess, unexpected: Error | null) => void;
	trace: (text: string) => void;
}

export class SimulatedProcess {
	readonly host: Host;
	readonly #options: ProcessOptions;
	readonly #db: PoolDouble;
	readonly #ledger: PoolDouble;
	readonly #signs: PoolDouble;
	/** The thread that gives signs of life. */
	readonly #signsHost: Host;
	readonly #pulse = new Pulse();
	readonly #log: pino.Logger;
	exchange: Exchange | null = null;
	standby: Standby | null = null;
	#feed: Feed | null = null;

	constructor(options: ProcessOptions) {
		this.#options = options;
		const { name, time, network, database } = options;
		this.host = new Host(name, time.nowMs);
		const connections = { database, network, host: this.host, applicationName: `backlay ${name}` };
		this.#db = new PoolDouble({ ...connections, most: MOST_CONNECTIONS });
		this.#ledger = new PoolDouble({ ...connections, most: 2 });
		this.#signsHost = new Host(`${name} signs`, time.nowMs, this.host);
		const applicationName = `backlay ${name}${SIGNS_SUFFIX}`;
		this.#signs = new PoolDouble({ ...connections, host: this.#signsHost, applicationName, most: 1 });
		this.#log = logTo((text) => options.trace(`${name}: ${text}`));
	}

	get name(): string {
		return this.host.name;
	}
	get leads(): boolean {
		return !this.host.isDead && this.exchange?.isOpen() === true;
	}
	/** Has joined, and applies batches. */
	get follows(): boolean {
		return !this.host.isDead && this.exchange === null && (this.standby?.position ?? null) !== null;
	}

	/** Has to run on its host. */
	start(role: Role): void {
		this.#options.time.after(0, this.#signsHost, () => {
			new LifeSigns({ db: this.#signs.asPool(), pulse: this.#pulse }).start();
		});
		void this.#live(role).catch((error: Error) => {
			// A server that finds no database at its start is started again.
			this.#end(role === 'serve' && !this.exchange && isDatabaseFault(error) ? null : error);
		});
	}

	async #live(role: Role): Promise<void> {
		const recovered = role === 'serve' ? undefined : await this.#standBy();
		if (recovered === null) {
			this.#end(null);
			return;
		}
		const { ledgerKey, feed, time, onCommitted } = this.#options;
		const exchange = await openExchange({
			db: this.#db.asPool(),
			ledger: this.#ledger.asPool(),
			log: this.#log,
			ledgerKey,
			commandRows: true,
			pulse: this.#pulse,
			pools: PLAYED_POOLS,
			recovered,
			onCommitted: (committed) => onCommitted(this, committed),
			onStopped: (error) => {
				this.#options.trace(`${this.name}: stops: ${error.message}`);
				void this.stop();
			},
		});
		// Their makers were in the process before.
		if (Object.values(MAKERS).some((maker) => exchange.openBets(maker).some(({ remaining }) => remaining > 0)))
			throw new Error('quotes of another process are in the books');
		this.exchange = exchange;
		this.#options.trace(`${this.name}: serves in epoch ${exchange.epoch()}`);
		this.#feed = new Feed({ process: this.name, exchange, plan: feed, nowMs: () => time.nowMs });
		this.#feed.start();
	}

	async #standBy(): Promise<Recovered | null> {
		this.standby = new Standby({
			db: this.#db.asPool(),
			log: this.#log,
			sealer: new LedgerSealer(this.#options.ledgerKey),
			silenceMs: SILENCE_MS,
			goneMs: GONE_MS,
			name: this.name,
			address: `http://${this.name}`,
		});
		return await this.standby.run();
	}

	/** Ends in peace: as after a signal, and when the lease is another's. */
	async stop(): Promise<void> {
		this.standby?.stop();
		if (!this.exchange) return;
		this.#feed?.stop();
		await this.exchange.drain();
		this.#end(null);
	}

	/** Hands the lease over and ends when a standby has it. */
	async handOver(heir: string): Promise<void> {
		const successor = await this.exchange?.handOver(heir, () => this.#feed?.stop()).catch(() => null);
		if (successor) await this.stop();
	}

	#end(error: Error | null): void {
		if (this.host.isDead) return;
		this.#options.trace(`${this.name}: ends${error ? `: ${error.stack}` : ''}`);
		this.kill(true);
		this.#options.onEnded(this, error);
	}

	/** @param closes false of a machine that is gone: its connections seem to live */
	kill(closes: boolean): void {
		this.host.isDead = true;
		if (!closes) return;
		this.#db.end();
		this.#ledger.end();
		this.#signs.end();
	}

	/** Has to run on its host. @param untilMs by the simulation's clock */
	async answer(request: Request, key: RequestKey | undefined, untilMs: number): Promise<Outcome> {
		if (!this.exchange) return { kind: 'refused', code: 'STARTING' };
		try {
			const leftMs = untilMs - this.#options.time.nowMs;
			return {
				kind: 'done',
				receipt: await this.exchange.submit(request, key, { untilMs: performance.now() + leftMs }),
			};
		} catch (error) {
			if (!(error instanceof Refused)) throw error;
			return { kind: 'refused', code: error.code };
		}
	}

	/** The version of a wallet that it shows now; null while nothing that it shows counts. */
	shownVersion(walletId: number): number | null {
		if (!this.exchange?.isOpen() || !this.exchange.isFresh()) return null;
		return this.exchange.wallet(walletId)?.version ?? 0;
	}
}

/** The product logs objects and messages. */
function logTo(write: (text: string) => void): pino.Logger {
	const line = (about: unknown, message?: string) => {
		const { err, ...rest } = (typeof about === 'object' ? about : {}) as { err?: Error };
		write(`${message ?? String(about)}${err ? ` (${err.message})` : ''} ${JSON.stringify(rest)}`);
	};
	const nothing = () => {};
	return {
		trace: nothing,
		debug: nothing,
		info: line,
		warn: line,
		error: line,
		fatal: line,
		isLevelEnabled: () => false,
	} as unknown as pino.Logger;
}
