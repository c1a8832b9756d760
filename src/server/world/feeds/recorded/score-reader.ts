/** Reads the recorded score stream (`ccm`). Each message holds a part; the card joins the parts read so far. */
import type { CricketCard } from '#server/world/fixtures/fixtures.ts';
import type { FixtureId } from '#values/ids.ts';

interface InningsStats {
	inningsNum: number;
	battingTeam?: string;
	inningsRuns: number;
	inningsOvers: string;
	inningsWickets: number;
}

interface MatchStats {
	currentInnings?: number;
	tossResult?: string;
	inningsStats?: InningsStats[];
	battingTeamStats?: Record<string, string | number>;
	bowlingTeamStats?: Record<string, string | number>;
}

interface Incident {
	incidentType: string;
	value?: string;
	innings?: number;
	overs?: string;
	actualTime: number;
}

export interface ScoreMessage {
	op: 'ccm';
	pt: number;
	cc?: {
		eventId?: string;
		/** The match odds of the event. */
		marketId?: string;
		/** The runner of the market that is this team. */
		homeTeam?: { name?: string; selectionId?: number };
		awayTeam?: { name?: string; selectionId?: number };
		fixtureInfo?: {
			fixtureStatus?: string;
			eventStatus?: string;
			maxOvers?: number;
			homeTeam?: string;
			awayTeam?: string;
			eventDescription?: string;
		};
		matchStats?: MatchStats;
		incidentListWrapper?: { incidentList?: Incident[] };
	}[];
}

/** Number of balls on the strip. */
const STRIP = 8;

const NOTES: Record<string, string> = {
	BALL_IN_PROGRESS: 'Ball in progress',
	UMPIRE_REVIEW: 'Umpire review',
	POSSIBLE_WICKET: 'Possible wicket',
	RUNS_LIKELY: 'Runs likely',
	MATCH_COMPLETE: 'Match complete',
	EVENT_CLOSED: 'Match complete',
};

export class ScoreReader {
	#version = 0;
	#info: NonNullable<NonNullable<ScoreMessage['cc']>[number]['fixtureInfo']> = {};
	#stats: MatchStats = {};
	readonly #balls = new Map<string, { label: string; runs: number; wicket: boolean; over: string; at: number }>();

	/** Applies a message. */
	apply(message: ScoreMessage): void {
		for (const part of message.cc ?? []) {
			if (part.fixtureInfo) this.#info = { ...this.#info, ...part.fixtureInfo };
			if (part.matchStats) this.#stats = { ...this.#stats, ...part.matchStats };
			for (const incident of part.incidentListWrapper?.incidentList ?? []) this.#addBall(incident);
		}
	}

	#addBall({ incidentType, value = '0', innings = this.#innings, overs = '', actualTime }: Incident): void {
		const runs = /^\d+$/.test(value) ? Number(value) : 0;
		const labels: Record<string, string> = {
			STRIKE: runs === 0 ? '•' : String(runs),
			OUT: 'W',
			WIDE: 'wd',
			NO_BALL: 'nb',
			BYE: `${runs}b`,
			LEG_BYE: `${runs}lb`,
		};
		const label = labels[incidentType];
		if (!label) return;
		this.#balls.set(`${innings}.${actualTime}`, {
			label,
			runs,
			wicket: incidentType === 'OUT',
			over: overs,
			at: actualTime,
		});
	}

	get #innings(): number {
		return this.#stats.currentInnings ?? 1;
	}

	get finished(): boolean {
		return this.#info.fixtureStatus === 'FINISHED';
	}

	/** The current card; each call raises its version. */
	card(fixtureId: FixtureId): CricketCard {
		const innings = (this.#stats.inningsStats ?? []).filter(({ battingTeam }) => battingTeam !== undefined);
		return {
			sport: 'cricket',
			eventId: String(fixtureId),
			version: ++this.#version,
			state: this.#state(innings),
			note: this.#note(),
			maxOvers: this.#info.maxOvers ?? 20,
			currentInnings: this.#innings,
			innings: innings.map(({ battingTeam, inningsRuns, inningsWickets, inningsOvers }, at) => ({
				team: battingTeam ?? '',
				runs: inningsRuns,
				wickets: inningsWickets,
				overs: inningsOvers,
				target: at === 1 ? (innings[0]?.inningsRuns ?? 0) + 1 : null,
			})),
			batters: [1, 2].flatMap((at) => this.#batter(at)),
			bowler: this.#bowler(),
			recentBalls: [...this.#balls.values()]
				.sort((one, other) => one.at - other.at)
				.slice(-STRIP)
				.map(({ label, runs, wicket, over }) => ({ label, runs, wicket, over })),
		};
	}

	/** The score in a few words, for lists. */
	line(): string {
		const current = (this.#stats.inningsStats ?? []).find(({ inningsNum }) => inningsNum === this.#innings);
		if (!current?.battingTeam) return '';
		return `${current.battingTeam} ${current.inningsRuns}/${current.inningsWickets} (${current.inningsOvers})`;
	}

	/** Continues the version from before a restart. */
	continueFrom(version: number): void {
		this.#version = Math.max(this.#version, version);
	}

	#state(innings: readonly InningsStats[]): CricketCard['state'] {
		if (this.finished) return 'FINISHED';
		if (this.#info.fixtureStatus !== 'IN_RUNNING') return 'PRE_MATCH';
		const [first, second] = innings;
		const over = first?.inningsWickets === 10 || first?.inningsOvers === String(this.#info.maxOvers ?? 20);
		return over && !second ? 'INNINGS_BREAK' : 'IN_PLAY';
	}

	#note(): string {
		return NOTES[this.#info.eventStatus ?? ''] ?? this.#stats.tossResult ?? '';
	}

	#batter(at: number): CricketCard['batters'] {
		const stats = this.#stats.battingTeamStats ?? {};
		const name = String(stats[`bat${at}Name`] ?? '0');
		if (name === '0') return [];
		const figure = (what: string) => Number(stats[`bat${at}${what}`] ?? 0);
		return [
			{
				name,
				runs: figure('Runs'),
				balls: figure('Balls'),
				fours: figure('Fours'),
				sixes: figure('Sixes'),
				onStrike: figure('Strike') === 1,
			},
		];
	}

	#bowler(): CricketCard['bowler'] {
		const stats = this.#stats.bowlingTeamStats ?? {};
		const name = String(stats['bowl1Name'] ?? '0');
		if (name === '0') return null;
		return {
			name,
			overs: String(stats['bowl1Overs'] ?? '0.0'),
			runs: Number(stats['bowl1Runs'] ?? 0),
			wickets: Number(stats['bowl1Wickets'] ?? 0),
		};
	}
}
