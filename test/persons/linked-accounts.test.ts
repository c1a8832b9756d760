/**
 * Every use of the rule of linked accounts sees the same pairs: a slow model of random players says which.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { moneyAtRisk } from '#server/money/funds/money-at-risk.ts';
import { ALL_LINKS, linksOf } from '#server/people/persons/linked-accounts.ts';
import { relationOf } from '#server/people/persons/relation.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { cookiesAfterLogin, signUp } from '../support/sign-up.ts';

/** Nothing happens by polling while a test looks. */
const PAYMENTS = { orderMs: 200, simulatedDelayMs: 3_600_000, pollMs: 600_000, webhookKeys: {} };
const COINS = { id: 'coins', title: 'Coins', kind: 'FREE_COINS', amount: 50, budget: 100_000 };
const PLAYERS = 7;

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: PAYMENTS });
	const rules = { campaigns: [COINS], referral: { reward: 500, minDeposit: 500 } };
	for (const [field, value] of Object.entries(rules))
		await server.act('brand-set', { host: 'localhost', field, value: JSON.stringify(value) });
});
afterAll(() => server.dispose());

interface Account extends Player {
	userName: string;
	mobile: string | null;
	isProven: boolean;
	document: string | null;
	upiIds: Set<string>;
	/** Those that were seen in a browser with this one. */
	browsers: Set<Account>;
	referrer: Account | null;
	logIns: { address: string; atMs: number; succeeded: boolean }[];
}

const funds = () => server.running.funds;
const referralsOf = ({ userId }: Player) => funds().referrals.of(userId);

/** Minor units. */
async function riskIn({ marketId }: TestMatch, userId: number): Promise<number | undefined> {
	const risks = await moneyAtRisk(server.database.db, server.running.exchange, userId);
	return risks.find(({ marketIds }) => marketIds?.includes(Number(marketId)))?.amount;
}

async function withdraw(account: Account, upiId: string): Promise<unknown> {
	const player = { playerId: account.userId, setting: server.brand.setting };
	const key = { walletId: account.userId, clientRequestId: freshRequestId(), body: '' };
	const { id } = await funds().withdrawals.request(player, 10_000, { method: 'UPI', upiId }, key);
	account.upiIds.add(upiId);
	return (await funds().ledger.find('WITHDRAWAL', id)).data['doubts'];
}

/** Signs players up, some with a mobile, a referrer, payout details, a browser or a document of another player. */
async function randomAccounts(numbers: SeededNumbers, seed: number): Promise<Account[]> {
	const accounts: Account[] = [];
	for (let count = 0; count < PLAYERS; count++) {
		const referrer = count > 0 && numbers.chance(50) ? numbers.from(accounts) : null;
		const referralCode = referrer ? funds().referrals.codeOf(referrer.userId) : '';
		const twin = count > 0 && numbers.chance(20) ? numbers.from(accounts) : null;
		const player = await signUp(server, { referralCode, ...(twin?.mobile ? { mobile: twin.mobile } : {}) });
		const nothing = { document: null, upiIds: new Set<string>(), browsers: new Set<Account>(), logIns: [] };
		accounts.push({ ...player, ...nothing, isProven: true, referrer });
	}
	for (const account of accounts) await withdraw(account, `seed${seed}.${numbers.below(12)}@bank`);
	const browsers = Array.from({ length: 8 }, () => ({ cookies: '', known: new Set<Account>() }));
	for (let logIn = 0; logIn < 6; logIn++) {
		const [account, browser] = [numbers.from(accounts), numbers.from(browsers)];
		browser.cookies = await cookiesAfterLogin(server, account.userName, browser.cookies);
		for (const other of browser.known) {
			account.browsers.add(other);
			other.browsers.add(account);
		}
		browser.known.add(account);
	}
	const { db } = server.database;
	for (const account of accounts) {
		if (numbers.chance(10)) {
			account.mobile = null;
			await db.query('update player set mobile = null where player_id = $1', [account.userId]);
		}
		if (numbers.chance(30)) {
			account.isProven = false;
			await db.query('update player set mobile_verified_at = null where player_id = $1', [account.userId]);
		}
		if (numbers.chance(60)) continue;
		account.document = `seed ${seed}, document ${numbers.below(4)}`;
		await db.query('insert into player_identity values ($1, $2)', [account.userId, account.document]);
	}
	return accounts;
}

/** Adds log-ins at addresses that two or three share, that are private, and that a crowd uses. */
async function randomLogIns(accounts: readonly Account[], numbers: SeededNumbers, seed: number): Promise<void> {
	const crowded = `198.51.100.${seed}`;
	const addresses = [
		`203.0.113.${seed}`,
		`::ffff:203.0.113.${100 + seed}`,
		`2001:db8::${seed}`,
		'192.168.1.7',
		'unknown',
	];
	const add = async (account: Account, address: string) => {
		const logIn = { address, atMs: numbers.below(96) * HOUR_MS, succeeded: numbers.chance(80) || address === crowded };
		account.logIns.push(logIn);
		await server.database.db.query(
			`insert into login_attempt (attempt_id, at, brand, player_id, address, succeeded)
			 values (gen_random_uuid()::text, $1, 'localhost', $2, $3, $4)`,
			[logIn.atMs, account.userId, address, logIn.succeeded],
		);
	};
	for (const account of accounts.slice(0, 6)) await add(account, crowded);
	for (let count = 0; count < 12; count++) await add(numbers.from(accounts), numbers.from(addresses));
}

const isSharedPublic = (address: string, accounts: readonly Account[]): boolean =>
	address !== '192.168.1.7' &&
	address !== 'unknown' &&
	accounts.filter(({ logIns }) => logIns.some((logIn) => logIn.succeeded && logIn.address === address)).length <= 5;

/** Why one account is linked with another, worked out from what the test did. */
function reasons(one: Account, other: Account, accounts: readonly Account[]): string[] {
	const met = one.logIns.some((own) =>
		other.logIns.some(
			({ address, atMs, succeeded }) =>
				succeeded &&
				own.succeeded &&
				address === own.address &&
				Math.abs(atMs - own.atMs) <= DAY_MS &&
				isSharedPublic(address, accounts),
		),
	);
	const ofMobile = one.isProven
		? other.isProven
			? 'same mobile'
			: 'mobile that the other says'
		: 'same mobile, not proven';
	const isDirect = other.referrer === one || one.referrer === other;
	return [
		...(one.mobile !== null && one.mobile === other.mobile ? [ofMobile] : []),
		...(one.document !== null && one.document === other.document ? ['same document'] : []),
		...(one.browsers.has(other) ? ['same browser'] : []),
		...([...one.upiIds].some((upiId) => other.upiIds.has(upiId)) ? ['same payout details'] : []),
		...(other.referrer === one ? ['invited'] : []),
		...(one.referrer === other ? ['invited by'] : []),
		...(rootOf(one) === rootOf(other) && !isDirect ? ['same invitation tree'] : []),
		...(met ? ['same address'] : []),
	].filter(() => one !== other);
}

const rootOf = (account: Account): Account => (account.referrer ? rootOf(account.referrer) : account);

const isObserved = (why: string) => ['same mobile', 'same document', 'same browser'].includes(why);
/** What counts against an account: what was seen, and what it says itself. */
const isPerson = (why: string) => isObserved(why) || ['same mobile, not proven', 'same payout details'].includes(why);

/** Those whose matches with one move no money between two interests. */
function interestOf(one: Account, accounts: readonly Account[]): Set<Account> {
	const seen = (of: readonly Account[]) =>
		accounts.filter((other) => of.some((own) => own === other || reasons(own, other, accounts).some(isObserved)));
	const roots = new Set(seen([one]).map(rootOf));
	const tree = accounts.filter((account) => roots.has(rootOf(account)));
	const said = accounts.filter((other) => reasons(one, other, accounts).some(isPerson));
	return new Set([...seen(tree), ...said].filter((other) => other !== one));
}

/** How many links lie between two accounts, each of them over one pair; null when nothing connects them. */
function distanceOf(one: Account, other: Account, accounts: readonly Account[]): number | null {
	const isNext = (from: Account, to: Account) =>
		reasons(from, to, accounts).some((why) => why !== 'same invitation tree');
	let reached = new Set([one]);
	for (let links = 0; ; links++) {
		if (reached.has(other)) return links;
		const further = accounts.filter((to) => [...reached].some((from) => from === to || isNext(from, to)));
		if (further.length === reached.size) return null;
		reached = new Set(further);
	}
}

onSeeds(
	[1, 2, 3],
	'the pairs are those of a slow model in every use, seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const accounts = await randomAccounts(numbers, seed);
		const voidAtOnce = new Set<number>();
		for (const account of accounts)
			for (const { id, state } of await referralsOf(account)) if (state === 'VOID') voidAtOnce.add(id);
		await randomLogIns(accounts, numbers, seed);
		const why = (one: Account, other: Account) => reasons(one, other, accounts);
		const areOnePerson = (one: Account, other: Account) => why(one, other).some(isPerson);
		const hasTwin = (one: Account) => accounts.some((other) => areOnePerson(one, other));

		// The relation itself, and an operator's page about each player.
		const { db } = server.database;
		const { rows } = await db.query<{ player_id: number; other_id: number; why: string }>(
			linksOf('(select unnest($1::bigint[]) as player_id)', ALL_LINKS),
			[accounts.map(({ userId }) => userId)],
		);
		for (const one of accounts) {
			const expected = accounts
				.flatMap((other) => why(one, other).map((reason) => `${other.userName}: ${reason}`))
				.sort();
			const userNames = new Map(accounts.map(({ userId, userName }) => [userId, userName]));
			const found = rows.filter(({ player_id }) => player_id === one.userId);
			expect(found.map((row) => `${userNames.get(row.other_id)}: ${row.why}`).sort()).toEqual(expected);
			const page = await server.act<{ linked: { userName: string; why: string }[] }>('player', {
				playerId: String(one.userId),
			});
			expect(page.linked.map((link) => `${link.userName}: ${link.why}`).sort()).toEqual(expected);
		}

		// How two are related: the shortest chain, and each reason of each link in it.
		const accountOf = (id: number) => accounts.find(({ userId }) => userId === id) ?? expect.unreachable();
		for (const [at, one] of accounts.entries())
			for (const other of accounts.slice(at)) {
				const { path } = await relationOf(db, one.userId, other.userId);
				expect(path?.length ?? null).toBe(distanceOf(one, other, accounts));
				const chain = [one, ...(path ?? []).map(({ playerId }) => accountOf(playerId))];
				for (const [hop, link] of (path ?? []).entries()) {
					const [from, to] = [chain[hop] as Account, chain[hop + 1] as Account];
					const expected = why(from, to).filter((reason) => reason !== 'same invitation tree');
					expect(link.reasons.map((reason) => reason.why).sort()).toEqual(expected.sort());
				}
				if (path) expect(chain.at(-1)).toBe(other);
			}

		// Withdrawals: what is doubted.
		for (const account of accounts) {
			const [upiId = ''] = account.upiIds;
			const doubts = await withdraw(account, upiId);
			expect(Array.isArray(doubts) && doubts.includes('LINKED_ACCOUNTS')).toBe(hasTwin(account));
		}

		// Bonuses: once for a person.
		const claimed: Account[] = [];
		for (const account of accounts) {
			const { code } = await server.call('claimBonus', { id: 'coins' }, account.token);
			expect(code).toBe(claimed.some((other) => areOnePerson(account, other)) ? 'ALREADY_CLAIMED' : null);
			if (code === null) claimed.push(account);
		}

		// Referrals: a player's own, and circles.
		for (const referrer of accounts)
			for (const { id, data } of await referralsOf(referrer)) {
				await funds().referrals.advance(id);
				const referee = accounts.find(({ userId }) => userId === data['refereeId']);
				const above: Account[] = [];
				for (let at: Account | null = referrer; at; at = at.referrer) above.push(at);
				const isOwn = above.some((other) => referee && (areOnePerson(referee, other) || areOnePerson(other, referee)));
				const { state } = await funds().ledger.find('REFERRAL', id);
				expect(state).toBe(isOwn || voidAtOnce.has(id) ? 'VOID' : 'LINKED');
			}

		// Wagering: each pair meets in a market of its own.
		for (const [at, one] of accounts.entries())
			for (const other of accounts.slice(at + 1)) {
				const match = await openTestMatch(server);
				await server.result('placeBetV2', betOn(match, { stake: 100 }), one.token);
				await server.result('placeBetV2', betOn(match, { stake: 100, side: 'LAY' }), other.token);
				await match.settle(0);
				for (const [player, met] of [
					[one, other],
					[other, one],
				] as const) {
					const counted = interestOf(player, accounts).has(met) ? 0 : 10_000;
					expect(await riskIn(match, player.userId)).toBe(counted);
				}
			}
	},
	'thorough',
);
