/**
 * Reasons to refuse a stake that the market or the game would take. The rule is checked where the stake is ordered, so
 * a change of a login, a site or a limit after the request's arrival is respected.
 */

import { rulesAt } from '#contract/rules-at.ts';
import { checkGame, largestSlotStake } from '#server/calls/profile-stakes.ts';
import type { Admission, Exchange, OrderedWallets } from '#server/exchange/exchange.ts';
import type { GameRules } from '#server/money/casino/game-rules.ts';
import type { AcceptedTerms } from '#server/money/funds/protection/accepted-terms.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import type { RealMoney } from '#server/money/funds/protection/real-money.ts';
import type { Door } from '#server/people/persons/doors.ts';
import type { Players } from '#server/people/players/players.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import { HOME_CURRENCY } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

/** The parts that may refuse a stake. */
export interface StakeJudges {
	brands: Pick<Brands, 'byHost'>;
	funds: {
		realMoney: Pick<RealMoney, 'admit'>;
		terms: Pick<AcceptedTerms, 'admit'>;
		protection: Pick<Protection, 'admitStake'>;
	};
	/** The clock by which a brand's profile holds. */
	exchange: Pick<Exchange, 'now'>;
}

/** Those that may refuse a stake in a game. */
interface GameJudges extends StakeJudges {
	players: Pick<Players, 'isOpen' | 'admitMoney' | 'countryOfLogin'>;
	gameRules: Pick<GameRules, 'admitStake'>;
	funds: StakeJudges['funds'] & { protection: Pick<Protection, 'leastAgeOf'> };
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
 * @param bet minor units: its stake, and its largest loss
 * @throws Refused SITE_SUSPENDED, TERMS_DUE, and the refusals of real money and the player's protection
 */
export function admitStake(
	{ brands, funds }: StakeJudges,
	{ playerId, brand, country, door }: Staker,
	bet: { stake: AnyMinor; risk: AnyMinor },
	wallets: OrderedWallets,
): void {
	if (brands.byHost(brand)?.setting.siteSuspended) throw new Refused('SITE_SUSPENDED');
	funds.terms.admit(playerId);
	funds.realMoney.admit(playerId, country);
	funds.protection.admitStake(playerId, { ...bet, door }, wallets);
}

/**
 * For a stake in a game, the house's own or a provider's; the whole stake can be lost.
 * @param inRound the player's total stake in the round in minor units, this one included: a limit on stakes applies to the
 *   round
 * @returns the check; it also refuses LOGIN_EXPIRED, for a login that has ended, ROUND_OPEN and STAKE_TOO_LARGE by the
 *   profile, and the refusals of GameRules.admitStake
 */
export function gameStakeAdmission(
	judges: GameJudges,
	/** The game is null for a stake in a round with turns that the player has begun: it is finished as it began. */
	{ loginId, game, ...staker }: Staker & { loginId: string; game: string | null },
	stake: AnyMinor,
	inRound = stake,
): Admission {
	return (_, wallets) => {
		if (!judges.players.isOpen(loginId)) throw new Refused('LOGIN_EXPIRED');
		if (game !== null) {
			const currency = judges.brands.byHost(staker.brand)?.setting.currency ?? HOME_CURRENCY;
			judges.gameRules.admitStake({ host: staker.brand, currency }, game, { added: stake, inRound });
			admitByProfile(judges, { ...staker, loginId, game }, inRound, wallets);
		}
		const setting = judges.brands.byHost(staker.brand)?.setting;
		// A provider's server asks from an address of its own.
		const country =
			staker.door === 'PROVIDER_STAKE' && setting
				? judges.players.countryOfLogin(loginId, { setting }, staker.country)
				: staker.country;
		admitStake(judges, { ...staker, country }, { stake: inRound, risk: stake }, wallets);
	};
}

/**
 * A provider does not say which of its games are slots, so each counts as one. The house has no slot.
 * @throws Refused PASSWORD_NEEDED, ROUND_OPEN, STAKE_TOO_LARGE
 */
function admitByProfile(
	{ brands, funds, exchange, players }: GameJudges,
	{ playerId, loginId, brand, door, game }: Staker & { loginId: string; game: string },
	inRound: AnyMinor,
	wallets: OrderedWallets,
): void {
	const setting = brands.byHost(brand)?.setting;
	if (!setting) return;
	const rules = rulesAt(setting, () => exchange.now());
	// A provider's page asks the wallet, and no call of ours comes before.
	if (door === 'PROVIDER_STAKE') players.admitMoney(loginId, rules.logsInAgainAfterIdleMinutes);
	checkGame(game, wallets(playerId).openGames, rules);
	const most = door === 'PROVIDER_STAKE' ? largestSlotStake(rules, funds.protection.leastAgeOf(playerId)) : null;
	if (most !== null && inRound > most) throw new Refused('STAKE_TOO_LARGE', { most: majorFromMinor(most) });
}
