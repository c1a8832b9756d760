/**
 * Validation of a stream's messages. A stream has more fields than we use and may add others, so only the used ones are
 * checked.
 */
import * as v from 'valibot';

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** Milliseconds since 1970. */
const Time = v.pipe(v.number(), v.safeInteger());
const Amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const Levels = v.nullish(v.array(v.looseTuple([Amount, Amount, Amount])));
const Prices = v.nullish(v.array(v.looseTuple([Amount, Amount])));

const RunnerChange = v.looseObject({
	id: v.pipe(v.number(), v.safeInteger()),
	hc: v.nullish(v.number()),
	atb: Prices,
	atl: Prices,
	batb: Levels,
	batl: Levels,
	ltp: v.nullish(v.number()),
});

const Definition = v.looseObject({
	status: v.picklist(['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED']),
	inPlay: v.boolean(),
	betDelay: v.pipe(v.number(), v.minValue(0)),
	numberOfWinners: v.pipe(v.number(), v.safeInteger()),
	marketTime: v.pipe(v.string(), v.check(isTime, 'is no time')),
	marketType: v.nullish(v.string()),
	eventId: v.nullish(v.string()),
	eventTypeId: v.nullish(v.string()),
	eventName: v.nullish(v.string()),
	name: v.nullish(v.string()),
	venue: v.nullish(v.string()),
	runners: v.array(
		v.looseObject({
			id: v.pipe(v.number(), v.safeInteger()),
			hc: v.nullish(v.number()),
			status: v.string(),
			sortPriority: v.number(),
			adjustmentFactor: v.nullish(v.number()),
			name: v.nullish(v.string()),
		}),
	),
});

const Change = v.looseObject({
	id: v.string(),
	img: v.nullish(v.boolean()),
	marketDefinition: v.nullish(Definition),
	rc: v.nullish(v.array(RunnerChange)),
});

const Team = v.nullish(v.looseObject({ name: v.nullish(v.string()), selectionId: v.nullish(v.number()) }));

const Innings = v.looseObject({
	inningsNum: v.number(),
	battingTeam: v.nullish(v.string()),
	inningsRuns: v.number(),
	inningsOvers: v.string(),
	inningsWickets: v.number(),
});

const Incident = v.looseObject({
	incidentType: v.string(),
	value: v.nullish(v.string()),
	innings: v.nullish(v.number()),
	overs: v.nullish(v.string()),
	actualTime: v.number(),
});

const Figures = v.nullish(v.record(v.string(), v.union([v.string(), v.number()])));

const Score = v.looseObject({
	marketId: v.nullish(v.string()),
	homeTeam: Team,
	awayTeam: Team,
	fixtureInfo: v.nullish(
		v.looseObject({
			fixtureStatus: v.nullish(v.string()),
			eventStatus: v.nullish(v.string()),
			maxOvers: v.nullish(v.number()),
		}),
	),
	matchStats: v.nullish(
		v.looseObject({
			currentInnings: v.nullish(v.number()),
			tossResult: v.nullish(v.string()),
			inningsStats: v.nullish(v.array(Innings)),
			battingTeamStats: Figures,
			bowlingTeamStats: Figures,
		}),
	),
	incidentListWrapper: v.nullish(v.looseObject({ incidentList: v.nullish(v.array(Incident)) })),
});

const MarketMessage = v.looseObject({ pt: Time, mc: v.nullish(v.array(Change)) });
const ScoreMessage = v.looseObject({ pt: Time, cc: v.nullish(v.array(Score)) });

/** The first invalid field as the end of a sentence, such as "mc.0.rc.1.id is missing"; null for a valid message. */
function faultIn(schema: v.GenericSchema, value: unknown): string | null {
	const read = v.safeParse(schema, value, { abortEarly: true });
	if (read.success) return null;
	const [issue] = read.issues;
	const where = v.getDotPath(issue) ?? 'it';
	if (issue.kind === 'validation') return `${where} cannot be ${issue.received}`;
	return issue.received === 'undefined' ? `${where} is missing` : `${where} cannot be ${issue.received}`;
}

/** The fault of one market's change. */
export const faultOfChange = (change: unknown): string | null => faultIn(Change, change);

/** The fault of a message of markets or scores; other messages are not about play and are not read. */
export function faultOfMessage(message: { op: string }): string | null {
	if (message.op === 'mcm') return faultIn(MarketMessage, message);
	return message.op === 'ccm' ? faultIn(ScoreMessage, message) : null;
}
