/**
 * Recorded files put together: which events they hold, which markets each event has, and its scores. Files may hold
 * markets, one or many, or scores; scores find their event by its market.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { marketTypeOf, sportOfEventType } from '#server/feeds/betfair/catalogue.ts';
import type { NewMarket } from '#server/feeds/fixture-market.ts';
import { MIRRORED_RULES, mirroredRunner, runnersInOrder } from '#server/feeds/mirrored-market.ts';
import { type RecordedMessage, readRecording } from '#server/feeds/read-recording.ts';
import type { ScoreMessage } from '#server/feeds/score-reader.ts';
import type { MarketChange, MarketMessage, StreamDefinition } from '#server/feeds/stream-market.ts';
import type { SportId } from '#values/sports.ts';

/** In a folder: what packed or plain recordings are called. */
const RECORDING_NAME = /(?:^1\.\d+|\.(?:bz2|gz|jsonl?|ndjson))$/;
/** The market that lists show comes first. */
const MAIN_TYPES = ['MATCH_ODDS', 'WIN'];
/** More runners than this are no title any more. */
const MOST_IN_TITLE = 3;
const DRAW = 'The Draw';

export type Timed = { pt: number } & ({ changes: MarketChange[] } | { score: ScoreMessage });

export interface RecordedMarket {
	/** The stream's. */
	id: string;
	/** As we list it, the wait in-play in recorded seconds. */
	listed: NewMarket;
	/** The stream's numbers of the runners, in that order. */
	runnerIds: number[];
}

export interface RecordedEvent {
	/** Its own among all recordings, and the same at every start. */
	ref: string;
	title: string;
	sportId: SportId;
	/** Recorded time at which it turns in-play, or should have. */
	startsAt: number;
	markets: RecordedMarket[];
	/** In the order they happened. */
	messages: Timed[];
}

export interface RecordedFiles {
	events: RecordedEvent[];
	/** What was left out or is missing, a sentence each. */
	remarks: string[];
}

/** @param paths files and folders @throws Error naming what cannot be read, holds nothing to play, or holds a market twice */
export async function readRecordedFiles(paths: readonly string[]): Promise<RecordedFiles> {
	const files = (await Promise.all(paths.map(filesOf))).flat();
	const remarks: string[] = [];
	const found = new Map<string, FoundMarket>();
	const scores: FoundScores[] = [];
	for (const file of files) {
		const { messages, cutShort } = await readRecording(file);
		if (cutShort) remarks.push(`The recording ${file} is cut short; it is played as far as it goes.`);
		const markets = marketsIn(messages);
		for (const market of markets) {
			const other = found.get(market.id);
			if (other) throw new Error(`The recordings ${other.file} and ${file} both hold the market ${market.id}.`);
			found.set(market.id, { ...market, file });
		}
		const told = messages.filter((message): message is ScoreMessage => message.op === 'ccm');
		if (told.length > 0) scores.push({ file, messages: told });
		if (markets.length === 0 && told.length === 0)
			throw new Error(`The recording ${file} holds no market and no score.`);
	}
	const events = eventsOf([...found.values()], remarks);
	addScores(events, scores);
	if (events.length === 0) throw new Error(`There is no market to play in ${paths.join(', ')}.`);
	for (const { messages } of events) messages.sort((one, other) => one.pt - other.pt);
	return { events, remarks };
}

/** A folder stands for the recordings in it, by their names. */
export async function filesOf(path: string): Promise<string[]> {
	const about = await stat(path).catch((cause: unknown) => {
		throw new Error(`The recording ${path} cannot be read.`, { cause });
	});
	if (!about.isDirectory()) return [path];
	const names = (await readdir(path)).filter((name) => RECORDING_NAME.test(name)).sort();
	if (names.length === 0) throw new Error(`The folder ${path} holds no recordings.`);
	return names.map((name) => join(path, name));
}

interface FoundMarket {
	id: string;
	file: string;
	definitions: StreamDefinition[];
	messages: { pt: number; changes: MarketChange[] }[];
}

interface FoundScores {
	file: string;
	messages: ScoreMessage[];
}

function marketsIn(messages: readonly RecordedMessage[]): Omit<FoundMarket, 'file'>[] {
	const markets = new Map<string, Omit<FoundMarket, 'file'>>();
	for (const message of messages) {
		if (message.op !== 'mcm') continue;
		const { pt, mc } = message as MarketMessage;
		for (const [id, changes] of Map.groupBy(mc ?? [], (change) => change.id)) {
			const market = markets.get(id) ?? { id, definitions: [], messages: [] };
			markets.set(id, market);
			market.messages.push({ pt, changes });
			market.definitions.push(...changes.flatMap(({ marketDefinition }) => marketDefinition ?? []));
		}
	}
	return [...markets.values()];
}

/** Markets of one event that start together are one fixture: a match, or one of the day's races. */
function eventsOf(found: readonly FoundMarket[], remarks: string[]): RecordedEvent[] {
	const known = found.flatMap((market) => {
		const [first] = market.definitions;
		const sportId = sportOfEventType(first?.eventTypeId);
		const kind = marketTypeOf(first?.marketType);
		if (first && sportId !== null && kind) return [{ ...market, first, sportId, kind }];
		const what = first ? `of a kind that is not ours (${first.marketType})` : 'never defined';
		remarks.push(`The market ${market.id} in ${market.file} is left out: it is ${what}.`);
		return [];
	});
	const groups = Map.groupBy(known, ({ id, first }) => `${first.eventId ?? id}@${first.marketTime}`);
	return [...groups].map(([ref, group]) => {
		const [main] = group.sort((one, other) => rankOf(one.first) - rankOf(other.first)) as [(typeof group)[number]];
		const inPlay = group.map(({ messages }) => turnsInPlay(messages)).filter((pt) => pt !== null);
		const taken = new Set<string>();
		return {
			ref,
			title: titleOf(main.first, namesOf(main.definitions)),
			sportId: main.sportId,
			startsAt: inPlay.length > 0 ? Math.min(...inPlay) : Date.parse(main.first.marketTime),
			markets: group.map((market) => recordedMarket(market, market.kind, taken)),
			messages: group.flatMap(({ messages }) => messages),
		};
	});
}

const rankOf = ({ marketType }: StreamDefinition): number => {
	const rank = MAIN_TYPES.indexOf(marketType ?? '');
	return rank < 0 ? MAIN_TYPES.length : rank;
};

const turnsInPlay = (messages: FoundMarket['messages']): number | null =>
	messages.find(({ changes }) => changes.some(({ marketDefinition }) => marketDefinition?.inPlay))?.pt ?? null;

function namesOf(definitions: readonly StreamDefinition[]): Map<number, string> {
	const runners = definitions.flatMap((definition) => definition.runners);
	return new Map(runners.flatMap(({ id, name }) => (name ? [[id, name]] : [])));
}

function recordedMarket(
	{ id, definitions }: FoundMarket,
	kind: { type: string; handicapQuarters?: number },
	taken: Set<string>,
): RecordedMarket {
	const [first, last] = [definitions[0], definitions.at(-1)] as [StreamDefinition, StreamDefinition];
	const { numberOfWinners } = first;
	const usual = { MATCH_ODDS: 'Match Odds', WIN: 'Win', PLACE: `To be placed (${numberOfWinners} places)` }[kind.type];
	const wanted = usual ?? first.name ?? kind.type.toLowerCase().replaceAll('_', ' ');
	const name = taken.has(wanted) ? `${wanted} (${id})` : wanted;
	taken.add(name);
	const names = namesOf(definitions);
	// Runners may be added late; the last definition knows all of them.
	const runnerIds = runnersInOrder(last).map((runner) => runner.id);
	return {
		id,
		runnerIds,
		listed: {
			name,
			...kind,
			...(kind.type === 'PLACE' ? { places: numberOfWinners } : {}),
			runners: runnerIds.map((runner) => {
				const known = names.get(runner);
				return mirroredRunner(id, runner, known === undefined ? undefined : { name: known });
			}),
			betDelaySeconds: last.betDelay,
			rules: MIRRORED_RULES,
		},
	};
}

function titleOf(definition: StreamDefinition, names: ReadonlyMap<number, string>): string {
	const runners = runnersInOrder(definition);
	if (runners.length <= MOST_IN_TITLE) {
		return runners
			.map(({ id }) => names.get(id) ?? `Runner ${id}`)
			.filter((name) => name !== DRAW)
			.join(' v ');
	}
	const { eventName, venue, name, timezone, marketTime } = definition;
	const time = new Intl.DateTimeFormat('en-IN', {
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
		timeZone: timezone ?? 'UTC',
	}).format(Date.parse(marketTime));
	return [eventName ?? venue ?? 'Race', `${time}${name ? ` ${name}` : ''}`].join(', ');
}

/**
 * Gives scores to their events, and the names that only the scores know to the runners. A recorded score stream speaks
 * of other matches, too; one that speaks of no other than those is a mistake.
 */
function addScores(events: readonly RecordedEvent[], scores: readonly FoundScores[]): void {
	for (const { file, messages } of scores) {
		let used = false;
		for (const message of messages) {
			for (const [marketId, parts] of Map.groupBy(message.cc ?? [], (part) => part.marketId)) {
				const event = events.find(({ markets }) => markets.some(({ id }) => id === marketId));
				if (!event) continue;
				used = true;
				event.messages.push({ pt: message.pt, score: { ...message, cc: parts } });
				const teams = parts.flatMap(({ homeTeam, awayTeam }) => [homeTeam ?? {}, awayTeam ?? {}]);
				for (const team of teams) nameRunner(event, team);
			}
		}
		if (!used) throw new Error(`The recording ${file} holds scores of no market that is among the recordings.`);
	}
}

function nameRunner(event: RecordedEvent, { name, selectionId }: { name?: string; selectionId?: number }): void {
	if (!name || selectionId === undefined) return;
	const unnamed = `Runner ${selectionId}`;
	event.title = event.title.replace(unnamed, name);
	for (const { listed } of event.markets) {
		for (const runner of listed.runners) if (runner.name === unnamed) runner.name = name;
	}
}
