/** The request key of calls that move money. */
import type { RequestKey } from '#server/exchange/exchange.ts';
import type { PlayerId } from '#values/ids.ts';

/** The request's own text without its id: a repetition must have the same text. */
export function requestKey(
	call: string,
	playerId: PlayerId,
	fields: { clientRequestId: string } & Record<string, unknown>,
): RequestKey {
	const names = Object.keys(fields).filter((name) => name !== 'clientRequestId');
	const body = JSON.stringify([call, names.sort().map((name) => [name, fields[name]])]);
	return { walletId: playerId, clientRequestId: fields.clientRequestId, body };
}
