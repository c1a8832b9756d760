/** Acts on the house's books: the provider's settlements, reconciliation with the outside. */
import type { OutsideEntry } from '#server/money/funds/operators/compare-books.ts';
import type { Source } from '#server/money/funds/operators/reconciliation.ts';
import type { ActsOf } from '#server/operators/act.ts';
import { Refused } from '#values/error-catalogue.ts';
import { minorFromMajor } from '#values/money.ts';

/** The first line of each source's file. */
const HEADS: Readonly<Record<Source, string>> = { PROVIDER: 'reference,utr,amount', BANK: 'utr,amount' };

/**
 * Entries of a report or a statement as CSV, amounts in major units; outgoing payments of the bank, and chargebacks,
 * are negative. A chargeback has the dispute's name in the place of the UTR.
 * @throws Refused VALIDATION_FAILED, with the line
 */
function entriesOf(source: Source, csv: string): OutsideEntry[] {
	const [head, ...lines] = csv.trim().split(/\r?\n/);
	const expected = HEADS[source];
	if (head?.trim() !== expected) throw new Refused('VALIDATION_FAILED', {}, `The file begins with ${expected}.`);
	return lines.map((line, at) => {
		const cells = line.split(',').map((part) => part.trim());
		const [major = '', utr = '', reference = null] = cells.toReversed();
		const amount = /^-?\d+(\.\d{1,2})?$/.test(major) ? minorFromMajor(Number(major)) : null;
		const isOut = amount !== null && amount < 0;
		if (cells.length !== expected.split(',').length || reference === '' || utr === '' || !amount) {
			throw new Refused('VALIDATION_FAILED', { line: at + 2 }, `Line ${at + 2} of the file cannot be read.`);
		}
		return { key: `${isOut ? '-' : '+'}${utr.toUpperCase()}`, reference, amount: Math.abs(amount) };
	});
}

export const BOOKS_ACTS: ActsOf<'provider-settlement' | 'reconcile' | 'reconcile-games'> = {
	'provider-settlement': async ({ pool, ...settlement }, { funds }, { actor }) => {
		const { id, state } = await funds.houseKeeping.settleProvider(pool, settlement, actor);
		return { kind: 'PROVIDER_SETTLEMENT', id: String(id), state };
	},
	reconcile: ({ source, pool, report, from, to }, { funds }) =>
		funds.reconciliation.reconcile({ source, pool }, entriesOf(source, report), { fromMs: from, toMs: to }),
	'reconcile-games': ({ provider, day, report }, { providers }) => providers.dayReports.compare(provider, day, report),
};
