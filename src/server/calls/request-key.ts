/** The request key of calls that move money. */
import type { Exchange, Receipt, RequestKey } from '#server/exchange/exchange.ts';
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

/**
 * Orders, or finds the receipt of the first time. What is refused before it is judged may have been accepted under its key
 * before, and its sport, market or bet may have ended since. The exchange looks for the first time itself before it judges.
 * @param untilMs the end of the call
 * @param order calls `onJudged` when the exchange orders it, or refuses it then; may throw at once
 * @throws Refused as `order` does, where nothing was accepted
 */
export async function orderedOnce(
	exchange: Pick<Exchange, 'earlier'>,
	key: RequestKey,
	untilMs: number,
	order: (onJudged: () => void) => Promise<Receipt>,
): Promise<Receipt> {
	let isJudged = false;
	try {
		return await order(() => {
			isJudged = true;
		});
	} catch (failure) {
		const earlier = isJudged ? null : await exchange.earlier(key, untilMs);
		if (!earlier) throw failure;
		return earlier;
	}
}
