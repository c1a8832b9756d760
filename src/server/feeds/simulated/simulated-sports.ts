/**
 * The default that always lives: in each sport something is being played, something is announced, and what was played
 * last can be looked at.
 */
import type { RunningFeed } from '#server/feeds/fixture-market.ts';
import { LiveFixture } from '#server/feeds/live-fixture.ts';
import { cricket } from '#server/feeds/simulated/cricket/cricket-play.ts';
import { football } from '#server/feeds/simulated/football/football-play.ts';
import { kabaddi } from '#server/feeds/simulated/kabaddi/kabaddi-play.ts';
import type { SimulatedSport } from '#server/feeds/simulated/play.ts';
import { PlayedFixture, playNamed, type SimulationParts, SOURCE } from '#server/feeds/simulated/played-fixture.ts';
import { horseRacing } from '#server/feeds/simulated/racing/racing-play.ts';
import { tennis } from '#server/feeds/simulated/tennis/tennis-play.ts';
import { trade } from '#server/feeds/simulated/trade/trade-play.ts';

export const SIMULATED_SPORTS: readonly SimulatedSport[] = [football, tennis, cricket, kabaddi, horseRacing, trade];

const ANNOUNCED = 2;

export interface SimulationOptions extends SimulationParts {
	seed: number;
}

export async function startSimulatedSports(options: SimulationOptions): Promise<RunningFeed> {
	await abandonUnknown(options);
	const lanes = SIMULATED_SPORTS.map((sport) => new Lane(options, sport));
	await Promise.all(lanes.map((lane) => lane.begin()));
	return {
		stop: async () => {
			await Promise.all(lanes.map((lane) => lane.stop()));
		},
		abandon: async (fixtureId) => {
			const found = await Promise.all(lanes.map((lane) => lane.abandon(fixtureId)));
			return found.includes(true);
		},
	};
}

/** Fixtures that another version left behind. */
async function abandonUnknown(options: SimulationOptions): Promise<void> {
	const left = options.fixtures
		.all()
		.filter(({ source, status }) => source === SOURCE && status !== 'FINISHED' && status !== 'ABANDONED')
		.filter(({ sourceRef }) => playNamed(sourceRef, SIMULATED_SPORTS) === null);
	for (const fixture of left) await (await LiveFixture.open(options, fixture)).abandon();
}

/** One sport's fixtures, one after another. */
class Lane {
	readonly #options: SimulationOptions;
	readonly #sport: SimulatedSport;
	readonly #stopping = new AbortController();
	readonly #running = new Map<PlayedFixture, Promise<void>>();
	#next = 0;
	#lastStartMs = 0;
	#filling: Promise<void> = Promise.resolve();

	constructor(options: SimulationOptions, sport: SimulatedSport) {
		this.#options = options;
		this.#sport = sport;
	}

	/** Resolves when the sport has what lists need. */
	async begin(): Promise<void> {
		// Fixtures that start to play meanwhile ask for more; they are heard afterwards.
		this.#filling = this.#takeUp();
		await this.#filling;
	}

	/** Takes up what is unfinished; a server that knows of nothing finds one fixture played and one some way on. */
	async #takeUp(): Promise<void> {
		const now = Date.now();
		const spacing = this.#sport.spacingMs / this.#options.speed;
		const { fixtures } = this.#options;
		const last = await fixtures.newest(SOURCE, `${this.#sport.key}-${this.#sport.model}.`);
		if (last) {
			this.#next = (playNamed(last.sourceRef, [this.#sport])?.number ?? 0) + 1;
			this.#lastStartMs = last.startsAtMs;
		}
		const known = this.#known();
		for (const { seed, number, status, startsAtMs } of known) {
			if (status === 'UPCOMING' || status === 'IN_PLAY') await this.#open(seed, number, startsAtMs, {});
		}
		if (known.length === 0) {
			await this.#add(now - 2 * spacing, { steps: Number.POSITIVE_INFINITY, quoted: false });
			await this.#add(now - spacing / 2, { steps: this.#sport.headStartSteps });
		}
		await this.#fill();
	}

	/** The sport's fixtures that are remembered. */
	#known() {
		return this.#options.fixtures.all().flatMap(({ source, sourceRef, status, startsAtMs }) => {
			const named = source === SOURCE ? playNamed(sourceRef, [this.#sport]) : null;
			return named ? [{ ...named, status, startsAtMs }] : [];
		});
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#filling;
		await Promise.all(this.#running.values());
	}

	/** @returns whether it is one of the lane's, and its markets are paid or void */
	async abandon(fixtureId: number): Promise<boolean> {
		const found = [...this.#running].find(([{ eventId }]) => eventId === fixtureId);
		if (!found) return false;
		const [played, running] = found;
		await played.abandon();
		await running;
		return played.status === 'ABANDONED';
	}

	/** Announces new fixtures until enough wait, and lets one begin when nothing is being played. */
	async #fill(): Promise<void> {
		const spacing = this.#sport.spacingMs / this.#options.speed;
		const upcoming = () => [...this.#running.keys()].filter(({ status }) => status === 'UPCOMING');
		while (upcoming().length < ANNOUNCED && !this.#stopping.signal.aborted) {
			await this.#add(Math.max(this.#lastStartMs + spacing, Date.now()), {});
		}
		const playing = [...this.#running.keys()].some(({ status }) => status === 'IN_PLAY');
		const first = upcoming().sort((one, other) => one.startsAtMs - other.startsAtMs)[0];
		if (!playing && first) await first.hurry();
	}

	async #add(startsAtMs: number, from: { steps?: number; quoted?: boolean }): Promise<void> {
		this.#lastStartMs = startsAtMs;
		await this.#open(this.#options.seed, this.#next++, startsAtMs, from);
	}

	async #open(seed: number, number: number, startsAtMs: number, from: { steps?: number; quoted?: boolean }) {
		const played = new PlayedFixture(this.#options, this.#sport, seed, number, startsAtMs);
		try {
			await played.open(from);
		} catch (error) {
			this.#options.log.error({ err: error, number }, `a ${this.#sport.key} fixture could not be opened`);
			return;
		}
		if (!played.play.isOver) this.#running.set(played, this.#run(played));
	}

	async #run(played: PlayedFixture): Promise<void> {
		const { log } = this.#options;
		try {
			await played.run(this.#stopping.signal, () => this.#refill());
		} catch (error) {
			log.error({ err: error, eventId: played.eventId }, 'a simulated fixture stopped');
		}
		this.#running.delete(played);
		this.#refill();
	}

	/** One filling after another: each looks at what the one before announced. */
	#refill(): void {
		if (this.#stopping.signal.aborted) return;
		this.#filling = this.#filling
			.then(() => this.#fill())
			.catch((error: unknown) => this.#options.log.error({ err: error }, 'no fixture could be announced'));
	}
}
