/** Accounts and who stands behind them: registrations, invitations, limits, breaks, gifts; and time that passes. */

import { MINOR_PER_MAJOR } from '#values/money.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { freshRequestId } from '../../support/match.ts';
import { PASSWORD } from '../../support/sign-up.ts';
import type { Account } from '../account.ts';
import { ATTACKED, type Attacked, HOSTS } from '../site.ts';
import type { Acts } from '../step.ts';
import { pick, type World } from '../world.ts';

const BREAK_HOURS = 24;
/** Longer than any break or exclusion of an episode. */
const LONG_MS = 170 * DAY_MS;
const TIMES_MS = [60_000, HOUR_MS, 25 * HOUR_MS] as const;
/** Rupees. */
const LIMITS = [150, 50, 600] as const;
const LIMIT_NAMES = ['stake', 'depositDay', 'lossDay'] as const;
/** Rupees that a player brings along whom stakes do not hurt. */
const RICHES = 5_000_000;
const FIRST_GRANT = 900_000_000;
let grants = FIRST_GRANT;

function bar(world: World, account: Account, forMs: number): void {
	for (const own of world.personOf(account)) {
		own.barredUntilMs = Math.max(own.barredUntilMs, Date.now() + forMs);
		world.touch(own);
	}
}

/** Registrations that a rule refuses leave an account without a login: numbers of later ones stay the same. */
const tried = (registering: Promise<unknown>): Promise<unknown> => registering.catch(() => undefined);

/** The currency of the account, or at times the other one. */
const currencyOf = ({ currency }: Account, number: number): Attacked =>
	ATTACKED.find((other) => other !== currency && number % 2 === 1) ?? currency;

/** Each of these acts makes one account, so that steps can name it by its number beforehand. */
const owner = (world: World, number: number): Account =>
	pick(
		world.accounts.filter(({ isProven }) => isProven),
		number,
	) as Account;

export const PEOPLE: Acts = {
	/** Types in another's mobile where no code is asked for. */
	pose: {
		weight: 1,
		run: async (world, [whose, other]) => {
			const posed = owner(world, whose);
			const { trusting } = HOSTS[currencyOf(posed, other)];
			await tried(world.register({ host: trusting, mobile: posed.mobile }));
		},
	},
	/** A second account of the same owner, who has the telephone. */
	again: {
		weight: 0.5,
		run: async (world, [whose, other]) => {
			const first = owner(world, whose);
			const wasBarred = first.isBarred;
			const registering = world.register({ host: HOSTS[currencyOf(first, other)].proving, mobile: first.mobile });
			const second = world.accounts.at(-1) as Account;
			await tried(registering);
			second.barredUntilMs = wasBarred ? first.barredUntilMs : 0;
			if (wasBarred) world.saw({ what: 'call', account: second, name: 'register', code: giftCode(second), wasBarred });
		},
	},
	/** A friend who registers with an account's code. */
	invite: {
		weight: 0.5,
		run: async (world, [whose, other]) => {
			const inviter = owner(world, whose);
			await tried(world.register({ host: HOSTS[currencyOf(inviter, other)].proving, inviter }));
		},
	},
	limit: {
		weight: 2,
		run: async (world, [who, name, amount]) => {
			const account = world.account(who);
			const limited = pick(LIMIT_NAMES, name) ?? 'stake';
			const limit = account.amount(pick(LIMITS, amount) ?? 100);
			const { code } = await account.call('setLimits', { [limited]: limit });
			for (const own of world.personOf(account)) world.touch(own);
			if (code === null && limited === 'stake')
				for (const own of world.walletsOf(account)) own.stakeLimit = Math.min(own.stakeLimit ?? limit, limit);
		},
	},
	'time-out': {
		weight: 0.5,
		run: async (world, [who]) => {
			const account = world.account(who);
			const { code } = await account.call('takeTimeOut', { hours: BREAK_HOURS });
			if (code === null) bar(world, account, BREAK_HOURS * HOUR_MS);
		},
	},
	exclude: {
		weight: 0.3,
		run: async (world, [who]) => {
			const account = world.account(who);
			const { code } = await account.call('excludeSelf', { months: 6, password: PASSWORD });
			if (code === null) bar(world, account, LONG_MS);
		},
	},
	coins: {
		weight: 2,
		run: async (world, [who]) => {
			const account = world.account(who);
			const { rounds } = (await account.call('getOpenRounds', {})).result ?? { rounds: [] };
			const ofProviders = world.providerBets.filter((bet) => bet.account === account && bet.state === 'OPEN');
			const inRounds =
				rounds.reduce((sum, { stake }) => sum + stake * MINOR_PER_MAJOR, 0) +
				ofProviders.reduce((sum, { amount }) => sum + amount, 0);
			const before = account.money;
			const { result } = await account.call('claimDailyCoins', {});
			if (result) world.saw({ what: 'coins', account, given: result.given * MINOR_PER_MAJOR, before, inRounds });
		},
	},
	claim: {
		weight: 1,
		run: async (world, [who, what]) => {
			const account = world.account(who);
			const isCashback = what % 2 === 1;
			const { result } = await account.call('claimBonus', { id: isCashback ? 'cashback' : 'welcome' });
			if (!result) return;
			world.claimed.add(account);
			if (isCashback) world.saw({ what: 'cashback', account, given: result.amount * MINOR_PER_MAJOR });
		},
	},
	referrals: {
		weight: 1,
		run: async (world, [who]) => {
			const account = world.account(who);
			const { items } = (await account.call('getReferralDetails', {})).result ?? { items: [] };
			for (const { id, canClaim } of items)
				if (canClaim) await account.call('claimReferral', { userReferDetailId: id });
		},
	},
	'make-key': {
		weight: 0.3,
		run: async (world, [who]) => {
			const account = world.account(who);
			const asked = { name: 'bot', mayTrade: true, addresses: [], callsPerSecond: 100, password: PASSWORD };
			const { result } = await account.call('createApiKey', asked);
			account.appKey = result?.appKey ?? account.appKey;
		},
	},
	/** An app key that was made before opens a session. */
	'use-key': {
		weight: 0.3,
		run: async (world, [who]) => {
			const account = world.account(who);
			const { appKey, userName, isBarred } = account;
			if (appKey === null) return;
			const response = await fetch(`${world.site.server.url}/api/login`, {
				method: 'POST',
				headers: { 'X-Application': appKey, 'Content-Type': 'application/x-www-form-urlencoded' },
				body: new URLSearchParams({ username: userName, password: PASSWORD }),
			});
			const { token } = (await response.json()) as { token: string };
			const status = token === '' ? 'REFUSED' : 'OK';
			world.saw({ what: 'wallet', call: 'log-in of a bot', account, status, fault: null, wasBarred: isBarred });
		},
	},
	/** Coins of the house, as many as largest stakes need. */
	enrich: {
		weight: 0.3,
		run: async (world, [who]) => {
			const account = world.account(who);
			const { userName, host } = account;
			await world.site.server.act('add-money', { userName, host, amount: account.amount(RICHES), grantId: ++grants });
			world.touch(account);
		},
	},
	withdraw: {
		weight: 1,
		run: async (world, [who]) => {
			const account = world.account(who);
			const max = (await account.call('getPaymentInfo', {})).result?.withdrawal.max ?? 0;
			const details = { method: 'UPI' as const, upiId: `p${account.userId}@bank` };
			const asked = { amount: max, details, clientRequestId: freshRequestId() };
			if (max < account.amount(100)) return;
			const { code } = await account.call('createWithdrawal', asked);
			world.saw({ what: 'withdrawal', account, amount: max, code });
		},
	},
	pass: {
		weight: 0.5,
		run: async (world, [time]) => {
			world.touchesAll = true;
			await world.passTime(pick(TIMES_MS, time) ?? 0);
		},
	},
};

/** A refusal, or coins that a barred person got for one more account. */
const giftCode = ({ money }: Account) => (money.cash > 0 ? null : ('EXCLUDED' as const));
