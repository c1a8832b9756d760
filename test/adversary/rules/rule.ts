/** What must hold after each step, whatever was done. */
import type { Account } from '../account.ts';
import type { World } from '../world.ts';

export interface Broken {
	/** The rule, in words. */
	rule: string;
	/** What was seen. */
	why: string;
}

export interface Rule {
	/** Looks at what the step did. Reading costs time, so each rule reads only what the step can have changed. */
	check: (world: World) => Promise<Broken[]> | Broken[];
}

/** The accounts that acted in the step, or that something was done to. */
export function touched(world: World): Account[] {
	if (world.touchesAll) return world.accounts.filter(({ userId }) => userId !== 0);
	const found = world.happened.flatMap((one) =>
		'account' in one ? [one.account] : 'order' in one ? [one.order.account] : [],
	);
	return [...new Set(found)].filter(({ userId }) => userId !== 0);
}

/**
 * An amount that is too large is reported once, and again when it has grown.
 * @param excess minor units
 */
export function grown(world: World, subject: string, excess: number): boolean {
	const before = world.reported.get(subject) ?? 0;
	if (excess <= before) return false;
	world.reported.set(subject, excess);
	return true;
}

/** For messages, which name the account and so its currency. */
export const inMajor = (minor: number): string => String(minor / 100);
