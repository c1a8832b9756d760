/** What a pasted reference may name, and where that is shown. */

/** A payment or a dispute as a member's screen or a message names it: `WITHDRAWAL-12`, `deposit 7`. */
const PAYMENT = /^(deposit|withdrawal|adjustment|dispute|payment)[\s#-]*([\w-]*\d[\w-]*)$/i;

export type Reference =
	| { kind: 'payment'; of: string; id: string }
	| { kind: 'player'; playerId: string }
	/** Anything else: the search says what. */
	| { kind: 'search'; query: string };

/** @returns the likeliest first; none for an empty text */
export function referencesIn(text: string): Reference[] {
	const query = text.trim();
	if (query === '') return [];
	const [, of, id] = PAYMENT.exec(query) ?? [];
	if (of !== undefined && id !== undefined) return [{ kind: 'payment', of: of.toUpperCase(), id }];
	const search: Reference = { kind: 'search', query };
	return /^\d{1,9}$/.test(query) ? [search, { kind: 'player', playerId: query }] : [search];
}
