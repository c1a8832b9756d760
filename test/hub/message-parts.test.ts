/** Long texts between gateways and the process with the engine: each arrives as it was sent, or not at all. */
import { expect, it } from 'vitest';
import { PartReader, partsOf } from '#server/doors/gateway/message-parts.ts';

const LARGEST = 10;
/** Of four parts, with letters that a part may end within. */
const textOf = (letter: string): string => `${letter}€₹भ`.repeat(4);

it('joins the parts of a text, also with those of other senders in between, and takes a short text as it is', () => {
	const reader = new PartReader();
	const [one, other] = [partsOf(textOf('a'), LARGEST), partsOf(textOf('b'), LARGEST)];
	expect([one.length, other.length]).toEqual([4, 4]);
	const heard = one.flatMap((part, at) => [reader.read('one', part), reader.read('other', other[at] as Uint8Array)]);
	expect(heard).toEqual([null, null, null, null, null, null, textOf('a'), textOf('b')]);
	expect(partsOf('short', LARGEST).map((part) => reader.read('one', part))).toEqual(['short']);
});

it('drops a text with a lost part, whichever it is, and joins parts of two texts to none', () => {
	const kept = (mask: number, parts: Uint8Array[]) => parts.filter((_, at) => ((mask >> at) & 1) === 1);
	const [all, seen] = [15, new Set<string | null>()];
	for (let first = 0; first <= all; first++) {
		for (let second = 0; second <= all; second++) {
			const reader = new PartReader();
			const sent = [...kept(first, partsOf(textOf('a'), LARGEST)), ...kept(second, partsOf(textOf('b'), LARGEST))];
			const heard = sent.flatMap((part) => reader.read('sender', part) ?? []);
			const whole = [...(first === all ? [textOf('a')] : []), ...(second === all ? [textOf('b')] : [])];
			expect(heard, `${first} ${second}`).toEqual(whole);
			for (const text of heard) seen.add(text);
			const next = partsOf(textOf('c'), LARGEST).map((part) => reader.read('sender', part));
			expect(next.at(-1)).toBe(textOf('c'));
		}
	}
	expect([...seen]).toEqual([textOf('b'), textOf('a')]);
});
