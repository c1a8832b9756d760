/**
 * Lowers the limits of markets by rules as liability grows, and gives them back as it falls: of the market, or of the
 * players of the rule's brand in it. What a market is to have is written with the journal before the market is changed, so
 * a restart changes it once; the values are absolute, so a repetition changes nothing.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { MarketView } from '#engine/engine.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import {
	allowedBy,
	type LimitRule,
	type LimitRules,
	limitRuleName,
} from '#server/operators/limit-rules/limit-rules.ts';
import {
	dropTightened,
	isIn,
	isOverruled,
	keepTightened,
	type ReachedStep,
	readTightened,
	type TightenedMarket,
} from '#server/operators/limit-rules/tightened-markets.ts';
import { watchedLiability } from '#server/operators/limit-rules/watched-liability.ts';
import { flatMapInTurns } from '#server/platform/pacing/in-turns.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import type { BrandLimits } from '#server/world/markets/brand-limits.ts';
import { HOME_CURRENCY } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';
import { type LimitStep, limitsUnder, type MarketLimits, stepsHolding } from '#values/limit-steps.ts';
import { ENDED_STATUSES } from '#values/market-statuses.ts';
import { majorFromMinor } from '#values/money.ts';
import { sportById } from '#values/sports.ts';

/** The acts of the journal. */
export const TIGHTENED = 'limits-tightened';
export const EASED = 'limits-eased';

const LOOK_EVERY_MS = 250;
/** A market rests after a look for this multiple of the look's time. */
const REST = 20;

interface LimitWatchOptions {
	exchange: Pick<Exchange, 'market' | 'eachBetIn' | 'submit'>;
	fixtures: Pick<Fixtures, 'all' | 'markets' | 'market' | 'fixture'>;
	rules: LimitRules;
	brandLimits: BrandLimits;
	brandOf: (walletId: number) => string | null;
	db: pg.Pool;
	journal: Journal;
	log: Pick<Logger, 'error'>;
}

const limitsOf = ({ maxStake, maxExposure }: MarketLimits): MarketLimits => ({ maxStake, maxExposure });
const areSame = (one: MarketLimits, other: MarketLimits): boolean =>
	one.maxStake === other.maxStake && one.maxExposure === other.maxExposure;
/** In place of a brand, for the limits that a market has for all players. */
const ALL = '';

export class LimitWatch {
	readonly #options: LimitWatchOptions;
	readonly #turns = new Turns();
	/** Markets whose bets have changed. */
	readonly #changed = new Set<MarketId>();
	/** Until when markets that were looked at rest: a look costs the more the more bets there are. */
	readonly #restsUntil = new Map<MarketId, number>();
	/** By market and brand; null until it was read. */
	#kept: Map<MarketId, Map<string, TightenedMarket>> | null = null;
	#looking: ReturnType<typeof setInterval> | null = null;
	#running: Promise<void> | null = null;

	constructor(options: LimitWatchOptions) {
		this.#options = options;
	}

	/** Follows commits. */
	readonly onCommitted: CommittedListener = ({ bets, markets }) => {
		for (const { marketId } of bets) this.#toLookAt(marketId);
		for (const { marketId } of markets) this.#toLookAt(marketId);
	};

	start(): void {
		this.lookAtAll();
		this.#looking = setInterval(() => void this.#lookSurely(), LOOK_EVERY_MS);
	}

	async stop(): Promise<void> {
		if (this.#looking) clearInterval(this.#looking);
		await this.#running;
	}

	/** The rules have changed, or the server has started. */
	lookAtAll(): void {
		const { fixtures } = this.#options;
		for (const { id } of fixtures.all()) for (const market of fixtures.markets(id)) this.#toLookAt(market.id);
	}

	/** Markets that rules have changed, or an operator against a rule. */
	async tightened(): Promise<TightenedMarket[]> {
		return [...(await this.#read()).values()].flatMap((ofMarket) => [...ofMarket.values()]);
	}

	/** Whether a step holds limits of a market down now, of all players or of some; false before the first look. */
	isTightened(marketId: MarketId): boolean {
		return [...(this.#kept?.get(marketId)?.values() ?? [])].some((kept) => !isOverruled(kept));
	}

	/**
	 * Makes an operator's change of a market's terms. The steps that hold are overruled by it: they act again once the
	 * liability has fallen below them.
	 */
	async overrule(marketId: MarketId, change: () => Promise<void>): Promise<void> {
		await this.#turns.take(String(marketId), async () => {
			const before = this.#options.exchange.market(marketId);
			await change();
			const after = this.#options.exchange.market(marketId);
			if (!before || !after || areSame(before, after)) return;
			for (const kept of await this.#keptOf(marketId)) await this.#keep(this.#overruled(kept, after));
		});
	}

	/**
	 * Looks at the markets whose bets have changed.
	 * @param all also those that rest
	 */
	async look(all = false): Promise<void> {
		await this.#turns.take('look', () => this.#lookAtChanged(all));
	}

	async #lookAtChanged(all: boolean): Promise<void> {
		const rules = await this.#options.rules.all();
		const kept = await this.#read();
		// One that changes meanwhile waits for the next look.
		for (const marketId of new Set(this.#changed)) {
			if (!all && performance.now() < (this.#restsUntil.get(marketId) ?? 0)) continue;
			this.#changed.delete(marketId);
			this.#restsUntil.delete(marketId);
			if (rules.length === 0 && !kept.has(marketId)) continue;
			const began = performance.now();
			try {
				await this.#turns.take(String(marketId), () => this.#consider(marketId, rules));
			} catch (error) {
				this.#toLookAt(marketId);
				throw error;
			}
			const ended = performance.now();
			this.#restsUntil.set(marketId, ended + (ended - began) * REST);
		}
	}

	#toLookAt(marketId: MarketId): void {
		this.#changed.add(marketId);
	}

	async #lookSurely(): Promise<void> {
		this.#running ??= this.look()
			.catch((error: unknown) => {
				// The next look tries again.
				if (!isDatabaseFault(error) && !(error instanceof Refused))
					this.#options.log.error({ err: error }, 'the limits of a market were not looked at');
			})
			.finally(() => {
				this.#running = null;
			});
		await this.#running;
	}

	async #read(): Promise<Map<MarketId, Map<string, TightenedMarket>>> {
		if (this.#kept) return this.#kept;
		const kept = new Map<MarketId, Map<string, TightenedMarket>>();
		for (const row of await readTightened(this.#options.db)) noteIn(kept, row);
		this.#kept ??= kept;
		return this.#kept;
	}

	async #keptOf(marketId: MarketId): Promise<TightenedMarket[]> {
		return [...((await this.#read()).get(marketId)?.values() ?? [])];
	}

	async #keep(kept: TightenedMarket): Promise<void> {
		await keepTightened(this.#options.db, kept);
		await this.#note(kept);
	}

	/** In memory, what has been written. The limits of a brand hold from then on. */
	async #note(kept: TightenedMarket): Promise<void> {
		const { marketId, brand, set } = kept;
		noteIn(await this.#read(), kept);
		if (brand !== ALL) this.#options.brandLimits.set(marketId, brand, isOverruled(kept) ? null : set);
	}

	async #drop(kept: TightenedMarket): Promise<void> {
		const { marketId, brand } = kept;
		await dropTightened(this.#options.db, kept);
		const all = await this.#read();
		all.get(marketId)?.delete(brand);
		if (all.get(marketId)?.size === 0) all.delete(marketId);
		if (brand !== ALL) this.#options.brandLimits.set(marketId, brand, null);
	}

	#overruled(kept: TightenedMarket, now: MarketLimits): TightenedMarket {
		const limits = limitsOf(now);
		return { ...kept, base: limits, set: limits, waived: kept.reached, isApplied: true, atMs: Date.now() };
	}

	async #consider(marketId: MarketId, rules: readonly LimitRule[]): Promise<void> {
		const { exchange } = this.#options;
		const hasEnded = () => ENDED_STATUSES.has(exchange.market(marketId)?.status ?? 'CLOSED');
		const late = (await this.#read()).get(marketId)?.get(ALL);
		if (late && !late.isApplied && !hasEnded()) await this.#apply(late);
		if (hasEnded()) {
			this.#restsUntil.delete(marketId);
			for (const kept of await this.#keptOf(marketId)) await this.#drop(kept);
			return;
		}
		const brands = new Set([ALL, ...rules.map(({ brand }) => brand)]);
		for (const { brand } of await this.#keptOf(marketId)) brands.add(brand);
		// All players first: the limits of a brand's begin at what the market gets back.
		for (const brand of brands) {
			const ofBrand = rules.filter((rule) => rule.brand === brand);
			await this.#considerBrand(marketId, brand, ofBrand);
		}
	}

	async #considerBrand(marketId: MarketId, brand: string, rules: readonly LimitRule[]): Promise<void> {
		const market = this.#options.exchange.market(marketId);
		if (!market) return;
		const ofMarket = (await this.#read()).get(marketId);
		let kept = ofMarket?.get(brand) ?? null;
		const ofAll = ofMarket?.get(ALL);
		// Without a row, the market has what it would get back.
		const base = limitsOf(ofAll?.base ?? market);
		// An operator's change that a kill kept from being noted.
		if (brand === ALL && kept && !areSame(kept.set, market)) kept = this.#overruled(kept, market);
		if (brand !== ALL && kept && !areSame(kept.base, base)) kept = this.#overruled(kept, base);
		const about = rules.filter((rule) => this.#isAbout(rule, marketId, market));
		const next = await this.#next(market, about, kept ?? { brand, base });
		if (!next) return;
		if (kept && areSame(next.set, kept.set)) return await this.#settle({ ...next, isApplied: true });
		await this.#write(next, { before: limitsOf(brand === ALL ? market : (kept?.set ?? base)), rules: about });
		await this.#settle(brand === ALL ? await this.#apply(next) : next);
	}

	/** Without steps there is nothing to keep. */
	async #settle(kept: TightenedMarket): Promise<void> {
		if (kept.reached.length === 0) await this.#drop(kept);
		else await this.#keep(kept);
	}

	#isAbout({ sport, marketType, pool }: LimitRule, marketId: MarketId, { pools }: MarketView): boolean {
		const { fixtures } = this.#options;
		const listing = fixtures.market(marketId);
		if (!listing || !pools.includes(pool)) return false;
		const sportId = fixtures.fixture(listing.fixtureId)?.sportId ?? 0;
		return (marketType === '' || marketType === listing.type) && (sport === '' || sportById(sportId)?.key === sport);
	}

	/** What the rules want of a market; null when they want nothing, and nothing was kept. */
	async #next(
		market: MarketView,
		rules: readonly LimitRule[],
		kept: TightenedMarket | Pick<TightenedMarket, 'brand' | 'base'>,
	): Promise<TightenedMarket | null> {
		const { brand, base } = kept;
		const [before, waived] = 'reached' in kept ? [kept.reached, kept.waived] : [[], []];
		const each = rules.length === 0 ? [] : this.#options.exchange.eachBetIn([market.marketId]);
		const bets = await flatMapInTurns(each, (bet) => (bet.matched > 0 ? [bet] : []));
		const reached: ReachedStep[] = [];
		const acting: LimitStep[] = [];
		for (const rule of rules) {
			const liability = await watchedLiability(rule, market, bets, this.#options.brandOf);
			const held = before.filter(([ruleId]) => ruleId === rule.ruleId).map(([, step]) => step);
			for (const at of stepsHolding(rule, liability, new Set(held))) {
				const step: ReachedStep = [rule.ruleId, at];
				reached.push(step);
				if (!isIn(waived, step)) acting.push(allowedBy(rule, rule.steps[at] as LimitStep));
			}
		}
		if (!('reached' in kept) && reached.length === 0) return null;
		return {
			marketId: market.marketId,
			brand,
			base,
			set: limitsUnder(base, acting, market.minStake),
			reached,
			waived: waived.filter((step) => isIn(reached, step)),
			// The row itself is what a brand's limits are read from.
			isApplied: brand !== ALL,
			atMs: Date.now(),
		};
	}

	/** The row and the journal's, in one transaction. */
	async #write(
		next: TightenedMarket,
		{ before, rules }: { before: MarketLimits; rules: readonly LimitRule[] },
	): Promise<void> {
		const { marketId, brand, set, reached, waived } = next;
		const inMajor = ({ maxStake, maxExposure }: MarketLimits) => ({
			maxStake: majorFromMinor(maxStake),
			maxExposure: majorFromMinor(maxExposure),
		});
		const by = rules.filter(({ ruleId }) => reached.some(([each]) => each === ruleId));
		const ofBrand = brand === ALL ? {} : { brand };
		await this.#options.journal.change(async (client) => {
			await keepTightened(client, next);
			const act = {
				actor: 'server',
				address: null,
				act: set.maxStake <= before.maxStake && isTighter(set, before) ? TIGHTENED : EASED,
				subject: `market ${marketId}`,
				details: {
					...ofBrand,
					currency: HOME_CURRENCY,
					rules: by.map(limitRuleName),
					steps: reached,
					overruled: waived,
				},
				before: inMajor(before),
				after: inMajor(set),
			};
			return { result: undefined, act };
		});
		await this.#note(next);
	}

	/** Changes the market. One that has ended meanwhile stays as it is. */
	async #apply(kept: TightenedMarket): Promise<TightenedMarket> {
		const { marketId, set } = kept;
		try {
			await this.#options.exchange.submit({ kind: 'change-terms', marketId, terms: limitsOf(set) });
		} catch (error) {
			if (!(error instanceof Refused) || error.code !== 'MARKET_CLOSED') throw error;
		}
		const applied = { ...kept, isApplied: true };
		await this.#keep(applied);
		return applied;
	}
}

function noteIn(kept: Map<MarketId, Map<string, TightenedMarket>>, row: TightenedMarket): void {
	const ofMarket = kept.get(row.marketId) ?? new Map<string, TightenedMarket>();
	kept.set(row.marketId, ofMarket.set(row.brand, row));
}

/** An exposure of 0 is without limit. */
const isTighter = (one: MarketLimits, other: MarketLimits): boolean => {
	const exposure = ({ maxExposure }: MarketLimits) => maxExposure || Number.POSITIVE_INFINITY;
	return one.maxStake < other.maxStake || exposure(one) < exposure(other);
};
