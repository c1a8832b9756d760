/**
 * Engines with pools of their own announce to one another, over NATS, which pools they serve and which brands are theirs.
 * So a start that would serve a pool twice is refused, and the engine of demo players knows the brands of all others. A
 * message is the whole truth about its sender, so a lost one is repaired by the next.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { PartReader, partsOf } from '#server/doors/gateway/message-parts.ts';
import type { NatsBus, ReceivedBytes } from '#server/platform/bus/nats-bus.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import { type Pool, poolsText } from '#values/pools.ts';

/** What an engine serves. */
interface EngineNotice {
	/** Names the ledger: another process of the same engine has the same. */
	ledgerId: string;
	pools: readonly Pool[];
	/** Tells engines with one TOKEN_KEY apart from those with two, without the key. */
	keyMark: string;
	/** Of its own brands. */
	settings: readonly DomainSetting[];
}

interface EngineDirectoryOptions {
	nats: NatsBus;
	pools: readonly Pool[];
	ledgerId: string;
	tokenKey: string;
	log: Logger;
}

/** Each engine sends its notices below this subject. */
const NOTICES = 'notices';
/** Engines are asked for notices here. */
const ASKED = 'asked';
/** How long a start waits for the notices of engines that run. */
const NOTICE_WITHIN_MS = 300;
const REPEATED_EVERY_MS = 10_000;

const keyMarkOf = (tokenKey: string): string =>
	createHmac('sha256', tokenKey).update('engine').digest('base64url').slice(0, 22);

export class EngineDirectory {
	readonly #options: EngineDirectoryOptions;
	readonly #instance = randomBytes(9).toString('base64url');
	readonly #reader = new PartReader();
	/** Why this process may not serve beside an engine that runs; null if it may. */
	#conflict: string | null = null;
	/** Null until the brands are read. */
	#brands: Brands | null = null;
	/** Hosts that were logged as brands of two engines. */
	readonly #twice = new Set<string>();
	/** Copies are written one notice after another. */
	#keeping: Promise<void> = Promise.resolve();
	readonly #close: (() => void)[] = [];

	private constructor(options: EngineDirectoryOptions) {
		this.#options = options;
		const { shared } = options.nats;
		this.#close.push(
			shared.subscribeBytes(`${NOTICES}.*`, (received) => this.#hear(received)),
			shared.subscribeBytes(ASKED, () => this.#announce()),
		);
	}

	/**
	 * @param isStart a process that takes over does not wait: it has the ledger of the one before it
	 * @throws Error in words for an operator, if an engine that runs serves one of these pools, or has the same TOKEN_KEY
	 */
	static async open(options: EngineDirectoryOptions, isStart: boolean): Promise<EngineDirectory> {
		const directory = new EngineDirectory(options);
		if (isStart) await directory.#askFirst();
		if (directory.#conflict !== null) {
			directory.close();
			throw new Error(directory.#conflict);
		}
		return directory;
	}

	/** Announces and keeps brands from now on. */
	follow(brands: Brands): void {
		this.#brands = brands;
		const { nats } = this.#options;
		const repeating = setInterval(() => this.#announce(), REPEATED_EVERY_MS).unref();
		this.#close.push(
			() => clearInterval(repeating),
			nats.subscribe('brands', () => this.#announce()),
		);
		this.#announce();
		nats.shared.publishBytes(ASKED, new Uint8Array(0), '');
	}

	/** Resolves when no copy is being written. */
	async close(): Promise<void> {
		for (const close of this.#close.splice(0)) close();
		await this.#keeping;
	}

	/** Where no other engine runs, NATS says so at once. */
	async #askFirst(): Promise<void> {
		const { shared } = this.#options.nats;
		const { promise, resolve } = Promise.withResolvers<void>();
		const leave = shared.subscribeBytes(`alone.${this.#instance}`, ({ hasNoResponders }) => {
			if (hasNoResponders) resolve();
		});
		shared.publishBytes(ASKED, new Uint8Array(0), `alone.${this.#instance}`);
		await Promise.race([promise, delay(NOTICE_WITHIN_MS)]);
		leave();
	}

	#announce(): void {
		const { nats, pools, ledgerId, tokenKey } = this.#options;
		const settings = this.#brands?.own().map(({ setting }) => setting) ?? [];
		const notice: EngineNotice = { ledgerId, pools, keyMark: keyMarkOf(tokenKey), settings };
		const subject = `${NOTICES}.${this.#instance}`;
		for (const part of partsOf(JSON.stringify(notice))) nats.shared.publishBytes(subject, part, '');
	}

	#hear({ subject, bytes }: ReceivedBytes): void {
		const text = this.#reader.read(subject, bytes);
		if (text === null) return;
		const notice = JSON.parse(text) as EngineNotice;
		const { ledgerId, pools, log } = this.#options;
		if (notice.ledgerId === ledgerId) return;
		const conflict = this.#conflictWith(notice);
		// Said once; a start ends with it.
		if (conflict !== null && conflict !== this.#conflict) log.error({ pools, other: notice.pools }, conflict);
		this.#conflict = conflict ?? this.#conflict;
		if (conflict === null) this.#keep(notice.settings);
	}

	#conflictWith({ pools, keyMark }: EngineNotice): string | null {
		const { pools: own, tokenKey } = this.#options;
		const twice = own.filter((pool) => pools.includes(pool));
		if (twice.length > 0)
			return `Another engine on this NATS, with a database of its own, serves ${poolsText(twice)}: each pool has one.`;
		// The rounds of players of the same number would be the same.
		return keyMark === keyMarkOf(tokenKey)
			? `The engine of ${poolsText(pools)} has the same TOKEN_KEY: each engine has its own.`
			: null;
	}

	/** A gateway serves such a domain from the engine that it names first. */
	#named(hosts: readonly string[]): void {
		const news = hosts.filter((host) => !this.#twice.has(host));
		for (const host of news) this.#twice.add(host);
		if (news.length > 0) this.#options.log.error({ hosts: news }, 'domains of this engine are domains of another one');
	}

	#keep(settings: readonly DomainSetting[]): void {
		const brands = this.#brands;
		if (!brands) return;
		this.#keeping = this.#keeping
			.then(() => brands.keepCopies(settings))
			.then((hosts) => this.#named(hosts))
			.catch((error: unknown) =>
				this.#options.log.warn({ err: error }, 'the brands of another engine could not be kept yet'),
			);
	}
}
