/**
 * What one episode plays with: its accounts, its matches, and all that it asked for. Nothing here comes from the server's
 * own view of risk, persons or claims; the rules compare with it.
 */
import { randomBytes } from 'node:crypto';
import type { ErrorCode } from '#values/error-catalogue.ts';
import { openTestMatch, type TestMatch } from '../support/match.ts';
import { Account, type Call, type Money, type Registration } from './account.ts';
import { type Book, bookOf } from './book.ts';
import { type AdversarySite, type Attacked, HOSTS } from './site.ts';

export interface AttackedMarket {
	marketId: string;
	/** The wire ids of the two runners, in the same order in each market of the match. */
	runnerIds: readonly [string, string];
	/** Players meet each other, or the house at its rates. */
	isHouse: boolean;
}

export interface AttackedMatch {
	match: TestMatch;
	/** Each decided by the winner of the match. */
	markets: AttackedMarket[];
	isSettled: boolean;
	/** Which runner won; null while that is open, and of a match that was made void. */
	winner: 0 | 1 | null;
}

/** An order for a payment, with the reference that the bank gives to its transfer. */
export interface Order {
	account: Account;
	id: string;
	reference: string;
	/** Minor units. */
	amount: number;
	utr: string;
	/** A payment that comes later asks the limits again. */
	expiresAtMs: number;
	isCredited: boolean;
	/** A dispute took it back for good: no later word of the provider credits it. */
	isLost: boolean;
	/** Of the dispute that goes on; null without one. */
	disputed: { amount: number; held: number } | null;
}

export interface Receipt {
	account: Account;
	id: string;
	/** Minor units. */
	amount: number;
	utr: string;
	state: string;
}

/** A bet that a provider placed for a player. */
export interface ProviderBet {
	account: Account;
	session: string;
	txId: string;
	roundId: string;
	/** Minor units. */
	amount: number;
	/** Minor units, promotions and corrections included. */
	won: number;
	state: 'OPEN' | 'WON' | 'BACK';
}

/** Bets on a round that everybody plays. */
export interface SharedBet {
	account: Account;
	betId: string;
	game: string;
}

/** The bets of one account in one round, added up, once the newest was accepted. Amounts are minor units. */
export interface Staked {
	account: Account;
	game: string;
	stake: number;
	/** What the round paid; zero before its end. */
	payout: number;
	/** What the round would pay on its best side, where that is known. */
	most: number;
	chips: number;
	/** The bets of all accounts of the person; the game's limits are those of one account. */
	isOfPerson?: boolean;
	wasBarred: boolean;
}

/** What a step did, as far as rules look at it. Amounts are minor units. */
export type Happened =
	| ({ what: 'call' } & Call)
	| ({ what: 'staked' } & Staked)
	/** @see given: minor units that the word credited */
	| { what: 'word'; order: Order; utr: string; amount: number; given: number; wasBarred: boolean }
	/** @see payer: the order whose payment has the reference of the receipt, as it stood; null when nothing was paid with it */
	| { what: 'receipt'; receipt: Receipt; earlier: readonly Receipt[]; payer: Order | null }
	| { what: 'judged'; receipt: Receipt }
	/** Minor units that a cashback gave. */
	| { what: 'cashback'; account: Account; given: number }
	| { what: 'dispute'; order: Order; amount: number; before: Money; after: Money }
	| { what: 'dispute lost'; order: Order; amount: number; held: number; before: Money; after: Money }
	/** @see fault: why the request must not move money; null when nothing is wrong with it */
	| { what: 'wallet'; call: string; account: Account; status: string; fault: string | null; wasBarred: boolean }
	| { what: 'coins'; account: Account; given: number; before: Money; inRounds: number }
	/** Of all that may be withdrawn; major units. */
	| { what: 'withdrawal'; account: Account; amount: number; code: ErrorCode | null }
	| { what: 'touched'; account: Account };

/** Accounts of the beginning: 0 invited 1 and 2; nothing connects 3 and 4 with them or each other. */
export const CAST = 5;
let episodes = 0;

export class World {
	readonly site: AdversarySite;
	/** Of the accounts of the beginning; later ones may have another. */
	readonly currency: Attacked;
	readonly accounts: Account[] = [];
	readonly matches: AttackedMatch[] = [];
	readonly orders: Order[] = [];
	readonly receipts: Receipt[] = [];
	readonly providerBets: ProviderBet[] = [];
	readonly sharedBets: SharedBet[] = [];
	readonly sessions = new Map<Account, string>();
	/** Minor units that a rule has reported already, by the rule and its subject: it speaks again when there is more. */
	readonly reported = new Map<string, number>();
	/** Who claimed a bonus. */
	readonly claimed = new Set<Account>();
	/** What a rule saw of an account last. */
	readonly states = new Map<Account, string>();
	/** Of this step, as far as they were asked for. */
	readonly #books = new Map<AttackedMatch, Promise<Book>>();
	/** Of this step. */
	happened: Happened[] = [];
	/** Something that concerns everybody: time passed, a match was settled. */
	touchesAll = false;
	#isActing = true;
	readonly #number = ++episodes;
	#names = 0;

	private constructor(site: AdversarySite, currency: Attacked) {
		this.site = site;
		this.currency = currency;
	}

	/** An inviter with two friends, and two accounts that nothing connects with them. */
	static async open(site: AdversarySite, currency: Attacked): Promise<World> {
		const world = new World(site, currency);
		const [inviter] = await Promise.all([world.register(), world.register(), world.register()]);
		await Promise.all([1, 2].map(() => world.register({ inviter: inviter as Account })));
		world.accounts.sort((one, other) => Number(other === inviter) - Number(one === inviter) || by(one) - by(other));
		await world.addMatch();
		world.beginStep();
		return world;
	}

	/** @throws Error when it was refused */
	async register(about: Partial<Registration> = {}): Promise<Account> {
		const name = `a${process.pid}-${this.#number}-${++this.#names}`;
		const mobile = about.mobile ?? `+919${String(randomBytes(6).readUIntBE(0, 6) % 1e9).padStart(9, '0')}`;
		const registration = { host: HOSTS[this.currency].proving, userName: name, mobile, inviter: null, ...about };
		const account = new Account(this.site, registration, (call) => this.saw({ what: 'call', ...call }));
		this.accounts.push(account);
		await account.register();
		return account;
	}

	/** A match with two markets that its winner decides: players among themselves, and the house at evens. */
	async addMatch(): Promise<void> {
		const { server } = this.site;
		const match = await openTestMatch(server);
		const names = ['India', 'Nepal'] as const;
		const about = { eventId: match.eventId, name: 'Bookmaker', runners: names };
		const house = await server.act<{ marketId: string; version: number }>('open-bookmaker', about);
		const { marketId, version: seenVersion } = house;
		for (const runner of names)
			await server.act('price-bookmaker', { marketId, seenVersion, runner, back: 100, lay: 101 });
		const markets: AttackedMarket[] = [
			{ marketId: match.marketId, runnerIds: match.runnerIds, isHouse: false },
			{ marketId, runnerIds: ['1', '2'], isHouse: true },
		];
		this.matches.push({ match, markets, isSettled: false, winner: null });
	}

	account(number: number): Account {
		return pick(this.accounts, number) as Account;
	}

	/** The accounts that are one person's with this one, because the mobile of each was proven by a code. */
	personOf(account: Account): Account[] {
		if (!account.isProven) return [account];
		return this.accounts.filter(
			({ isProven, mobile, userId }) => isProven && mobile === account.mobile && userId !== 0,
		);
	}

	/** Those of its person in its currency: limits of amounts, and stakes that add up, are one currency's. */
	walletsOf(account: Account): Account[] {
		return this.personOf(account).filter(({ currency }) => currency === account.currency);
	}

	/** Whether it is barred itself, or says the mobile of a person who is. */
	isBarred(account: Account): boolean {
		const owners = this.accounts.filter(({ isProven, mobile }) => isProven && mobile === account.mobile);
		return [account, ...owners].some(({ isBarred }) => isBarred);
	}

	/** The newest match that is not settled; null when all are. */
	get openMatch(): AttackedMatch | null {
		return this.matches.findLast(({ isSettled }) => !isSettled) ?? null;
	}

	/** What is matched in the match, read once a step. */
	book(match: AttackedMatch): Promise<Book> {
		const known = this.#books.get(match) ?? this.#read(match);
		this.#books.set(match, known);
		return known;
	}

	#read({ markets }: AttackedMatch): Promise<Book> {
		return bookOf(
			this.site.server.database.db,
			markets.map(({ marketId }) => marketId),
		);
	}

	beginStep(): void {
		this.happened = [];
		this.touchesAll = false;
		this.#books.clear();
		this.#isActing = true;
	}

	/** What rules ask for from here on is no part of the step. */
	endAct(): void {
		this.#isActing = false;
		this.#books.clear();
	}

	/** Logins end meanwhile. */
	async passTime(ms: number): Promise<void> {
		this.site.clock.pass(ms);
		await Promise.all(this.accounts.map((account) => (account.userId === 0 ? null : account.logIn())));
	}

	saw(happened: Happened): void {
		if (this.#isActing) this.happened.push(happened);
	}

	/** A person other than the player changes the account. */
	touch(account: Account): void {
		this.saw({ what: 'touched', account });
	}
}

/** Those who were invited come in between; the others keep their order. */
const by = ({ inviter, userId }: Account): number => (inviter ? 0 : userId);

/** One of a list; below zero it counts from the end. */
export const pick = <T>(list: readonly T[], number: number): T | undefined => list.at(number % list.length);
