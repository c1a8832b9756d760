/** The least age of a brand's players, where it is above the age at which anyone may play. */
import type { OperatorOptions } from '#server/operators/act.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/** @throws Refused VALIDATION_FAILED for a player who is too young for the player's brand */
export function checkAge(
	{ players, brands }: Pick<OperatorOptions, 'players' | 'brands'>,
	playerId: PlayerId,
	age: number,
): void {
	const least = brands.byHost(players.brandOf(playerId) ?? '')?.setting.realMoney.leastAge ?? null;
	if (least !== null && age < least)
		throw new Refused('VALIDATION_FAILED', { least }, `Players of this brand are at least ${least}.`);
}
