/**
 * What has to be read before a stake is judged: whether a person was excluded elsewhere, and the losses of a player whom
 * a limit of losses holds. Every door that takes stakes goes through here, so that none of them judges by less.
 */
import type { Protection } from '#server/money/funds/protection/protection.ts';
import type { Login } from '#server/people/players/logins.ts';
import type { Players } from '#server/people/players/players.ts';
import type { Brand } from '#server/world/brands/brands.ts';

interface ReadyToStakeParts {
	players: Pick<Players, 'freshExclusion'>;
	protection: Pick<Protection, 'readLosses'>;
}

/** @returns null when nothing has to be read, so that most stakes wait for nothing */
export function readyToStake(
	{ players, protection }: ReadyToStakeParts,
	login: Pick<Login, 'playerId' | 'pool'>,
	brand: Brand,
): Promise<void> | null {
	const asking = players.freshExclusion(login, brand);
	// The exclusion decides first: who is excluded is told so, whatever the losses are.
	return asking
		? asking.then(() => protection.readLosses(login.playerId) ?? undefined)
		: protection.readLosses(login.playerId);
}
