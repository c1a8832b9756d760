/** Compares an outside report of a period with our books: each difference gets a name, and nothing else does. */
import type { Owner } from '#server/money/funds/funds-ledger.ts';
import type { AnyMinor } from '#values/money.ts';

/** An entry of a report or of a bank's statement. Amounts are minor units. */
export interface OutsideEntry {
	/** Direction and the bank's reference, such as `+412345678901`. */
	key: string;
	/** Our own reference, if the report names it. */
	reference: string | null;
	amount: AnyMinor;
}

/** The same movement in our books. */
export interface OwnEntry extends OutsideEntry {
	owner: Owner;
	/** Required in this report or in an earlier one. */
	isDue: boolean;
}

export interface Difference {
	kind: 'only-reported' | 'not-reported' | 'reported-twice' | 'other-amount' | 'other-order';
	key: string;
	reported: OutsideEntry | null;
	own: OwnEntry | null;
}

/** @param isKnown whether an earlier report named the entry */
export function compareBooks(
	reported: readonly OutsideEntry[],
	own: readonly OwnEntry[],
	isKnown: (key: string) => boolean,
): { matched: number; differences: Difference[] } {
	const byKey = new Map(own.map((entry) => [entry.key, entry]));
	const seen = new Set<string>();
	const differences: Difference[] = [];
	for (const line of reported) {
		const entry = byKey.get(line.key) ?? null;
		const kind = seen.has(line.key) ? 'reported-twice' : differenceOf(line, entry);
		seen.add(line.key);
		if (kind) differences.push({ kind, key: line.key, reported: line, own: entry });
	}
	const matched = reported.length - differences.length;
	for (const entry of own) {
		if (!entry.isDue || seen.has(entry.key) || isKnown(entry.key)) continue;
		differences.push({ kind: 'not-reported', key: entry.key, reported: null, own: entry });
	}
	return { matched, differences };
}

function differenceOf(line: OutsideEntry, own: OwnEntry | null): Difference['kind'] | null {
	if (!own) return 'only-reported';
	if (own.amount !== line.amount) return 'other-amount';
	return line.reference === null || own.reference === line.reference ? null : 'other-order';
}
