/**
 * Reasons to reject a new bet that the market would take: the reasons for any stake (`stake-admission`), the operator's
 * limits of the player in the sport, the profile of the brand's jurisdiction, too many bets in a second, or too many
 * open bets.
 */
import type { DomainSetting } from '#contract/domain-setting.ts';
import { rulesAt } from '#contract/rules-at.ts';
import { checkBet, type AskedBet as StakedBet } from '#server/calls/profile-stakes.ts';
import { admitStake, type StakeJudges } from '#server/calls/stake-admission.ts';
import type { Admission } from '#server/exchange/exchange.ts';
import type { Visitor } from '#server/people/players/players.ts';
import { SteadyLimit } from '#server/people/players/rate-limit.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { BetLimits } from '#values/bet-limits.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';
import type { SportKey } from '#values/sports.ts';

type BetJudges = StakeJudges & { sports: Pick<SportPermissions, 'limits'> };

/** A bet in a sport; null where its market is not known any more, and the bet with it. */
type AskedBet = StakedBet & { sport: SportKey | null };

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
			const present = this.#judges.brands.byHost(host)?.setting ?? setting;
			checkBet(bet, rulesAt(present, this.#judges.exchange.now()));
			const { maxOpenBets } = present;
			if (openBets >= maxOpenBets) throw new Refused('TOO_MANY_OPEN_BETS', { most: maxOpenBets });
		};
	}

	/** Counts a bet of any kind. @throws Refused TOO_MANY_BETS */
	count(playerId: PlayerId, { betsPerSecond }: Pick<DomainSetting, 'betsPerSecond'>): void {
		const perSecond = betsPerSecond * this.#rateLimitFactor;
		if (!this.#limit.take(playerId, perSecond)) throw new Refused('TOO_MANY_BETS', { perSecond });
	}
}

/** @throws Refused STAKE_TOO_LARGE, PROFIT_TOO_LARGE */
function checkSportLimits({ sport, stake, win }: AskedBet, limits: ReadonlyMap<SportKey, BetLimits>): void {
	const limit = sport === null ? undefined : limits.get(sport);
	if (!limit) return;
	const { maxStake, maxProfit } = limit;
	if (maxStake > 0 && stake > maxStake) throw new Refused('STAKE_TOO_LARGE', { most: majorFromMinor(maxStake) });
	if (maxProfit > 0 && win > maxProfit) throw new Refused('PROFIT_TOO_LARGE', { most: majorFromMinor(maxProfit) });
}
