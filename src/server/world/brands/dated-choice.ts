/** What a brand has from an instant on, after another choice. What has begun to hold stays on record. */
import { Refused } from '#values/error-catalogue.ts';

/**
 * @param dated in the order of their instants
 * @param chosen holds from its instant on
 * @param nowMs by the clock of the exchange; what is to begin later gives way
 * @throws Refused VALIDATION_FAILED for an instant that has passed: what was done since then was by other rules
 */
export function withChoice<Choice extends { from: string }>(
	dated: readonly Choice[],
	chosen: Choice,
	nowMs: number,
): Choice[] {
	const fromMs = Date.parse(chosen.from);
	if (fromMs <= nowMs) throw new Refused('VALIDATION_FAILED', {}, 'It holds from an instant that is still to come.');
	const begun = dated.filter(({ from }) => Date.parse(from) <= nowMs);
	return [...begun, { ...chosen, from: new Date(fromMs).toISOString() }];
}
