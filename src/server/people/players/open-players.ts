/** Combines players, logins, registrations and back-end clients into what the calls use. */

import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { SealedChallenges } from '#server/people/factors/sealed-challenges.ts';
import { AddressCountries } from '#server/people/players/address-countries.ts';
import { ApiKeys } from '#server/people/players/api-keys.ts';
import { ApiSessions } from '#server/people/players/api-sessions.ts';
import { Authenticators } from '#server/people/players/authenticators.ts';
import { BackEndClients } from '#server/people/players/back-end-clients.ts';
import { CodeBudget } from '#server/people/players/code-budget.ts';
import { type ExclusionListConfig, ExclusionLists } from '#server/people/players/exclusion-lists.ts';
import { KnownDevices } from '#server/people/players/known-devices.ts';
import { LoginAttempts } from '#server/people/players/login-attempts.ts';
import { LoginLocks } from '#server/people/players/login-locks.ts';
import { LoginStore } from '#server/people/players/login-store.ts';
import { LoginThrottle } from '#server/people/players/login-throttle.ts';
import { MobileProofs } from '#server/people/players/mobile-proofs.ts';
import { type MailOptions, openContacts } from '#server/people/players/open-contacts.ts';
import type { Outbox } from '#server/people/players/outbox.ts';
import { Passkeys } from '#server/people/players/passkeys.ts';
import { PlayerAccounts } from '#server/people/players/player-accounts.ts';
import { PlayerStore } from '#server/people/players/player-store.ts';
import type { Players } from '#server/people/players/players.ts';
import { Preferences } from '#server/people/players/preferences.ts';
import { RegistrationLimits } from '#server/people/players/registration-limits.ts';
import { Registrations } from '#server/people/players/registrations.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { PlayerId } from '#values/ids.ts';

interface PlayersOptions {
	mail: MailOptions;
	db: pg.Pool;
	journal: Journal;
	exchange: Exchange;
	sports: SportPermissions;
	bus: Bus;
	outbox: Outbox;
	/** The server's secret, which seals tokens and codes. */
	tokenKey: string;
	/** Seals the secrets of authenticators. */
	keys: DataKeys;
	/** Multiplies the limits of password attempts, registrations and text messages. */
	rateLimitFactor: number;
	/** Called with every player who registers, before the account can be used. */
	onMade?: (playerId: PlayerId, mobile: { number: string; isProven: boolean }) => Promise<void>;
	/** Called with every mobile that a player proves later, before the answer. */
	onProven?: (playerId: PlayerId, mobile: string) => Promise<void>;
	/** Whether a bot of the player may log in. @throws Refused */
	admitBot?: (playerId: PlayerId) => void;
	/** Called with every player who registered, before the answer. */
	onRegistered?: (registered: { playerId: PlayerId; brand: Brand; mobile: string }) => Promise<void>;
	/** The file with the countries of addresses; null for none. */
	locationFile: string | null;
	/** The bridge to registers of excluded persons; null for none. */
	exclusionList: ExclusionListConfig | null;
	/** Called with a player whom such a register names. */
	onListed?: (playerId: PlayerId) => Promise<void>;
	log: Pick<Logger, 'warn' | 'info' | 'error'>;
	clock?: () => number;
}

export async function openPlayers(options: PlayersOptions): Promise<Players> {
	const { db, journal, exchange, sports, bus, outbox, tokenKey, clock = Date.now } = options;
	// A monotonic clock, so that setting the wall clock lengthens no wait.
	const waitClock = options.clock ?? (() => performance.now());
	const players = new PlayerStore({ db, journal, exchange, sports, clock });
	const ledgerClock = () => exchange.now();
	const logins = new LoginStore({ db, players, bus, journal, tokenKey, clock, ledgerClock });
	const attempts = new LoginAttempts(db, clock);
	const limits = new RegistrationLimits(options.rateLimitFactor, waitClock);
	const resends = new CodeBudget(db, clock);
	const apiKeys = new ApiKeys(db, journal, clock);
	const apiSessions = new ApiSessions(db, apiKeys, players, { clock, ledgerClock });
	const exclusionLists = new ExclusionLists({
		config: options.exclusionList,
		db,
		journal,
		clock: ledgerClock,
		onListed: options.onListed ?? (async () => {}),
		log: options.log,
	});
	const devices = new KnownDevices(tokenKey);
	const sealed = { db, journal, outbox, tokenKey, clock, limits, resends };
	const locks = new LoginLocks({ ...sealed, devices, ledgerClock });
	const { mails, isOffered } = options.mail;
	const { addresses, resets, changes } = openContacts({ ...sealed, devices, mails, isOffered, players, logins });
	await players.load();
	const throttle = new LoginThrottle(options.rateLimitFactor, waitClock);
	const challenges = new SealedChallenges(waitClock);
	const authenticators = new Authenticators({ db, journal, keys: options.keys, throttle, clock });
	await Promise.all([logins, apiKeys, apiSessions, locks, authenticators, addresses].map((part) => part.load()));
	return new PlayerAccounts({
		exchange,
		players,
		preferences: new Preferences(db, clock),
		logins,
		attempts,
		locks,
		apiKeys,
		apiSessions,
		passkeys: new Passkeys({ db, journal, challenges, tokenKey, clock }),
		authenticators,
		addresses,
		resets,
		changes,
		registrations: new Registrations({
			...sealed,
			players,
			exclusionLists,
			onMade: options.onMade ?? (async () => {}),
		}),
		mobileProofs: new MobileProofs({
			...sealed,
			onProven: options.onProven ?? (async () => {}),
		}),
		clients: new BackEndClients(db, clock),
		throttle,
		countries: new AddressCountries({ file: options.locationFile, log: options.log }),
		exclusionLists,
		devices,
		clock,
		onRegistered: options.onRegistered ?? (async () => {}),
		admitBot: options.admitBot ?? (() => {}),
	});
}
