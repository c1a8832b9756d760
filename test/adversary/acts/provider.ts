/** A provider of games at its wallet: it plays fair, plays with words that name another player, and asks for too much. */
import { randomUUID } from 'node:crypto';
import { CURRENCY_TERMS, downToStep } from '#values/currencies.ts';
import type { Account } from '../account.ts';
import type { Acts } from '../step.ts';
import { type ProviderBet, pick, type World } from '../world.ts';

const GAME = 'lantern-cups';
/** Minor units. */
const AMOUNTS = [10_000, 40_000, 2_000, 500_000] as const;
/** More than any round, prize or correction is worth: ₹10,00,00,000. */
const ABSURD = 100_000_000_00;
/** Within what a provider may move by its word: the round's own bound is what refuses it. */
const TOO_MUCH = 50_000;
const DOORS = 'a log-in at the provider’s';

async function ask(world: World, about: { call: string; account: Account; fault?: string }, fields: object) {
	const { call, account, fault = null } = about;
	const wasBarred = account.isBarred;
	const { status } = await world.site.studio.ask(call, fields);
	world.touch(account);
	world.saw({ what: 'wallet', call, account, status, fault, wasBarred });
	return status;
}

async function sessionOf(world: World, account: Account): Promise<string> {
	return world.sessions.get(account) ?? (await seat(world, account));
}

/** A fresh visit of the player's. */
async function seat(world: World, account: Account): Promise<string> {
	const { studio } = world.site;
	const asked = { casinoToken: studio.casinoTokenOf(account.token, account.host), gameCode: GAME };
	const wasBarred = account.isBarred;
	const { result } = await account.call('casinoLogin', asked).catch(() => ({ result: null }));
	if (!result) return '';
	const { status, sessionToken = '' } = await studio.ask('authenticate', { launchToken: result.token });
	world.saw({ what: 'wallet', call: DOORS, account, status, fault: null, wasBarred });
	world.sessions.set(account, sessionToken);
	return sessionToken;
}

const betFields = ({ session, txId, roundId, amount }: ProviderBet) => ({
	txId,
	roundId,
	gameCode: GAME,
	amount,
	sessionToken: session,
});

const newBet = (account: Account, session: string, amount: number): ProviderBet => ({
	account,
	session,
	txId: randomUUID(),
	roundId: randomUUID(),
	amount,
	won: 0,
	state: 'OPEN',
});

const openBets = (world: World): ProviderBet[] => world.providerBets.filter(({ state }) => state === 'OPEN');
const winOf = ({ txId, roundId }: ProviderBet, amount: number) => ({
	txId: randomUUID(),
	refTxId: txId,
	roundId,
	amount,
	roundClosed: true,
});

/** What a request says that it must not: each is refused, and moves nothing. */
const FAULTS: readonly ((world: World, bet: ProviderBet, other: Account) => Promise<unknown>)[] = [
	(world, bet) => {
		const fields = { ...winOf(bet, 1_000), currency: 'EUR' };
		return ask(world, { call: 'win', account: bet.account, fault: 'a win in another currency' }, fields);
	},
	(world, bet, other) => {
		if (other === bet.account) return Promise.resolve();
		const fields = { ...betFields(newBet(bet.account, bet.session, 1_000)), userId: String(other.userId) };
		return ask(world, { call: 'bet', account: bet.account, fault: 'a bet in the name of another player' }, fields);
	},
	(world, bet) => replayed(world, bet),
	(world, bet) => {
		const fields = betFields(newBet(bet.account, bet.session, mostStake(world, bet.account) * 2));
		return ask(world, { call: 'bet', account: bet.account, fault: 'a bet above the game’s most' }, fields);
	},
	(world, bet) => {
		const fields = { txId: randomUUID(), refTxId: bet.txId, amount: ABSURD };
		return ask(world, { call: 'adjust', account: bet.account, fault: 'a correction upwards without bounds' }, fields);
	},
	(world, bet) => {
		const fields = { txId: randomUUID(), refTxId: bet.txId, amount: -(bet.won + TOO_MUCH) };
		return ask(world, { call: 'adjust', account: bet.account, fault: 'a correction of more than was paid' }, fields);
	},
	(world, bet) => {
		const fields = { txId: randomUUID(), userId: String(bet.account.userId), amount: ABSURD };
		return ask(world, { call: 'promo', account: bet.account, fault: 'a prize without bounds' }, fields);
	},
	(world, bet) => {
		const fields = { txId: randomUUID(), userId: String(bet.account.userId), amount: 100, currency: 'EUR' };
		return ask(world, { call: 'promo', account: bet.account, fault: 'a prize in another currency' }, fields);
	},
];

const mostStake = ({ site }: World, { currency }: Account): number => site.limits[currency].get(GAME)?.stake ?? 0;

/** A signed tip is caught on its way and comes at the address of prizes, whose fields are the same. */
async function replayed(world: World, bet: ProviderBet): Promise<void> {
	const { studio, server } = world.site;
	const { account, session: sessionToken } = bet;
	const named = { gameCode: GAME, sessionToken, userId: String(account.userId), currency: account.currency };
	const fields = { ...named, txId: randomUUID(), amount: 1_000 };
	const genuine = globalThis.fetch;
	let seen: { init: RequestInit } | null = null;
	// The request is caught on its way, because its signature is the provider's business.
	globalThis.fetch = async (address, init) => {
		if (!String(address).includes('/wallet/')) return await genuine(address, init);
		seen = { init: init ?? {} };
		return new Response('{"status":"UNKNOWN"}');
	};
	await studio.ask('tip', fields).finally(() => {
		globalThis.fetch = genuine;
	});
	const { init } = seen ?? { init: {} };
	const { status } = (await (await fetch(`${server.url}/wallet/lantern/promo`, init)).json()) as { status: string };
	const fault = 'a tip that comes at the address of prizes';
	world.touch(account);
	world.saw({ what: 'wallet', call: 'promo', account, status, fault, wasBarred: account.isBarred });
}

export const PROVIDER: Acts = {
	seat: {
		weight: 0.5,
		run: async (world, [who]) => {
			await seat(world, world.account(who));
		},
	},
	'provider-bet': {
		weight: 2,
		run: async (world, [who, amount, round]) => {
			const account = world.account(who);
			const bet = newBet(account, await sessionOf(world, account), account.amount(pick(AMOUNTS, amount) ?? 10_000));
			if (bet.session === '') return;
			const before = openBets(world).findLast((one) => one.account === account);
			if (before && round % 2 === 1) bet.roundId = before.roundId;
			const status = await ask(world, { call: 'bet', account }, betFields(bet));
			if (status !== 'OK') return;
			world.providerBets.push(bet);
			const same = openBets(world).filter(({ roundId }) => roundId === bet.roundId);
			const stake = same.reduce((sum, one) => sum + one.amount, 0);
			// Bars are looked at where the wallet answers.
			const about = { stake, payout: 0, most: 0, chips: same.length, wasBarred: false };
			world.saw({ what: 'staked', account, game: GAME, ...about });
		},
	},
	'provider-win': {
		weight: 1,
		run: async (world, [which, amount]) => {
			const bet = pick(openBets(world), which);
			if (!bet) return;
			const won =
				amount % 3 === 0 ? 0 : downToStep(bet.amount * ((amount % 3) / 2), CURRENCY_TERMS[bet.account.currency].step);
			if ((await ask(world, { call: 'win', account: bet.account }, winOf(bet, won))) !== 'OK') return;
			// The win closes the round.
			for (const one of openBets(world)) if (one.roundId === bet.roundId) one.state = 'WON';
			bet.won = won;
		},
	},
	'roll-back': {
		weight: 1,
		run: async (world, [which]) => {
			const bet = pick(openBets(world), which);
			if (!bet) return;
			const fields = { txId: randomUUID(), refTxId: bet.txId };
			const status = await ask(world, { call: 'rollback', account: bet.account }, fields);
			if (status === 'OK') bet.state = 'BACK';
		},
	},
	'provider-lies': {
		weight: 1,
		run: async (world, [which, lie, other]) => {
			const bet = pick(openBets(world), which);
			const tell = FAULTS[lie % FAULTS.length];
			if (bet && tell) await tell(world, bet, world.account(other));
		},
	},
};
