/** What a picture becomes before it is read. */
import { expect, it } from 'vitest';
import { clearGrey } from '#web/features/cashier/receipt/grey-picture.ts';

/** Ninety pixels of the ground and ten of the letters. */
const picture = (ground: number, letters: number) =>
	Uint8Array.from({ length: 100 }, (_, at) => (at < 90 ? ground : letters));

it.each([
	['dark letters on a light ground', picture(200, 80)],
	['light letters on a dark ground', picture(40, 180)],
])('%s become black on white', (_, grey) => {
	expect([...clearGrey(grey)]).toEqual([...picture(255, 0)]);
});

it('a picture of one grey stays one grey', () => {
	expect(new Set(clearGrey(new Uint8Array(100).fill(130))).size).toBe(1);
});
