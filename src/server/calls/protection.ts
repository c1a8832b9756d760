import type { RequestOf, ResultOf } from '#contract/call.ts';
import { LIMIT_NAMES } from '#contract/calls/protection.ts';
import type { Calls } from '#contract/registry.ts';
import { rulesAt } from '#contract/rules-at.ts';
import { gameName } from '#server/calls/game-name.ts';
import { type Caller, type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { openWorkflowsOf } from '#server/exchange/recovery/stored-workflows.ts';
import { triggerView } from '#server/exchange/views/trigger-view.ts';
import { isoTime, openBetView } from '#server/exchange/views/wire-views.ts';
import type { Period } from '#server/money/funds/deposit-limits.ts';
import { exportData } from '#server/money/funds/export-data.ts';
import { HOLDING_STATES } from '#server/money/funds/machines/withdrawal.ts';
import { openRounds } from '#server/money/funds/open-rounds.ts';
import { standingOf } from '#server/money/funds/player-standing.ts';
import type { LimitName } from '#server/money/funds/protection/protection-record.ts';
import type { Changer } from '#server/money/funds/protection/protection-records.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { Refused } from '#values/error-catalogue.ts';
import { maskedMobile } from '#values/mobile.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

type View = ResultOf<Calls['getProtection']>;
type HeldByWorkflow = ResultOf<Calls['getHeldMoney']>['others'][number];

const PERIOD_OF: Readonly<Record<string, Period>> = { Day: 'DAY', Week: 'WEEK', Month: 'MONTH' };
const major = (amount: AnyMinor | null): number | null => (amount === null ? null : majorFromMinor(amount));
const time = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));
const changer = (caller: Caller): Changer => ({ actor: 'player', address: caller.visitor.address });

/**
 * The effective limits with their use, and the player's standing. Contains nothing about accounts known by hints only.
 */
async function view({ funds, db }: Parts, caller: Caller): Promise<View> {
	const { playerId } = playerOf(caller);
	const { protection, persons } = funds;
	const { setting } = caller.visitor.brand;
	const rules = rulesAt(setting, () => protection.now());
	const record = protection.of(playerId);
	const limits = protection.limits.of(playerId);
	const [deposited, standing, facts] = await Promise.all([
		protection.limits.deposited(playerId),
		standingOf(db, playerId),
		persons.factsOf(playerId),
		protection.limits.followLosses(playerId),
	]);
	const usedOf = (name: LimitName): number | null => {
		const [, kind, period = ''] = /^(deposit|loss)(Day|Week|Month)$/.exec(name) ?? [];
		if (kind === 'deposit') return deposited[PERIOD_OF[period] as Period];
		return kind === 'loss' ? protection.limits.lost(playerId, PERIOD_OF[period] as Period) : null;
	};
	return {
		limits: LIMIT_NAMES.map((name) => {
			const raise = record.raises[name];
			return {
				name,
				limit: major(limits[name]),
				used: major(usedOf(name)),
				raise: raise ? { amount: major(raise.to), confirmableFrom: isoTime(raise.confirmableFromMs) } : null,
			};
		}),
		depositFrames: rules.depositFrames,
		limitsDue: protection.limits.due(playerId),
		timeOutUntil: time(record.timeOutUntilMs),
		excludedUntil: time(record.excludedUntilMs),
		closedAt: time(record.closedAtMs),
		isFrozen: record.frozen !== null,
		mobile: facts.mobile === null ? null : { masked: maskedMobile(facts.mobile), isProven: facts.isMobileProven },
		holdsForAll: facts.isKnown,
		isHeldByMobile: protection.isHeldByMobile(playerId),
		realityCheckMinutes: Math.min(
			record.realityCheckMinutes ?? setting.playerProtection.realityCheckMinutes,
			rules.realityCheckMinutes ?? Number.POSITIVE_INFINITY,
		),
		netDeposits: majorFromMinor(standing.netDeposits),
		netPosition: majorFromMinor(standing.netPosition),
		staked: majorFromMinor(standing.staked),
	};
}

export const protectionHandlers = (
	parts: Parts,
): HandlersOf<
	| 'getProtection'
	| 'setLimits'
	| 'confirmLimit'
	| 'takeTimeOut'
	| 'excludeSelf'
	| 'closeAccount'
	| 'sendMobileCode'
	| 'proveMobile'
	| 'getHeldMoney'
	| 'exportData'
> => {
	const { funds, players, throughHistory } = parts;
	const { protection } = funds;
	// Exports at once would take all connections over which the losses of other players are read.
	const exports = new Turns<'export'>();
	return {
		getProtection: (_, caller) => view(parts, caller),
		setLimits: (input, caller) => setLimits(parts, input, caller),
		confirmLimit: async ({ name }, caller) => {
			await protection.limits.confirmRaise(playerOf(caller).playerId, name, changer(caller));
			return await view(parts, caller);
		},
		takeTimeOut: async ({ hours }, caller) => {
			await protection.timeOut(playerOf(caller).playerId, hours, changer(caller));
			return await view(parts, caller);
		},
		excludeSelf: async ({ months, password }, caller) => {
			const login = playerOf(caller);
			await players.checkPassword(login, password);
			const accounts = await protection.exclude(login.playerId, months, changer(caller));
			for (const account of accounts) await funds.leave(account);
			return await view(parts, caller);
		},
		closeAccount: async ({ password }, caller) => {
			const login = playerOf(caller);
			await players.checkPassword(login, password);
			await protection.close(login.playerId, changer(caller));
			await funds.leave(login.playerId);
			return await view(parts, caller);
		},
		sendMobileCode: async (input, caller) => {
			const login = playerOf(caller);
			if (login.isDemo) throw new Refused('FORBIDDEN');
			const sent = await players.sendMobileCode(login, input, caller.visitor);
			return { masked: maskedMobile(sent.mobile) };
		},
		proveMobile: async ({ otp }, caller) => {
			await players.proveMobile(playerOf(caller).playerId, otp, caller.visitor);
			return await view(parts, caller);
		},
		getHeldMoney: (_, caller) => heldMoney(parts, caller),
		exportData: async (_, caller) => {
			const { playerId } = playerOf(caller);
			return await exports.take('export', () => exportData(throughHistory, playerId));
		},
	};
};

async function setLimits(parts: Parts, input: RequestOf<Calls['setLimits']>, caller: Caller): Promise<View> {
	const { playerId, isDemo } = playerOf(caller);
	if (isDemo) throw new Refused('FORBIDDEN');
	const { protection } = parts.funds;
	const { realityCheckMinutes, ...limits } = input;
	const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
	const by = changer(caller);
	if (Object.keys(given).length > 0) await protection.limits.set(playerId, given, by, { isReview: true });
	else if (realityCheckMinutes === undefined) await protection.limits.review(playerId, by);
	if (realityCheckMinutes !== undefined) await protection.setRealityCheck(playerId, realityCheckMinutes, by);
	return await view(parts, caller);
}

/** Each market with its held amount, its bets and its triggers, each open round, and all other held money. */
async function heldMoney(
	{ exchange, fixtures, db, providers }: Parts,
	caller: Caller,
): Promise<ResultOf<Calls['getHeldMoney']>> {
	const { playerId } = playerOf(caller);
	const wallet = exchange.wallet(playerId);
	const bets = exchange.openBets(playerId);
	const triggers = exchange.triggers(playerId);
	const markets = [...new Set([...bets, ...triggers].map(({ marketId }) => marketId))].flatMap((marketId) => {
		const named = fixtures.market(marketId);
		const fixture = named && fixtures.fixture(named.fixtureId);
		if (!named || !fixture) return [];
		const views = bets
			.filter((bet) => bet.marketId === marketId)
			.map((bet) => openBetView(bet, { fixtures, exchange }));
		const waiting = triggers
			.filter((trigger) => trigger.marketId === marketId)
			.map((trigger) => triggerView(trigger, fixtures));
		return [
			{
				marketId: String(marketId),
				eventTitle: fixture.title,
				marketName: named.name,
				held: majorFromMinor(exchange.profitLoss(playerId, marketId)?.exposure ?? 0),
				bets: views.map(({ betId, runnerName, side, liability }) => ({ betId, runnerName, side, liability })),
				triggers: waiting.map(({ triggerId, runnerName, side, liability }) => ({
					triggerId,
					runnerName,
					side,
					liability,
				})),
			},
		];
	});
	const open = await openWorkflowsOf(db, playerId);
	const others = open.flatMap(({ kind, id, state, openedAtMs, data }): HeldByWorkflow[] => {
		const since = isoTime(openedAtMs);
		const holdsWithdrawal = HOLDING_STATES.has(state);
		if (kind === 'WITHDRAWAL' && holdsWithdrawal) {
			return [{ id: `${kind}-${id}`, kind: 'WITHDRAWAL', held: majorFromMinor(data.amount), since }];
		}
		if (kind !== 'DISPUTE' || data.held === 0) return [];
		return [{ id: `${kind}-${id}`, kind: 'DISPUTE', held: majorFromMinor(data.held), since }];
	});
	const rounds = (await openRounds(db, playerId)).map(({ id, game, stake, sinceMs }) => ({
		roundId: String(id),
		game: gameName(providers, game),
		held: majorFromMinor(stake),
		since: isoTime(sinceMs),
	}));
	return {
		exposure: majorFromMinor(wallet?.exposure ?? 0),
		hold: majorFromMinor(wallet?.hold ?? 0),
		bonus: majorFromMinor(wallet?.bonus ?? 0),
		markets,
		rounds,
		others,
	};
}
