/**
 * Changes of fixtures in the lists that are held: each `EventUpdate` is one version further, and changes one row. A list
 * that misses a version is asked for again.
 */

import type { Query, QueryKey } from '@tanstack/react-query';
import type { HubMessages } from '#contract/hub-messages.ts';
import { ZERO } from '#values/money.ts';
import type { EventSummary, PricedEvent, SportTree } from '#web/api/answers.ts';
import type { Inside } from '#web/api/units.ts';
import { activeSports } from '#web/store/active-sports.ts';
import { listVersions } from '#web/store/fixture-lists.ts';
import { queryClient } from '#web/store/query-client.ts';

type FixtureUpdate = Inside<HubMessages['EventUpdate']>;
type Row = FixtureUpdate['row'];

const RANK: Record<EventSummary['status'], number> = { IN_PLAY: 0, UPCOMING: 1, FINISHED: 2, ABANDONED: 3 };
const hasEnded = ({ status }: Pick<EventSummary, 'status'>): boolean => RANK[status] >= 2;
/** How many ended fixtures of a sport a list keeps, as the server does. */
const KEPT_FINISHED = 3;

/** As the server orders: in play first, then by start; ended ones last, newest first. */
function inListOrder(one: EventSummary, other: EventSummary): number {
	const rank = RANK[one.status] - RANK[other.status];
	if (rank !== 0) return rank;
	const later = Date.parse(one.matchDate) - Date.parse(other.matchDate);
	return (hasEnded(one) ? -later : later) || Number(one.id) - Number(other.id);
}

/** A row has all fields where they decide which lists it is in, and where; a list that has not the fixture can take no other. */
const isWhole = (row: Row): boolean => row.id !== undefined;

/** Without the main market, which only some lists have. */
function changed<Event extends EventSummary>(event: Event, row: Row): Event {
	const fields: Row = { ...row };
	delete fields.mainMarket;
	const now = { ...event, ...fields };
	// An event without a score has no such field.
	if (now.score === null) delete now.score;
	return now as Event;
}

/** Without prices, which the market's channel brings. */
function outlined(event: PricedEvent, { mainMarket }: Row): PricedEvent {
	const held = event.mainMarket ?? null;
	if (!mainMarket || held?.marketId === mainMarket.marketId) return { ...event, mainMarket: held };
	const runners = mainMarket.runners.map((runner) => ({ ...runner, back: null, lay: null }));
	const closed = { status: 'INACTIVE' as const, inPlay: false, totalMatched: ZERO };
	return { ...event, mainMarket: { ...mainMarket, ...closed, runners } };
}

/** The events with the row changed or added; the same array when it is none of theirs. */
function withRow<Event extends EventSummary>(
	events: readonly Event[],
	{ eventId, row, gone }: FixtureUpdate,
	make: (event: Event) => Event,
): Event[] {
	const held = events.find(({ id }) => id === eventId);
	if (gone && held) return events.filter((event) => event !== held);
	if (!held && !isWhole(row)) return events as Event[];
	const now = make(changed(held ?? ({} as Event), row));
	return [...events.filter((event) => event !== held), now].sort(inListOrder);
}

/** The sport's ended fixtures beyond those that are kept leave. */
function withoutOld<Event extends EventSummary>(events: readonly Event[]): Event[] {
	const ended = new Map<number, number>();
	return events.filter((event) => {
		if (!hasEnded(event)) return true;
		const before = ended.get(event.sportId) ?? 0;
		ended.set(event.sportId, before + 1);
		return before < KEPT_FINISHED;
	});
}

const patchTree = (tree: SportTree, update: FixtureUpdate, sportId: number): SportTree =>
	tree.map((sport) =>
		sport.id === sportId ? { ...sport, events: withoutOld(withRow(sport.events, update, (event) => event)) } : sport,
	);

const patchSport = (events: PricedEvent[], update: FixtureUpdate): PricedEvent[] =>
	withoutOld(withRow(events, update, (event) => outlined(event, update.row)));

/**
 * What is in play or to come.
 * @param perSport the most of each sport
 * @returns null when one leaves its place in a list that is so limited: the one that takes it is not known here
 */
function patchClosest(events: PricedEvent[], update: FixtureUpdate, perSport?: number): PricedEvent[] | null {
	const now = withRow(events, update, (event) => outlined(event, update.row)).filter((event) => !hasEnded(event));
	if (perSport === undefined) return now;
	const before = events.find(({ id }) => id === update.eventId);
	const after = now.find(({ id }) => id === update.eventId);
	const begins = before?.status === 'UPCOMING' && after?.status === 'IN_PLAY';
	if (before && isWhole(update.row) && !begins) return null;
	const counts = new Map<number, number>();
	return now.filter(({ sportId }) => {
		const count = counts.get(sportId) ?? 0;
		counts.set(sportId, count + 1);
		return count < perSport;
	});
}

/** Those that a list may still miss, which was asked for before they came; each follows the one before. */
let recent: FixtureUpdate[] = [];
const MOST_RECENT = 200;
/** Sport of each fixture that an update named. */
const sportOf = new Map<string, number>();

/** The list with the change; null when it has to be asked for again. */
function patched(queryKey: QueryKey, held: object, update: FixtureUpdate): object | null {
	const [list, which] = queryKey;
	const sportId = sportIdOf(update);
	const sport = activeSports().find(({ id }) => id === sportId);
	// A sport that is closed to the player is in no list; of a fixture that is in none, nothing changes.
	if (sportId === null || !sport) return held;
	if (list === 'sport-tree') return patchTree(held as SportTree, update, sportId);
	if (list === 'closest') return patchClosest(held as PricedEvent[], update, which as number | undefined);
	return sport.name === which ? patchSport(held as PricedEvent[], update) : held;
}

function sportIdOf({ eventId, row }: FixtureUpdate): number | null {
	if (row.sportId !== undefined) sportOf.set(eventId, row.sportId);
	const known = sportOf.get(eventId);
	if (known !== undefined) return known;
	for (const [, held] of queryClient.getQueriesData<SportTree>({ queryKey: ['sport-tree'] })) {
		const sport = held?.find(({ events }) => events.some(({ id }) => id === eventId));
		if (sport) return sport.id;
	}
	for (const list of ['sport-events', 'closest']) {
		for (const [, held] of queryClient.getQueriesData<PricedEvent[]>({ queryKey: [list] })) {
			const event = held?.find(({ id }) => id === eventId);
			if (event) return event.sportId;
		}
	}
	return null;
}

const LISTS: ReadonlySet<unknown> = new Set(['sport-tree', 'sport-events', 'closest']);
const isList = ({ queryKey }: Query): boolean => LISTS.has(queryKey[0]);

const isLoaded = (held: unknown): held is object => typeof held === 'object' && held !== null;

/** Brings a list as far as the updates reach, or asks for it again. */
function advance({ queryKey, queryHash, state: { data: held } }: Query, updates: readonly FixtureUpdate[]): void {
	const from = listVersions.get(queryHash);
	if (!isLoaded(held) || from === undefined) return;
	let version = from;
	let now: object = held;
	for (const update of updates) {
		if (update.version <= version) continue;
		const next: object | null = update.version === version + 1 ? patched(queryKey, now, update) : null;
		if (next === null) {
			void queryClient.invalidateQueries({ queryKey, exact: true });
			return;
		}
		version = update.version;
		now = next;
	}
	listVersions.set(queryHash, version);
	if (now !== held) queryClient.setQueryData(queryKey, now);
}

export function receiveFixtureUpdate(update: FixtureUpdate): void {
	const last = recent.at(-1);
	if (last && update.version <= last.version) return;
	recent = last && update.version !== last.version + 1 ? [update] : [...recent.slice(-MOST_RECENT), update];
	for (const query of queryClient.getQueryCache().findAll({ predicate: isList })) advance(query, [update]);
}

/** Answers that come may be older than updates that came before them; returns the function that ends it. */
export const watchLists = (): (() => void) =>
	queryClient.getQueryCache().subscribe((event) => {
		if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
		if (isList(event.query)) advance(event.query, recent);
	});
