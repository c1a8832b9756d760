import { expect, it } from 'vitest';
import { type Turn, uprightLines } from '#values/turned-text.ts';

/** A page that is read as upright after one turn alone, by a reader whose time ends after N readings. */
async function read({ uprightAt, readings }: { uprightAt: Turn | null; readings: number }): Promise<string[] | null> {
	let left = readings;
	const readAt = async (turn: Turn) => {
		left -= 1;
		return { lines: [{ text: `turned by ${turn}`, height: 10 }], sureOf: turn === uprightAt ? 12 : 0 };
	};
	const lines = await uprightLines(readAt, () => left > 0);
	return lines?.map(({ text }) => text) ?? null;
}

it('stops at the turn that is read as upright', async () => {
	expect(await read({ uprightAt: 0, readings: 1 })).toEqual(['turned by 0']);
	expect(await read({ uprightAt: 90, readings: 3 })).toEqual(['turned by 90']);
});

it('takes the best of all turns where none is read as upright', async () => {
	expect(await read({ uprightAt: null, readings: 4 })).toEqual(['turned by 0']);
});

it('does not take a picture that lies for one without text when its time ends', async () => {
	expect(await read({ uprightAt: 90, readings: 2 })).toBeNull();
});
