/**
 * What keeps a stake out although the market or the game takes it. The rule is asked where the stake is ordered: a login,
 * a site or a limit that changed after the request came counts as it is then.
 */

import type { Admission, OrderedWallets } from '#server/exchange/exchange.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import type { RealMoney } from '#server/money/funds/protection/real-money.ts';
import type { Door } from '#server/people/persons/doors.ts';
import type { Players } from '#server/people/players/players.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/** The parts that know why a stake is kept out. */
export interface StakeJudges {
	brands: Pick<Brands, 'byHost'>;
	funds: { realMoney: Pick<RealMoney, 'admit'>; protection: Pick<Protection, 'admitStake'> };
}

/** The player, and how the stake comes. */
interface Staker {
	playerId: PlayerId;
	/** Host of the brand. */
	brand: string;
	/** Two letters; null where no proxy says. */
	country: string | null;
	door: Door;
}

/**
 * @param bet paise: its stake, and what it can lose
 * @throws Refused SITE_SUSPENDED, and what real money and the player's protection refuse
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
 * For a stake in a game, the house's own or a provider's; it can be lost as a whole.
 * @param inRound paise that the player staked in the round, this included: a limit on stakes is one of the round
 * @returns the check; it refuses LOGIN_EXPIRED besides, for a login that has ended
 */
export function gameStakeAdmission(
	judges: StakeJudges & { players: Pick<Players, 'isOpen'> },
	{ loginId, ...staker }: Staker & { loginId: string },
	stake: AnyPaise,
	inRound = stake,
): Admission {
	return (_, wallets) => {
		if (!judges.players.isOpen(loginId)) throw new Refused('LOGIN_EXPIRED');
		admitStake(judges, staker, { stake: inRound, risk: stake }, wallets);
	};
}
