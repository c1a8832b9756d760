/**
 * Reasons to refuse a stake that the market or the game would take. The rule is checked where the stake is ordered, so
 * a change of a login, a site or a limit after the request's arrival is respected.
 */

import type { Admission, OrderedWallets } from '#server/exchange/exchange.ts';
import type { GameRules } from '#server/money/casino/game-rules.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import type { RealMoney } from '#server/money/funds/protection/real-money.ts';
import type { Door } from '#server/people/persons/doors.ts';
import type { Players } from '#server/people/players/players.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/** The parts that may refuse a stake. */
export interface StakeJudges {
	brands: Pick<Brands, 'byHost'>;
	funds: { realMoney: Pick<RealMoney, 'admit'>; protection: Pick<Protection, 'admitStake'> };
}

/** The player, and the source of the stake. */
interface Staker {
	playerId: PlayerId;
	/** Host of the brand. */
	brand: string;
	/** Two letters; null if no proxy reports it. */
	country: string | null;
	door: Door;
}

/**
 * @param bet paise: its stake, and its largest loss
 * @throws Refused SITE_SUSPENDED, and the refusals of real money and the player's protection
 */
export function admitStake(
	{ brands, funds }: StakeJudges,
	{ playerId, brand, country, door }: Staker,
	bet: { stake: AnyPaise; risk: AnyPaise },
	wallets: OrderedWallets,
): void {
	if (brands.byHost(brand)?.setting.siteSuspended) throw new Refused('SITE_SUSPENDED');
	funds.realMoney.admit(playerId, country);
	funds.protection.admitStake(playerId, { ...bet, door }, wallets);
}

/**
 * For a stake in a game, the house's own or a provider's; the whole stake can be lost.
 * @param inRound the player's total stake in the round in paise, this one included: a limit on stakes applies to the
 *   round
 * @returns the check; it also refuses LOGIN_EXPIRED, for a login that has ended, and the refusals of GameRules.admitStake
 */
export function gameStakeAdmission(
	judges: StakeJudges & { players: Pick<Players, 'isOpen'>; gameRules: Pick<GameRules, 'admitStake'> },
	/** The game is null for a stake in a round with turns that the player has begun: it is finished as it began. */
	{ loginId, game, ...staker }: Staker & { loginId: string; game: string | null },
	stake: AnyPaise,
	inRound = stake,
): Admission {
	return (_, wallets) => {
		if (!judges.players.isOpen(loginId)) throw new Refused('LOGIN_EXPIRED');
		if (game !== null) judges.gameRules.admitStake(staker.brand, game, { added: stake, inRound });
		admitStake(judges, staker, { stake: inRound, risk: stake }, wallets);
	};
}
