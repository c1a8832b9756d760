/**
 * Reasons to reject a new bet that the market would take: the reasons for any stake (`stake-admission`), the operator's
 * limits of the player in the sport, the brand's limits in the market, the profile of the brand's jurisdiction, too many
 * bets in a second, or too many open bets.
 */
import type { DomainSetting } from '#contract/domain-setting.ts';
import { rulesAt } from '#contract/rules-at.ts';
import type { UnmatchedPart } from '#engine/engine.ts';
import { checkBet, type AskedBet as StakedBet } from '#server/calls/profile-stakes.ts';
import { admitStake, type StakeJudges } from '#server/calls/stake-admission.ts';
import type { Admission, OrderedWallets } from '#server/exchange/exchange.ts';
import type { Visitor } from '#server/people/players/players.ts';
import { SteadyLimit } from '#server/people/players/rate-limit.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { BrandLimits } from '#server/world/markets/brand-limits.ts';
import type { BetLimits } from '#values/bet-limits.ts';
import { limitIn } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { MarketLimits } from '#values/limit-steps.ts';
import { majorFromMinor } from '#values/money.ts';
import type { SportKey } from '#values/sports.ts';

type BetJudges = StakeJudges & { sports: Pick<SportPermissions, 'limits'>; brandLimits: Pick<BrandLimits, 'of'> };

/** A bet in a sport and a market; null where the market is not known any more, and the bet with it. */
type AskedBet = StakedBet & { sport: SportKey | null; market: AskedMarket | null };

interface AskedMarket {
	marketId: MarketId;
	/** What the bet adds to the player's unmatched bets there; a stake below zero takes one away. */
	bets: readonly UnmatchedPart[];
}

export class BetAdmission {
	readonly #judges: BetJudges;
	readonly #rateLimitFactor: number;
	readonly #limit: SteadyLimit<PlayerId>;

	/** @param clock monotonic milliseconds */
	constructor(judges: BetJudges, rateLimitFactor: number, clock?: () => number) {
		this.#judges = judges;
		this.#rateLimitFactor = rateLimitFactor;
		this.#limit = new SteadyLimit(clock);
	}

	/**
	 * Counts a bet that is about to be placed.
	 * @param perSecond the limit of bets per second for its interface
	 * @returns the check that the exchange runs when it orders the bet
	 * @throws Refused TOO_MANY_BETS
	 */
	take(
		playerId: PlayerId,
		{ brand: { host, setting }, country = null }: Pick<Visitor, 'brand' | 'country'>,
		bet: AskedBet,
		perSecond = setting.betsPerSecond,
	): Admission {
		this.count(playerId, { betsPerSecond: perSecond });
		return (openBets, wallets) => {
			admitStake(this.#judges, { playerId, brand: host, country, door: 'BET' }, bet, wallets);
			checkSportLimits(bet, this.#judges.sports.limits(playerId));
			this.#checkBrandLimits(playerId, host, { bet, setting }, wallets);
			const present = this.#judges.brands.byHost(host)?.setting ?? setting;
			checkBet(
				bet,
				rulesAt(present, () => this.#judges.exchange.now()),
			);
			const { maxOpenBets } = present;
			if (openBets >= maxOpenBets) throw new Refused('TOO_MANY_OPEN_BETS', { most: maxOpenBets });
		};
	}

	/** The brand's limits in a market in its currency, minor units; an exposure of 0 sets none. Null for the market's. */
	brandLimits({ host, setting }: Pick<Brand, 'host' | 'setting'>, marketId: MarketId): MarketLimits | null {
		const limits = this.#judges.brandLimits.of(marketId, host);
		return limits && inCurrency(setting.currency, limits);
	}

	/** @throws Refused STAKE_TOO_LARGE, EXPOSURE_LIMIT */
	#checkBrandLimits(
		playerId: PlayerId,
		host: string,
		{ bet: { stake, market }, setting }: { bet: AskedBet; setting: DomainSetting },
		wallets: OrderedWallets,
	): void {
		const limits = market && this.brandLimits({ host, setting }, market.marketId);
		if (!market || !limits) return;
		const { maxStake, maxExposure } = limits;
		if (stake > maxStake) throw new Refused('STAKE_TOO_LARGE', { most: majorFromMinor(maxStake) });
		if (maxExposure === 0) return;
		const exposure = wallets(playerId).exposureWith(market.marketId, market.bets);
		// As in the engine: a bet that lowers the risk always passes.
		if (exposure.with > maxExposure && exposure.with > exposure.now) throw new Refused('EXPOSURE_LIMIT');
	}

	/** Counts a bet of any kind. @throws Refused TOO_MANY_BETS */
	count(playerId: PlayerId, { betsPerSecond }: Pick<DomainSetting, 'betsPerSecond'>): void {
		const perSecond = betsPerSecond * this.#rateLimitFactor;
		if (!this.#limit.take(playerId, perSecond)) throw new Refused('TOO_MANY_BETS', { perSecond });
	}
}

const inCurrency = (currency: Currency, { maxStake, maxExposure }: MarketLimits): MarketLimits => ({
	maxStake: limitIn(currency, maxStake),
	maxExposure: limitIn(currency, maxExposure),
});

/** @throws Refused STAKE_TOO_LARGE, PROFIT_TOO_LARGE */
function checkSportLimits({ sport, stake, win }: AskedBet, limits: ReadonlyMap<SportKey, BetLimits>): void {
	const limit = sport === null ? undefined : limits.get(sport);
	if (!limit) return;
	const { maxStake, maxProfit } = limit;
	if (maxStake > 0 && stake > maxStake) throw new Refused('STAKE_TOO_LARGE', { most: majorFromMinor(maxStake) });
	if (maxProfit > 0 && win > maxProfit) throw new Refused('PROFIT_TOO_LARGE', { most: majorFromMinor(maxProfit) });
}
