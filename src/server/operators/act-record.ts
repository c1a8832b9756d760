/** The journal's record of an operator's act: actor, address, subject, and the state before and after. */
import type { FastifyRequest } from 'fastify';
import type { OperatorOptions } from '#server/operators/act.ts';
import { limitRuleName } from '#server/operators/limit-rules/limit-rules.ts';
import { stateOf } from '#server/operators/named-market.ts';
import { sportLimitsOf } from '#server/operators/player-acts.ts';
import { settingStanding } from '#server/operators/setting-standing.ts';
import type { PlayerId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';
import { isReservedStaffName } from '#values/staff-name.ts';

/** All operators share one key, so the name is only claimed; the address is the one that the server sees. */
const NAME = /^[\p{L}\p{M}\p{N} ._@-]{1,64}$/u;

/** The name given by the operator. The header is percent-encoded, so that any script fits. */
export function operatorName({ headers }: FastifyRequest): string {
	const header = headers['x-operator'];
	if (typeof header !== 'string') return 'unnamed';
	try {
		const name = decodeURIComponent(header);
		return NAME.test(name) && !isReservedStaffName(name) ? name : 'unnamed';
	} catch {
		return 'unnamed';
	}
}

/** The fields that the inputs of acts share. */
interface Named {
	marketId?: string;
	eventId?: string;
	sport?: string;
	source?: string;
	isAll?: boolean;
	pressId?: string;
	/** Of a rule of limits. */
	watches?: string;
	marketType?: string;
	brand?: string;
	pool?: string;
	caseId?: string;
	userName?: string;
	host?: string;
	field?: string;
	changes?: readonly { field: string }[];
	playerId?: string;
	kind?: string;
	id?: string;
	proposalId?: string;
	staffId?: string;
	name?: string;
	/** Of a proposal: the proposed act. */
	act?: string;
	input?: object;
}

/** The subject of an act, as text. */
export function subjectOf(input: Named): string {
	const { marketId, eventId, userName, host, playerId, kind, id, proposalId, staffId, name } = input;
	const { sport, source, isAll, pressId, caseId } = input;
	if (input.watches !== undefined) return limitRuleName(input);
	if (marketId !== undefined) return `market ${marketId}`;
	if (eventId !== undefined) return `event ${eventId}`;
	if (userName !== undefined) return `player ${userName} of ${host}`;
	if (playerId !== undefined) return `player ${playerId}`;
	if (kind !== undefined && id !== undefined) return `${kind.toLowerCase()} ${id}`;
	if (proposalId !== undefined) return `proposal ${proposalId}`;
	if (input.act !== undefined && input.input !== undefined) return subjectOf(input.input);
	if (staffId !== undefined) return `staff ${staffId}`;
	if (pressId !== undefined) return `press ${pressId}`;
	if (caseId !== undefined) return `case ${caseId}`;
	if (isAll) return 'platform';
	if (source !== undefined) return `feed ${source}`;
	if (sport !== undefined) return `sport ${sport}`;
	if (host !== undefined) return `domain ${host}`;
	return name === undefined ? '' : `staff ${name}`;
}

/** The current state of the subject; null if it does not exist. */
export function standing(input: Named, parts: OperatorOptions): unknown {
	const { marketId, eventId, userName, host = '', playerId } = input;
	if (marketId !== undefined) {
		const listing = parts.fixtures.market(Number(marketId));
		const results = parts.exchange.market(Number(marketId))?.results ?? null;
		return listing ? { ...stateOf(parts, listing), results } : null;
	}
	if (eventId !== undefined) {
		const fixture = parts.fixtures.fixture(Number(eventId));
		return fixture ? { status: fixture.status, stream: fixture.streamUrl ?? null } : null;
	}
	if (userName !== undefined) return playerStanding(parts.players.findPlayer(userName, host)?.playerId, parts);
	if (playerId !== undefined) return playerStanding(Number(playerId), parts);
	const setting = parts.brands.byName(host)?.setting;
	const fields = fieldsOf(input);
	return setting && fields.length > 0 ? settingStanding(setting, fields) : null;
}

/** The fields of a brand that an input names. */
const fieldsOf = ({ field, changes = [] }: Named): string[] => [
	...(field === undefined ? [] : [field]),
	...changes.map((change) => change.field),
];

/**
 * What an act that was done has replaced. Where another act changed the brand after this one was noted, that is the version
 * before this act's own.
 */
export async function replacedBy(
	input: Named,
	{ before, after }: { before: unknown; after: unknown },
	{ brands }: OperatorOptions,
): Promise<unknown> {
	const [noted, made] = [before, after].map((one) => (one as { version?: number } | null)?.version);
	if (noted === undefined || made === undefined || made <= noted + 1 || fieldsOf(input).length === 0) return before;
	return settingStanding(await brands.settingAt(input.host ?? '', made - 1), fieldsOf(input));
}

function playerStanding(playerId: PlayerId | undefined, { players, exchange, sports }: OperatorOptions): unknown {
	if (playerId === undefined || players.nameOf(playerId) === null) return null;
	const wallet = exchange.wallet(playerId);
	return {
		playerId,
		balance: majorFromMinor(wallet?.cash ?? 0),
		limits: wallet?.limits ?? null,
		closedSports: [...sports.closed(playerId)],
		sportLimits: sportLimitsOf({ sports }, playerId),
	};
}
