/** The request key of calls that move money. */
import type { RequestKey } from '#server/exchange/exchange.ts';
import type { PlayerId } from '#values/ids.ts';

/** The request's own text without its id: what a repetition must equal. */
export function requestKey(
	call: string,
	playerId: PlayerId,
	fields: { clientRequestId: string } & Record<string, unknown>,
): RequestKey {
	// The text of nested arrays, assembled here because every bet passes through.
	let entries = '';
	for (const name of Object.keys(fields).sort()) {
		if (name === 'clientRequestId') continue;
		entries += `${entries === '' ? '' : ','}["${name}",${JSON.stringify(fields[name]) ?? 'null'}]`;
	}
	return { walletId: playerId, clientRequestId: fields.clientRequestId, body: `["${call}",[${entries}]]` };
}
