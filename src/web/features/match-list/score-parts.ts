/**
 * A score's figures, and its clock, over, points or distance, which stand last, in brackets or after a comma:
 * "2 – 1 (67′)", "NED 142/6 (18.0)", "1130.73, 1:40 to go".
 */
export function scorePartsOf(score: string): { figures: string; note: string } {
	const [, figures = score, inBrackets, after = ''] = /^(.*\S)(?: \(([^()]*)\)|, ([^,]*))$/.exec(score) ?? [];
	return { figures, note: inBrackets ?? after };
}
