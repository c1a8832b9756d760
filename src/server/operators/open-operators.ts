/** Opens the operators' side: the parts that their acts use. Screens of the console follow the commits from then on. */
import type { Committed } from '#server/exchange/committed.ts';
import type { Casino } from '#server/money/casino/open-casino.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { BetTicker } from '#server/operators/bet-ticker.ts';
import { BrandSchedules } from '#server/operators/brand-schedules.ts';
import { CaseSweep } from '#server/operators/cases/case-sweep.ts';
import { Cases } from '#server/operators/cases/cases.ts';
import { LimitRules } from '#server/operators/limit-rules/limit-rules.ts';
import { LimitWatch } from '#server/operators/limit-rules/limit-watch.ts';
import { MailNotices } from '#server/operators/notices/mail-notices.ts';
import { MonthlyStatements } from '#server/operators/notices/monthly-statements.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import type { Listeners } from '#server/platform/bus/listeners.ts';
import { ledgerKeyOf } from '#server/platform/keys/ledger-key.ts';
import type { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { World } from '#server/world/open-world.ts';

interface OpenOperatorsOptions
	extends Pick<
		OperatorOptions,
		'log' | 'previews' | 'markets' | 'ownFixtures' | 'providers' | 'changes' | 'handOver' | 'health' | 'webhooks'
	> {
	/** The operators' key is derived from the server's secret. */
	config: { tokenKey: string; ledgerKey: string; dataKeys: readonly string[]; booksZone: string };
	database: Pick<OperatorOptions, 'db' | 'reads'>;
	world: Pick<OperatorOptions, 'fixtures' | 'brands'> & Pick<World, 'brandLimits'>;
	trading: Pick<OperatorOptions, 'exchange'> & { commits: Pick<Listeners<Committed>, 'follow'> };
	accounts: Pick<OperatorOptions, 'players' | 'outbox' | 'sports' | 'tickets' | 'staff' | 'journal' | 'funds'> & {
		casino: Pick<Casino, 'gameRules' | 'liveGames' | 'beacon'>;
		mails: MailOutbox;
	};
}

export function openOperators(options: OpenOperatorsOptions): OperatorOptions {
	const { config, database, world, trading, accounts, log, markets, ownFixtures, providers, changes } = options;
	const { handOver, health, previews, webhooks } = options;
	trading.commits.follow(changes.onCommitted);
	const ticker = new BetTicker();
	trading.commits.follow(ticker.onCommitted);
	const limitRules = new LimitRules(database.db);
	const limitWatch = limitWatchOf(options, limitRules);
	trading.commits.follow(limitWatch.onCommitted);
	accounts.staff.sessions.onEnded = changes.endAbsent;
	const cases = casesOf(options);
	return {
		exchange: trading.exchange,
		funds: accounts.funds,
		providers,
		fixtures: world.fixtures,
		markets,
		ownFixtures,
		players: accounts.players,
		outbox: accounts.outbox,
		sports: accounts.sports,
		tickets: accounts.tickets,
		cases,
		caseSweep: caseSweepOf(options, cases),
		gameRules: accounts.casino.gameRules,
		liveGames: accounts.casino.liveGames,
		brands: world.brands,
		previews,
		schedules: new BrandSchedules({ db: database.db, journal: accounts.journal, brands: world.brands, log }),
		staff: accounts.staff,
		db: database.db,
		log,
		booksZone: config.booksZone,
		reads: database.reads,
		journal: accounts.journal,
		changes,
		ticker,
		limitRules,
		limitWatch,
		subjectTurns: new Turns(),
		operatorKey: operatorKeyOf(config.tokenKey),
		ledgerKey: config.ledgerKey,
		ownKeys: {
			data: !config.dataKeys.includes(config.tokenKey),
			ledger: config.ledgerKey !== ledgerKeyOf(config.tokenKey, undefined),
		},
		beacon: accounts.casino.beacon,
		handOver,
		health,
		webhooks,
		mailNotices: mailNoticesOf(options),
		mails: accounts.mails,
	};
}

const limitWatchOf = (
	{ database, world, trading, accounts, log }: OpenOperatorsOptions,
	rules: LimitRules,
): LimitWatch =>
	new LimitWatch({
		exchange: trading.exchange,
		fixtures: world.fixtures,
		rules,
		brandLimits: world.brandLimits,
		brandOf: (walletId) => accounts.players.brandOf(walletId),
		db: database.db,
		journal: accounts.journal,
		log,
	});
function mailNoticesOf({ database, world, accounts, providers, log }: OpenOperatorsOptions): MailNotices {
	const { players, mails } = accounts;
	const { db, reads } = database;
	const { brands } = world;
	const clock = Date.now;
	const statements = new MonthlyStatements({ db, reads, providers, mails, players, brands, clock });
	return new MailNotices({ db, mails, players, brands, statements, clock, log });
}

const casesOf = ({ database, world, accounts, changes }: OpenOperatorsOptions): Cases =>
	new Cases({
		db: database.db,
		journal: accounts.journal,
		clock: Date.now,
		decideDaysOf: (playerId) => {
			const brand = world.brands.byName(accounts.players.brandOf(playerId) ?? '');
			if (!brand) throw new Error(`player ${playerId} is of no brand`);
			return brand.setting.cases.decideDays;
		},
		onChanged: () => changes.queuesChanged(),
	});

const caseSweepOf = ({ database, accounts, log }: OpenOperatorsOptions, cases: Cases): CaseSweep =>
	new CaseSweep({
		reads: database.reads,
		cases,
		log,
		clock: Date.now,
		personOf: (playerId) => accounts.funds.persons.accounts(playerId)[0] ?? playerId,
	});
