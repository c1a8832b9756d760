/** A step of an episode: an act with four numbers, which mean what the act makes of them. A list of steps can be replayed. */
import type { World } from './world.ts';

export type Numbers = readonly [number, number, number, number];
export interface Step {
	act: string;
	numbers: Numbers;
}

export interface Act {
	/** How often chance takes it, beside the others. */
	weight: number;
	run: (world: World, numbers: Numbers) => Promise<void>;
}

export type Acts = Readonly<Record<string, Act>>;

/** `bet 1 0 3 2`. */
export const asLine = ({ act, numbers }: Step): string => [act, ...numbers].join(' ');

export function fromLine(line: string): Step {
	const [act = '', ...numbers] = line.trim().split(/\s+/);
	const [a = 0, b = 0, c = 0, d = 0] = numbers.map(Number);
	return { act, numbers: [a, b, c, d] };
}
