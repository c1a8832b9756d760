/**
 * Opens the accounts: players, their funds, their rounds and the staff, which call one another. A registering player
 * gets the welcome grants of funds before the answer; a barred player loses unmatched and queued bets, triggers, plans and
 * open streams; staff are notified of players' documents.
 */
import type { FastifyInstance } from 'fastify';
import type { Trading } from '#server/exchange/open-trading.ts';
import { documentNews, inboxNews } from '#server/exchange/views/news.ts';
import { type Casino, openCasino } from '#server/money/casino/open-casino.ts';
import { type Funds, openFunds, type Registered } from '#server/money/funds/open-funds.ts';
import type { ConsoleChanges } from '#server/operators/changes.ts';
import { openPlayers } from '#server/people/players/open-players.ts';
import { Outbox } from '#server/people/players/outbox.ts';
import type { Players } from '#server/people/players/players.ts';
import { smsGateways } from '#server/people/players/sms-gateway.ts';
import { smsReceiptRoute } from '#server/people/players/sms-receipts.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import { openPush, type Push } from '#server/people/push/open-push.ts';
import { openStaff, type Staff } from '#server/people/staff/open-staff.ts';
import { Tickets } from '#server/people/support/tickets.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { Listeners } from '#server/platform/bus/listeners.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import { Smtp } from '#server/platform/mail/smtp.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import type { Opening } from '#server/process/opening.ts';
import type { World } from '#server/world/open-world.ts';
import type { MarketId, PlayerId, WalletId } from '#values/ids.ts';

interface BelowAccounts {
	bus: Bus;
	world: World;
	sports: SportPermissions;
	trading: Trading;
	/** Tells staff's screens which data is out of date. */
	changes: ConsoleChanges;
	/** Reports cash-out targets that were reached. */
	targets: Listeners<{ walletId: WalletId; marketId: MarketId }>;
}

export interface Accounts {
	outbox: Outbox;
	mails: MailOutbox;
	/** Null without a mail server. */
	smtp: Smtp | null;
	/** Registers the route of the gateways' receipts. */
	smsRoutes: (scope: FastifyInstance) => Promise<void>;
	journal: Journal;
	sports: SportPermissions;
	tickets: Tickets;
	players: Players;
	push: Push;
	funds: Funds;
	casino: Casino;
	staff: Staff;
	/** Reports newly barred accounts. */
	barred: Listeners<PlayerId>;
}

/** The dependencies of the accounts. */
interface Basis extends Pick<Accounts, 'outbox' | 'mails' | 'journal' | 'barred'> {
	keys: DataKeys;
}

export async function openAccounts(
	opening: Opening,
	below: BelowAccounts,
	started: AsyncDisposableStack,
): Promise<Accounts> {
	const { config, reach, database, log, isRehearsal } = opening;
	const { db } = database;
	const { sports, trading } = below;
	const keys = new DataKeys(config.dataKeys);
	const receiptKey = reach.sms?.receiptKey ?? null;
	const outbox = new Outbox({ db, gateways: smsGateways(reach.sms), hasReceipts: receiptKey !== null, log });
	started.defer(() => outbox.stop());
	const smtp = reach.mail && new Smtp(reach.mail);
	const mails = new MailOutbox({ db, smtp, log });
	started.defer(() => mails.stop());
	const journal = new Journal({ db, ledgerKey: config.ledgerKey, epoch: trading.exchange.epoch() });
	const barred = new Listeners<PlayerId>();
	const basis = { keys, outbox, mails, journal, barred };
	// Waits for changes of the previous process, then reads them.
	const changed = isRehearsal ? Promise.resolve() : journal.open();
	const [casino, { players, funds }, staff] = await Promise.all([
		openRounds(opening, below, { keys, journal }),
		changed.then(() => openPlayersAndFunds(opening, below, basis, started)),
		changed.then(() => openStaffOf(opening, basis)),
	]);
	barred.follow(casino.onBarred);
	barred.follow(funds.onBarred);
	const push = await openPush(
		{
			db,
			fixtures: below.world.fixtures,
			players,
			brands: below.world.brands,
			isBarred: (playerId) => funds.protection.barOf(playerId) !== null,
			tokenKey: config.tokenKey,
			production: config.production,
			log,
		},
		started,
	);
	trading.commits.follow((committed) => push.news.onCommitted(committed));
	below.targets.follow((reached) => push.news.onTargetReached(reached));
	return {
		outbox,
		mails,
		smtp,
		smsRoutes: smsReceiptRoute(outbox, receiptKey),
		journal,
		sports,
		tickets: openTickets(opening, below, { journal, players }),
		players,
		push,
		funds,
		casino,
		staff,
		barred,
	};
}

/** Players' messages; a player and the staff are told of each change. */
function openTickets(
	{ database: { db } }: Opening,
	{ bus, world, changes }: BelowAccounts,
	{ journal, players }: Pick<Accounts, 'journal' | 'players'>,
): Tickets {
	const toPlayer = inboxNews(bus);
	return new Tickets({
		db,
		journal,
		clock: Date.now,
		rulesOf: (playerId) => {
			const brand = world.brands.byName(players.brandOf(playerId) ?? '');
			if (!brand) throw new Error(`player ${playerId} is of no brand`);
			return brand.setting.support;
		},
		onChanged: (playerId, ticketId) => {
			toPlayer(playerId, ticketId);
			changes.queuesChanged();
		},
	});
}

/** The casino follows commits. */
async function openRounds(
	{ config, database, log }: Opening,
	{ bus, trading }: BelowAccounts,
	{ keys, journal }: Pick<Basis, 'keys' | 'journal'>,
): Promise<Casino> {
	const casino = await openCasino({
		db: database.db,
		bus,
		exchange: trading.exchange,
		log,
		tokenKey: config.tokenKey,
		keys,
		journal,
		process: config.nodeId || 'exchange',
		tableSpeed: config.tableSpeed,
		drand: config.drand,
	});
	trading.commits.follow(casino.onCommitted);
	return casino;
}

const openStaffOf = ({ config, reach, database }: Opening, { journal, keys }: Basis): Promise<Staff> =>
	openStaff({
		db: database.db,
		journal,
		keys,
		tokenKey: config.tokenKey,
		production: config.production,
		rateLimitFactor: config.rateLimitFactor,
		signOn: reach.signOn,
	});

/** Players and their money: a registering player gets the welcome grants of funds before the answer. */
async function openPlayersAndFunds(
	{ config, reach, database: { db }, log }: Opening,
	{ bus, world, sports, trading, changes }: BelowAccounts,
	{ keys, outbox, mails, journal, barred }: Basis,
	started: AsyncDisposableStack,
): Promise<Pick<Accounts, 'players' | 'funds'>> {
	const { exchange, commits } = trading;
	const onRegistered = async (registered: Registered): Promise<void> => {
		try {
			await funds.welcome(registered);
		} catch (error) {
			// The registration stands; the player can claim the coins later.
			log.error({ err: error, playerId: registered.playerId }, 'a new player could not be welcomed');
		}
	};
	const players = await openPlayers({
		db,
		journal,
		exchange,
		sports,
		bus,
		outbox,
		mail: { mails, isOffered: mails.delivers || !config.production },
		tokenKey: config.tokenKey,
		keys,
		rateLimitFactor: config.rateLimitFactor,
		locationFile: config.locationFile,
		exclusionList: reach.exclusionList,
		onListed: async (playerId) => {
			barred.notify(playerId);
			await exchange.submit({ kind: 'cancel-all', walletId: playerId });
		},
		log,
		onMade: (playerId, mobile) => funds.onMade(playerId, mobile),
		onProven: (playerId, mobile) => funds.onProven(playerId, mobile),
		admitBot: (playerId) => funds.protection.admit(playerId, 'BOT_LOGIN'),
		onRegistered,
	});
	const toPlayer = documentNews(bus);
	const funds: Funds = await openFunds({
		db,
		exchange,
		journal,
		brands: world.brands,
		players,
		onDocument: (playerId, document) => {
			toPlayer(playerId, document);
			changes.queuesChanged();
		},
		onBarred: barred.notify,
		log,
		tokenKey: config.tokenKey,
		keys,
		retentionDays: config.retentionDays,
		payments: config.payments,
		hyperswitch: reach.hyperswitch,
	});
	commits.follow(funds.onCommitted);
	started.defer(() => funds.stop());
	return { players, funds };
}
