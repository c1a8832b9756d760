/** The chance of a simulation: all of it comes from one seed. */
import { SeededNumbers as Numbers } from '../reference/random-commands.ts';

export class SeededNumbers extends Numbers {
	/** From 0 to 1. */
	fraction(): number {
		return this.below(2 ** 30) / 2 ** 30;
	}

	between(least: number, most: number): number {
		return least + (most - least) * this.fraction();
	}

	/** Mostly small, seldom large: the times of a network or a disk. */
	longTail(usual: number, longest: number): number {
		const fraction = this.fraction();
		return fraction < 0.9 ? usual * (0.5 + fraction) : usual + (longest - usual) * ((fraction - 0.9) * 10) ** 4;
	}
}
