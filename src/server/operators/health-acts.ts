/** The health of this process, and the drills that operators note. */
import type { ActsOf } from '#server/operators/act.ts';

export const HEALTH_ACTS: ActsOf<'doctor' | 'note-drill'> = {
	doctor: async ({ comparesFiles }, { health }) => await health.checks(comparesFiles),
	// The row of the journal is the note.
	'note-drill': () => null,
};
