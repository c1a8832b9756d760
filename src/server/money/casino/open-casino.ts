/** Assembles the casino. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { GAMES } from '#games/all-games.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Beacon } from '#server/money/casino/beacon/beacon.ts';
import { BeaconWatch } from '#server/money/casino/beacon/beacon-watch.ts';
import type { DrandConfig } from '#server/money/casino/beacon/drand-beacon.ts';
import { openBeacon } from '#server/money/casino/beacon/open-beacon.ts';
import { CrashTable } from '#server/money/casino/crash/crash-table.ts';
import { type DealtTable, openDealtTable } from '#server/money/casino/dealt/dealt-table.ts';
import { type DeviatingBets, deviatingBets } from '#server/money/casino/deviating-bets.ts';
import { Fairness } from '#server/money/casino/fairness.ts';
import { GameMarks } from '#server/money/casino/game-marks.ts';
import { GameRules } from '#server/money/casino/game-rules.ts';
import { GameWallet } from '#server/money/casino/game-wallet.ts';
import { LeftRounds } from '#server/money/casino/left-rounds.ts';
import { LiveFigures } from '#server/money/casino/live-figures.ts';
import { LiveGames } from '#server/money/casino/live-games.ts';
import { OutcomeAccess } from '#server/money/casino/outcome-access.ts';
import { RoundTallies } from '#server/money/casino/round-tallies.ts';
import { CasinoRounds } from '#server/money/casino/rounds.ts';
import { Bankroll } from '#server/money/casino/tables/bankroll.ts';
import type { AnyTable, GameTableOptions } from '#server/money/casino/tables/game-table.ts';
import { systemClock } from '#server/money/casino/tables/table-game.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

export interface Casino {
	rounds: CasinoRounds;
	leftRounds: Pick<LeftRounds, 'check' | 'stop'>;
	marks: GameMarks;
	tallies: Pick<RoundTallies, 'count'>;
	/** Codes of games whose rounds an error ended. */
	failedGames: () => string[];
	/** Of all rounds so far. */
	deviatingBets: () => DeviatingBets;
	fairness: Pick<Fairness, 'figures'>;
	crash: CrashTable;
	/** The dealt tables, by the code of their game. */
	dealt: ReadonlyMap<string, DealtTable>;
	beacon: Pick<Beacon, 'pools'>;
	beaconWatch: BeaconWatch;
	/** Crash and the dealt tables, by the code of their game. */
	tables: ReadonlyMap<string, AnyTable>;
	gameRules: GameRules;
	liveGames: Pick<LiveGames, 'since'>;
	figures: Pick<LiveFigures, 'playersOf' | 'biggestWin'>;
	/** What a game's table shows now; null for a game without one. */
	tableImages: (game: string, pool: Pool) => BusMessage[] | null;
	onCommitted: CommittedListener;
	/** Cancels the queued bets of a barred player. */
	onBarred: (playerId: PlayerId) => void;
	/** Starts the shared rounds. */
	start: () => void;
	stop: () => Promise<void>;
}

interface CasinoOptions {
	db: pg.Pool;
	bus: Bus;
	exchange: Exchange;
	log: Logger;
	tokenKey: string;
	keys: DataKeys;
	journal: Pick<Journal, 'write'>;
	/** Names this one in the journal. */
	process: string;
	/** The speed of shared rounds. */
	tableSpeed: number;
	/** The public beacon; null for a local one. */
	drand: DrandConfig | null;
}

export async function openCasino(options: CasinoOptions): Promise<Casino> {
	const { db, bus, exchange, log, tokenKey, keys, journal, process, tableSpeed, drand } = options;
	const access = new OutcomeAccess({ journal, process });
	const [rounds, figures, bankroll, gameRules] = await Promise.all([
		CasinoRounds.open({ db, exchange, log, tokenKey, access }),
		LiveFigures.open({ db, log }, Date.now()),
		Bankroll.open(db),
		GameRules.open(db),
	]);
	const beacon = openBeacon({ drand, tokenKey, tableSpeed, log });
	const shared: GameTableOptions = {
		db,
		bus,
		exchange,
		wallet: new GameWallet(exchange),
		keys,
		access,
		log,
		clock: systemClock(tableSpeed),
		mostLoss: (pool) => bankroll.mostLoss(pool),
		beacon,
		seedsBefore: (walletIds, beforeMs) => rounds.clientSeedsBefore(walletIds, beforeMs),
	};
	const definitions = GAMES.filter((game) => game.kind === 'table');
	const [crash, ...dealt] = await Promise.all([
		CrashTable.open(shared),
		...definitions.map((definition) => openDealtTable(definition, shared)),
	]);
	const leftRounds = new LeftRounds({ rounds, clock: () => exchange.now(), log });
	const tallies = new RoundTallies({ db, log });
	const liveGames = new LiveGames({ db, journal, process, log });
	const running: AnyTable[] = [crash, ...dealt].map(({ table }) => table);
	const tables = new Map(running.map((table) => [table.code, table]));
	return {
		rounds,
		leftRounds,
		marks: new GameMarks(db),
		tallies,
		failedGames: () => running.filter(({ hasFailed }) => hasFailed).map(({ code }) => code),
		deviatingBets: () => deviatingBets(tallies),
		fairness: new Fairness({ db, tallies }),
		crash,
		beacon,
		beaconWatch: new BeaconWatch(beacon),
		dealt: new Map(dealt.map((opened) => [opened.definition.code, opened])),
		tables,
		gameRules,
		liveGames,
		figures,
		tableImages: (game, pool) => tables.get(game)?.images(pool) ?? null,
		onCommitted: (committed) => {
			rounds.onCommitted(committed);
			figures.onCommitted(committed);
			bankroll.onCommitted(committed);
		},
		onBarred: (playerId) => {
			for (const table of running) table.onBarred(playerId);
		},
		start: () => {
			for (const part of [leftRounds, tallies, liveGames, ...running]) part.start();
		},
		stop: async () => {
			await Promise.all([leftRounds, tallies, liveGames, ...running].map((part) => part.stop()));
			await beacon.stop();
		},
	};
}
