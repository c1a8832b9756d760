/** Finds a match of the simulated sports on a running server. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';

const POLL_MS = 250;

/** The id of a fixture of that sport in play; one is always in play or about to begin. */
export async function matchInPlay(port: number, sport: string): Promise<string> {
	for (;;) {
		const answer = await fetch(`http://localhost:${port}/Event/TreeSportWithEvent`);
		const { result } = (await answer.json()) as { result: ResultOf<Calls['treeSportWithEvent']> };
		const found = result.find(({ name }) => name === sport)?.events.find(({ status }) => status === 'IN_PLAY');
		if (found) return found.id;
		await delay(POLL_MS);
	}
}
