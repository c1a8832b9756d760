/**
 * Lapses unmatched bets of players whose domain is suspended, and ends their triggers and plans. Where bets are to stay,
 * triggers and plans end nevertheless, because they would place new ones. No progress is stored: as long as a domain is
 * suspended and one of its players has such a thing, it ends. So neither a fault nor a kill -9 leaves any behind.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { WalletId } from '#values/ids.ts';

/** Players whose bets lapse concurrently. */
const AT_ONCE = 200;
/** Interval of the check for unmatched bets in suspended domains, whether or not a change was announced. */
const EVERY_MS = 5000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

interface SuspendedBetsOptions {
	brands: Brands;
	bus: Bus;
	log: Logger;
	/** Those of the meant wallets that have unmatched stake or a trigger, as ordered so far. */
	walletsWithUnmatchedBets: (isMeant: (walletId: WalletId) => boolean) => Set<WalletId>;
	walletsWithTriggers: (isMeant: (walletId: WalletId) => boolean) => readonly WalletId[];
	/** The host of a player's domain; null for a wallet of the house. */
	brandOf: (walletId: WalletId) => string | null;
	/**
	 * Resolves with the stake that lapsed, in minor units, when that is durable.
	 * @param bets none: the triggers and plans alone
	 */
	lapse: (walletId: WalletId, bets?: readonly []) => Promise<number>;
}

/** What of a wallet ends: all that is unmatched, or its triggers and plans alone. */
type Due = readonly [walletId: WalletId, bets?: readonly []];

interface SuspendedBets {
	/** Lapses the bets; resolves when none are left. */
	sweep(): Promise<void>;
	stop(): Promise<void>;
}

export function watchSuspendedBets(options: SuspendedBetsOptions): SuspendedBets {
	const { brands, bus, log, walletsWithUnmatchedBets, walletsWithTriggers, brandOf, lapse } = options;
	const stopping = new AbortController();
	let sweeping: Promise<void> | null = null;

	/** Checked each time, because an operator may have resumed the domain. */
	const isOut = (walletId: WalletId): boolean => brands.byHost(brandOf(walletId) ?? '')?.setting.siteSuspended ?? false;
	const losesBets = (walletId: WalletId): boolean =>
		isOut(walletId) && (brands.byHost(brandOf(walletId) ?? '')?.setting.lapseBetsOnSuspension ?? false);

	function due(): Due[] {
		const suspended = brands.all().filter(({ setting }) => setting.siteSuspended);
		if (suspended.length === 0) return [];
		const haveToLapse = suspended.some(({ setting }) => setting.lapseBetsOnSuspension);
		const losing: Set<WalletId> = haveToLapse ? walletsWithUnmatchedBets(losesBets) : new Set();
		const placing = walletsWithTriggers((walletId) => !losing.has(walletId) && isOut(walletId));
		return [...[...losing].map((walletId): Due => [walletId]), ...placing.map((walletId): Due => [walletId, []])];
	}

	async function lapseSome(some: readonly Due[]): Promise<void> {
		const lapsed = await Promise.all(some.map((one) => lapse(...one)));
		const stake = lapsed.reduce((sum, one) => sum + one, 0);
		log.info({ players: some.length, stake }, 'unmatched bets and triggers of a suspended domain lapsed');
	}

	async function run(): Promise<void> {
		let pauseMs = FIRST_PAUSE_MS;
		for (let found = due(); found.length > 0 && !stopping.signal.aborted; found = due()) {
			try {
				await lapseSome(found.slice(0, AT_ONCE));
				pauseMs = FIRST_PAUSE_MS;
			} catch (error) {
				log.warn({ err: error }, 'bets of a suspended domain could not lapse yet');
				await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
				pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
			}
		}
	}

	async function sweep(): Promise<void> {
		sweeping ??= run().finally(() => {
			sweeping = null;
		});
		await sweeping;
	}

	const unsubscribe = bus.subscribe('brands', () => void sweep());
	const timer = setInterval(() => void sweep(), EVERY_MS);
	void sweep();
	return {
		sweep,
		stop: async () => {
			stopping.abort();
			clearInterval(timer);
			unsubscribe();
			await sweeping;
		},
	};
}
