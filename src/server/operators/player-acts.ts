/** Acts on players: their accounts, limits, sports and identity. */
import { documentText } from '#server/money/funds/identity/documents.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { checkAge } from '#server/operators/least-age.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';

/** @throws Refused UNKNOWN_USER */
export function playerOf({ players }: Pick<OperatorOptions, 'players'>, userName: string, host: string) {
	const player = players.findPlayer(userName, host);
	if (!player) throw new Refused('UNKNOWN_USER');
	return player;
}

interface NamedPlayer {
	playerId?: string | undefined;
	userName?: string | undefined;
	host?: string | undefined;
}

/** The player whom an input names by id, or by name and host. @throws Refused UNKNOWN_USER; VALIDATION_FAILED */
export function namedPlayer(
	{ players }: Pick<OperatorOptions, 'players'>,
	{ playerId, userName, host }: NamedPlayer,
): { playerId: PlayerId; userName: string } {
	const isById = playerId !== undefined;
	const isByName = userName !== undefined && host !== undefined;
	// Authorization checked the one player of an input, so an input that could name two is refused.
	if (isById ? (userName ?? host) !== undefined : !isByName)
		throw new Refused('VALIDATION_FAILED', {}, 'Name a player by its id, or by its name and host.');
	const id = isByName ? playerOf({ players }, userName, host).playerId : Number(playerId);
	const name = players.nameOf(id);
	if (name === null) throw new Refused('UNKNOWN_USER');
	return { playerId: id, userName: name };
}

/** Major units. */
export const sportLimitsOf = ({ sports }: Pick<OperatorOptions, 'sports'>, playerId: PlayerId) =>
	[...sports.limits(playerId)].map(([sport, { maxStake, maxProfit }]) => ({
		sport,
		maxStake: majorFromMinor(maxStake),
		maxProfit: majorFromMinor(maxProfit),
	}));

export const PLAYER_ACTS: ActsOf<
	'create-player' | 'player-limits' | 'player-sport' | 'player-sport-limits' | 'verify-identity' | 'outbox'
> = {
	'create-player': async ({ userName, password, host }, { players, brands }) => {
		const brand = brands.byHost(host);
		if (!brand) throw new Refused('UNKNOWN_DOMAIN');
		const { playerId, pool } = await players.createPlayer({ userName, password, brand });
		return { playerId: String(playerId), userName, host, pool };
	},
	'player-limits': async ({ maxStake, maxProfit, maxExposure, ...named }, parts) => {
		const { playerId: walletId, userName } = namedPlayer(parts, named);
		const limits = { maxStake, maxProfit, maxExposure };
		await parts.exchange.submit({ kind: 'set-limits', walletId, limits });
		return {
			userName,
			maxStake: majorFromMinor(maxStake),
			maxProfit: majorFromMinor(maxProfit),
			maxExposure: majorFromMinor(maxExposure),
		};
	},
	'player-sport': async ({ sport, allowed, ...named }, parts) => {
		const { playerId, userName } = namedPlayer(parts, named);
		await parts.sports.set(playerId, sport, allowed);
		return { userName, host: parts.players.brandOf(playerId) ?? '', closed: [...parts.sports.closed(playerId)] };
	},
	'player-sport-limits': async ({ sport, maxStake, maxProfit, ...named }, parts) => {
		const { playerId, userName } = namedPlayer(parts, named);
		await parts.sports.setLimits(playerId, sport, { maxStake, maxProfit });
		return { userName, sportLimits: sportLimitsOf(parts, playerId) };
	},
	'verify-identity': async ({ userName, host, age, document }, parts, by) => {
		const { playerId } = playerOf(parts, userName, host);
		checkAge(parts, playerId, age);
		const fingerprints = document ? parts.funds.fingerprints(documentText(document)) : null;
		await parts.funds.protection.identify(playerId, { document: fingerprints, age }, by);
		await parts.funds.verified(playerId);
		return { userName, host, isIdentified: true };
	},
	outbox: (_, { outbox }) => outbox.latest(),
};
