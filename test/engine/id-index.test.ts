/** The index of ids agrees with a plain map, whatever is entered and taken out, dense or scattered. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Kernel } from '#engine/kernel.ts';
import { NONE, ROW_KIND } from '#engine/rows.ts';

const dense = fc.integer({ min: 0, max: 3000 });
const scattered = fc.integer({ min: 0, max: 200 }).map((step) => step * 7_340_033 + 3_600_000_000_000_000);

describe('the index of ids', () => {
	it('finds entered ids and not removed ones', () => {
		const act = fc.tuple(fc.oneof(dense, scattered), fc.boolean());
		fc.assert(
			fc.property(fc.array(act, { maxLength: 600 }), (acts) => {
				const { call } = new Kernel(false);
				const plain = new Map<number, number>();
				for (const [at, [id, enter]] of acts.entries()) {
					if (enter && !plain.has(id)) {
						call.setId(ROW_KIND.BET, id, at + 1);
						plain.set(id, at + 1);
					} else if (!enter && plain.delete(id)) call.removeId(ROW_KIND.BET, id);
				}
				for (const [id] of acts) expect(call.findId(ROW_KIND.BET, id)).toBe(plain.get(id) ?? NONE);
			}),
		);
	});

	it('does not find a number that is no id', () => {
		const { call } = new Kernel(false);
		call.setId(ROW_KIND.BET, 5, 1);
		for (const id of [-1, 5.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])
			expect(call.findId(ROW_KIND.BET, id)).toBe(NONE);
	});
});
