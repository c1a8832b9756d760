/** The results of a search in the lists that the site already has; nothing is requested from the server. */

import type { PricedEvent, SportTree } from '#web/api/answers.ts';

export interface Found {
	kind: 'event' | 'competition' | 'runner';
	/** Of the list of results; unique in it. */
	key: string;
	/** What matched, as it is written. */
	name: string;
	sportId: number;
	/** The match of the result; null for a competition, which links to its sport's list. */
	eventId: string | null;
	/** The match of a runner, or the competition of a match. */
	within: string;
	inPlay: boolean;
	/** Of a competition. */
	matches: number;
}

export const LEAST_LETTERS = 2;
const MOST = 24;
const KIND_RANK = { event: 0, runner: 1, competition: 2 } as const;

/** Lower case without accents, so that "sao" finds "São". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** 0 where the name begins with the text, 1 where a word of it does, 2 where it is inside a word; null otherwise. */
function closeness(name: string, text: string): number | null {
	const at = plain(name).indexOf(text);
	if (at < 0) return null;
	if (at === 0) return 0;
	return plain(name)
		.split(/[\s.,&/-]+/)
		.some((word) => word.startsWith(text))
		? 1
		: 2;
}

type Event = SportTree[number]['events'][number];

function candidates(tree: SportTree, priced: readonly PricedEvent[]): Found[] {
	const events = tree.flatMap((sport) => sport.events);
	const ofEvent = (event: Event) => ({
		sportId: event.sportId,
		eventId: event.id,
		inPlay: event.status === 'IN_PLAY',
		matches: 1,
	});
	const competitions = new Map<string, Found>();
	for (const { competition, sportId } of events) {
		const key = `competition ${sportId} ${competition}`;
		const matches = (competitions.get(key)?.matches ?? 0) + 1;
		competitions.set(key, {
			kind: 'competition',
			key,
			name: competition,
			sportId,
			eventId: null,
			within: '',
			inPlay: false,
			matches,
		});
	}
	const listed = new Set(events.map(({ id }) => id));
	return [
		...events.map((event) => ({
			kind: 'event' as const,
			key: `event ${event.id}`,
			name: event.title,
			within: event.competition,
			...ofEvent(event),
		})),
		...priced
			.filter(({ id }) => listed.has(id))
			.flatMap((event) =>
				(event.mainMarket?.runners ?? []).map((runner) => ({
					kind: 'runner' as const,
					key: `runner ${event.id} ${runner.runnerId}`,
					name: runner.name,
					within: event.title,
					...ofEvent(event),
				})),
			),
		...competitions.values(),
	];
}

/** The best matches first: a name that begins with the text, then what is in play, then matches before their runners. */
export function findEvents(tree: SportTree, priced: readonly PricedEvent[], typed: string): Found[] {
	const text = plain(typed);
	if (text.length < LEAST_LETTERS) return [];
	const scored = candidates(tree, priced).flatMap((found) => {
		const close = closeness(found.name, text);
		return close === null ? [] : [{ found, score: close * 8 + (found.inPlay ? 0 : 4) + KIND_RANK[found.kind] }];
	});
	scored.sort((one, other) => one.score - other.score || (one.found.name < other.found.name ? -1 : 1));
	return scored.slice(0, MOST).map(({ found }) => found);
}
