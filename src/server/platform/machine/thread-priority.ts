/** Which threads of the process the operating system runs first. */
import { setPriority } from 'node:os';
import { MACHINE } from '#server/platform/machine/machine.ts';

/** Those that collect garbage and compile. */
const OF_V8 = 'V8Worker';
/** Of -20 to 19; beside a thread of 0, one of 10 has a tenth of a busy processor. */
const BEHIND_OTHERS = 10;

/**
 * V8's own threads go behind the main thread and the database. They work for milliseconds at a time, and no answer depends on
 * them; with the same priority, answers wait for them while they are worked out and again in the database.
 */
export function putMainThreadFirst(): void {
	try {
		for (const thread of MACHINE.threadsNamed(OF_V8)) setPriority(thread, BEHIND_OTHERS);
	} catch {
		// A container may forbid it, or hide its threads. The process works as well, and slower.
	}
}
