/** The request key of calls that move money. */
import type { RequestKey } from '#server/exchange/exchange.ts';

/** The request's own text without its id: what a repetition must equal. */
export function requestKey(
	call: string,
	playerId: number,
	{ clientRequestId, ...body }: { clientRequestId: string } & Record<string, unknown>,
): RequestKey {
	const canonical = Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1));
	return { walletId: playerId, clientRequestId, body: JSON.stringify([call, canonical]) };
}
