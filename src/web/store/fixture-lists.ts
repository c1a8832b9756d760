/**
 * Lists of fixtures: requested once, and again by their tag, to which an unchanged list answers without a body. Changes
 * in between come as `EventUpdate` (`live/fixture-updates.ts`).
 */

import { call, type Tagged } from '#web/api/client.ts';
import type { AnswerOf, RequestOf } from '#web/api/units.ts';
import { channels } from '#web/store/channels.ts';

type ListCall = 'treeSportWithEvent' | 'getBySportName' | 'closest';

const held = new Map<string, Tagged<unknown>>();

/** The version of the fixtures in each list, by its query's key as JSON. */
export const listVersions = new Map<string, number>();

/** @param queryKey of the list; for a paged one, the oldest page counts */
export async function askList<Name extends ListCall>(
	queryKey: readonly unknown[],
	name: Name,
	input: RequestOf<Name>,
	{ signal, isFirst = true }: { signal: AbortSignal; isFirst?: boolean },
): Promise<AnswerOf<Name>> {
	const request = JSON.stringify([name, input]);
	const tagged = held.get(request) ?? { tag: null, answer: null };
	held.set(request, tagged);
	const answer = await call(name, input, { signal, tagged: tagged as Tagged<AnswerOf<Name>> });
	const version = Number(/^W\/"(\d+)\./.exec(tagged.tag ?? '')?.[1] ?? 0);
	const list = JSON.stringify(queryKey);
	listVersions.set(list, isFirst ? version : Math.min(version, listVersions.get(list) ?? version));
	return answer;
}

/** While the hub guarantees that every change arrives, a poll only repairs unforeseen gaps. */
const POLL_LIVE_MS = 300_000;
const POLL_MS = 15_000;
export const listPollMs = (): number => (channels.isLive('sports') ? POLL_LIVE_MS : POLL_MS);

/** A list that is shown again is not requested again while it is kept up to date. */
export const listStaleMs = (): number => (channels.isLive('sports') ? Number.POSITIVE_INFINITY : POLL_MS);
