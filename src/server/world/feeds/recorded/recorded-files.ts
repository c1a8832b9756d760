/**
 * Joins recorded files into events with their markets and scores. A file holds one market, many markets, or scores; scores
 * name their event by one of its markets.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { marketTypeOf, sportOfEventType } from '#server/world/feeds/betfair/catalogue.ts';
import {
	DRAW,
	MIRRORED_RULES,
	mirroredDelay,
	mirroredRunners,
	unlistable,
	unnamed,
} from '#server/world/feeds/betfair/mirrored-market.ts';
import {
	type MarketChange,
	type MarketMessage,
	type RunnerKey,
	runnerKey,
	type StreamDefinition,
} from '#server/world/feeds/betfair/stream-market.ts';
import { type RecordedMessage, type Recording, readRecording } from '#server/world/feeds/recorded/read-recording.ts';
import type { ScoreMessage } from '#server/world/feeds/recorded/score-reader.ts';
import type { NewMarket } from '#server/world/markets/open-market.ts';
import { timeInIndia } from '#sports/racing/race-time.ts';
import { HORSE_RACING, type SportId } from '#values/sports.ts';

/** Names of recordings in a folder, packed or plain. */
const RECORDING_NAME = /(?:^1\.\d+|\.(?:bz2|gz|jsonl?|ndjson))$/;
/** Types of a fixture's main market, which comes first. */
const MAIN_TYPES = ['MATCH_ODDS', 'WIN'];
/** With more runners than this the title does not name them. */
const MOST_IN_TITLE = 3;

export type Timed = { pt: number } & ({ changes: MarketChange[] } | { score: ScoreMessage });

export interface RecordedMarket {
	/** The stream's. */
	id: string;
	/** The market as listed here, its bet delay in recorded seconds. */
	listed: NewMarket;
}

export interface RecordedEvent {
	/** Unique among all recordings, and the same at every start. */
	ref: string;
	title: string;
	sportId: SportId;
	/** Recorded time of its turn in-play; without one, its announced start. */
	startsAt: number;
	markets: RecordedMarket[];
	/** In order of time. */
	messages: Timed[];
}

interface RecordedFiles {
	events: RecordedEvent[];
	/** Missing or omitted parts, a sentence each. */
	remarks: string[];
}

/**
 * A recording that cannot be used is named in a remark and left out; the others play.
 * @param paths files and folders
 * @throws Error naming the fault of each file, if none has a market to play
 */
export async function readRecordedFiles(paths: readonly string[]): Promise<RecordedFiles> {
	const remarks: string[] = [];
	const faults: string[] = [];
	const leaveOut: LeaveOut = (fault) => {
		faults.push(fault);
		remarks.push(`${fault} It is left out.`);
	};
	const found = new Map<string, FoundMarket>();
	const scores: FoundScores[] = [];
	for (const file of await filesIn(paths, leaveOut)) {
		try {
			const { markets, ...rest } = await contentsOf(file, remarks);
			for (const market of markets) {
				const other = found.get(market.id);
				if (other)
					remarks.push(
						`The recordings ${other.file} and ${file} both hold the market ${market.id}; the first is played.`,
					);
				else found.set(market.id, { ...market, file });
			}
			if (rest.scores.length > 0) scores.push({ file, messages: rest.scores });
		} catch (error) {
			leaveOut((error as Error).message);
		}
	}
	const events = eventsOf([...found.values()], remarks);
	addScores(events, scores, leaveOut);
	if (events.length === 0) throw new Error(faults.join(' ') || `There is no market to play in ${paths.join(', ')}.`);
	for (const { messages } of events) messages.sort((one, other) => one.pt - other.pt);
	return { events, remarks };
}

type LeaveOut = (fault: string) => void;

/** The files that the paths name. */
async function filesIn(paths: readonly string[], leaveOut: LeaveOut): Promise<string[]> {
	const found = await Promise.allSettled(paths.map(filesOf));
	return found.flatMap((outcome) => {
		if (outcome.status === 'fulfilled') return outcome.value;
		leaveOut((outcome.reason as Error).message);
		return [];
	});
}

/** @throws Error naming the file that cannot be read or holds nothing to play */
async function contentsOf(
	file: string,
	remarks: string[],
): Promise<{ markets: Omit<FoundMarket, 'file'>[]; scores: ScoreMessage[] }> {
	const { messages, cutShort, outOfOrder } = await readRecording(file);
	const markets = marketsIn(messages);
	const scores = messages.filter((message): message is ScoreMessage => message.op === 'ccm');
	if (markets.length === 0 && scores.length === 0)
		throw new Error(`The recording ${file} holds no market and no score.`);
	if (cutShort) remarks.push(`The recording ${file} is cut short; it is played as far as it goes.`);
	if (outOfOrder) remarks.push(orderRemark(file, outOfOrder));
	return { markets, scores };
}

const orderRemark = (file: string, { line, lines }: NonNullable<Recording['outOfOrder']>): string =>
	`The recording ${file} is out of order: line ${line} is earlier than a line before it${lines > 1 ? `, and so are ${lines - 1} more` : ''}; ` +
	'it is played in the order of time.';

/** Expands a folder into the recordings in it, sorted by name. */
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

/** A market that can be played. */
interface KnownMarket extends FoundMarket {
	first: StreamDefinition;
	sportId: SportId;
	kind: { type: string; handicapQuarters?: number };
	runners: StreamDefinition['runners'];
}

/** Groups markets into fixtures: markets of one event that start together, which is a match or one race of a day. */
function eventsOf(found: readonly FoundMarket[], remarks: string[]): RecordedEvent[] {
	const known = found.flatMap((market) => {
		const [first] = market.definitions;
		const sportId = sportOfEventType(first?.eventTypeId);
		const kind = marketTypeOf(first?.marketType);
		const runners = runnersOf(market.definitions);
		const reason = !first
			? 'it is never defined'
			: sportId === null || !kind
				? `it is of a kind that is not ours (${first.marketType})`
				: unlistable(kind.type, first, runners.length);
		if (first && sportId !== null && kind && reason === null) return [{ ...market, first, sportId, kind, runners }];
		remarks.push(`The market ${market.id} in ${market.file} is left out: ${reason}.`);
		return [];
	});
	const groups = Map.groupBy(known, ({ id, first }) => `${first.eventId ?? id}@${first.marketTime}`);
	return [...groups].map(([ref, group]) => {
		const [main] = group.sort((one, other) => rankOf(one.first) - rankOf(other.first)) as [(typeof group)[number]];
		const inPlay = group.map(({ messages }) => turnsInPlay(messages)).filter((pt) => pt !== null);
		const taken = new Set<string>();
		return {
			ref,
			title: titleOf(main),
			sportId: main.sportId,
			startsAt: inPlay.length > 0 ? Math.min(...inPlay) : Date.parse(main.first.marketTime),
			markets: group.map((market) => recordedMarket(market, taken)),
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

/**
 * Runners of all definitions, each as its last definition has it. Runners may be added late, and the definition that closes
 * a market may lack most of them.
 */
function runnersOf(definitions: readonly StreamDefinition[]): StreamDefinition['runners'] {
	const runners = new Map<RunnerKey, StreamDefinition['runners'][number]>();
	for (const runner of definitions.flatMap((definition) => definition.runners)) {
		const key = runnerKey(runner);
		const name = runner.name || runners.get(key)?.name;
		runners.set(key, { ...runner, ...(name ? { name } : {}) });
	}
	return [...runners.values()];
}

function recordedMarket({ id, definitions, first, kind, runners }: KnownMarket, taken: Set<string>): RecordedMarket {
	const { numberOfWinners } = first;
	const usual = { MATCH_ODDS: 'Match Odds', WIN: 'Win', PLACE: `To be placed (${numberOfWinners} places)` }[kind.type];
	const wanted = usual ?? first.name ?? kind.type.toLowerCase().replaceAll('_', ' ');
	const name = taken.has(wanted) ? `${wanted} (${id})` : wanted;
	taken.add(name);
	return {
		id,
		listed: {
			name,
			...kind,
			...(kind.type === 'PLACE' ? { places: numberOfWinners } : {}),
			runners: mirroredRunners(id, kind.type, runners, (runner) => (runner.name ? { name: runner.name } : undefined)),
			betDelaySeconds: mirroredDelay(definitions.at(-1)),
			rules: MIRRORED_RULES,
		},
	};
}

const BETWEEN_SIDES = ' v ';
const titleOfSides = (sides: readonly string[]): string => sides.join(BETWEEN_SIDES);

/**
 * The event's name. Races of a day share one, so the time is added, as everywhere where the players are; a match without
 * a name is titled by its sides.
 */
function titleOf({ first, definitions, runners, sportId }: KnownMarket): string {
	const { venue, name, marketTime } = first;
	const eventName = definitions.find((definition) => definition.eventName)?.eventName;
	const isRace = sportId === HORSE_RACING;
	if (eventName && !isRace) return eventName;
	if (runners.length <= MOST_IN_TITLE && !isRace) {
		const sides = runners
			.toSorted((one, other) => one.sortPriority - other.sortPriority)
			.map((runner) => runner.name || unnamed(runner.id))
			.filter((side) => side !== DRAW);
		return titleOfSides(sides);
	}
	const time = timeInIndia(Date.parse(marketTime));
	return [eventName || venue || 'Race', `${time}${name ? ` ${name}` : ''}`].join(', ');
}

/**
 * Adds scores to their events, and names to runners that only the scores name. A recorded score stream also covers other
 * matches; one that covers no event of these recordings is left out.
 */
function addScores(events: readonly RecordedEvent[], scores: readonly FoundScores[], leaveOut: LeaveOut): void {
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
		if (!used) leaveOut(`The recording ${file} holds scores of no market that is among the recordings.`);
	}
}

function nameRunner(event: RecordedEvent, { name, selectionId }: { name?: string; selectionId?: number }): void {
	if (!name || selectionId === undefined) return;
	const number = unnamed(selectionId);
	event.title = titleOfSides(event.title.split(BETWEEN_SIDES).map((side) => (side === number ? name : side)));
	for (const { listed } of event.markets) {
		for (const runner of listed.runners) if (runner.name === number) runner.name = name;
	}
}
