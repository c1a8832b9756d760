/** Which threads and processes of this machine the operating system runs first. */
import { constants, getPriority, setPriority } from 'node:os';
import { MACHINE } from '#server/platform/machine/machine.ts';

const { PRIORITY_LOW: LAST } = constants.priority;
/** Those that collect garbage and compile. */
const OF_V8 = 'V8Worker';
/** On a busy processor they have a tenth of what the main thread has. */
const STEPS_OF_V8 = 10;

/** Puts a thread or a process that many steps behind where it stands. */
export function putBehind(id: number, steps: number): void {
	try {
		setPriority(id, Math.min(getPriority(id) + steps, LAST));
	} catch {
		// A container may forbid it. The process works as well, and slower.
	}
}

/**
 * V8's own threads go behind the main thread and the database. They work for milliseconds at a time, and no answer depends on
 * them; with the same priority, answers wait for them while they are worked out and again in the database.
 */
export function putMainThreadFirst(): void {
	for (const thread of ownThreads()) putBehind(thread, STEPS_OF_V8);
}

function ownThreads(): number[] {
	try {
		return MACHINE.threadsNamed(OF_V8);
	} catch {
		// A container may hide them.
		return [];
	}
}
