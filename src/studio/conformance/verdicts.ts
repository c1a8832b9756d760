/** Runs the cases of a conformance suite, and prints what they find. */

/** A violation by what is tried. */
export class Fault extends Error {}

export interface Case<Tried> {
	/** The required property. */
	name: string;
	run: (tried: Tried) => Promise<void>;
}

export interface Verdict {
	name: string;
	/** Null if the property holds. */
	fault: string | null;
}

/** Runs the cases in order, each after the one before it. */
export async function verdictsOf<Tried>(
	cases: readonly Case<Tried>[],
	tried: Tried,
	onVerdict: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
	const verdicts: Verdict[] = [];
	for (const { name, run } of cases) {
		const fault = await run(tried).then(
			() => null,
			(error: unknown) => (error instanceof Error ? error.message : String(error)),
		);
		const verdict = { name, fault };
		onVerdict(verdict);
		verdicts.push(verdict);
	}
	return verdicts;
}

export const printVerdict = ({ name, fault }: Verdict): void =>
	console.log(fault === null ? `ok    ${name}` : `FAIL  ${name}\n      ${fault}`);

/** Prints how many properties hold. @returns the exit code: 0 if all do, else 1 */
export function printSum(verdicts: readonly Verdict[]): 0 | 1 {
	const holding = verdicts.filter(({ fault }) => fault === null).length;
	console.log(`\n${holding} of ${verdicts.length} hold.`);
	return holding === verdicts.length ? 0 : 1;
}
