/**
 * What a trader acts on is what the screen showed before a key was on its way, and not what came in its last moment. The
 * server refuses an act on an older version than its own.
 */
import { useLayoutEffect, useState } from 'react';

/** To read a change, and to hold a key back. */
const UNSEEN_MS = 500;

/** The versions of one market or score on a screen. */
export class SeenVersion {
	readonly #clock: () => number;
	#shown: number;
	/** The one that had been seen when `#shown` came. */
	#before: number;
	#shownAt = Number.NEGATIVE_INFINITY;

	constructor(version: number, clock = () => performance.now()) {
		this.#clock = clock;
		this.#shown = version;
		this.#before = version;
	}

	/** The latest version that the trader can have seen. */
	get latest(): number {
		return this.#clock() - this.#shownAt < UNSEEN_MS ? this.#before : this.#shown;
	}

	/** A later version comes to the screen. */
	readonly show = (version: number): void => {
		if (version <= this.#shown) return;
		this.#before = this.latest;
		this.#shown = version;
		this.#shownAt = this.#clock();
	};

	/** An act of the trader's own changed it: that is seen at once, unless others had changed it, too. */
	readonly showOwn = ({ version }: { version: number }): void => {
		if (version !== this.latest + 1) return;
		this.#before = version;
		this.#shown = Math.max(this.#shown, version);
	};
}

/** @param version the one on the screen now */
export function useSeenVersion(version: number): SeenVersion {
	const [seen] = useState(() => new SeenVersion(version));
	useLayoutEffect(() => seen.show(version), [seen, version]);
	return seen;
}
