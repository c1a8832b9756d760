/**
 * "Your money" adds up: random players bet, settle, cash out, play rounds, deposit and withdraw, and over any time what
 * they had before and all amounts make what they have after. Each amount is the statement's, the profit and loss's and the
 * history's, and the test's own account of what happened.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import type { StepMove, StepRequest } from '#server/exchange/order/workflow.ts';
import { GameWallet } from '#server/money/casino/game-wallet.ts';
import type { Machine } from '#server/money/funds/machine.ts';
import { BONUS } from '#server/money/funds/machines/bonus.ts';
import { COINS } from '#server/money/funds/machines/coins.ts';
import { DEPOSIT } from '#server/money/funds/machines/deposit.ts';
import { DISPUTE } from '#server/money/funds/machines/dispute.ts';
import { PAYMENT } from '#server/money/funds/machines/payment.ts';
import { WITHDRAWAL } from '#server/money/funds/machines/withdrawal.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { IS_WHOLE } from '../support/whole-run.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

const minor = (major: number): number => Math.round(major * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

type Summary = ResultOf<Calls['getMoneySummary']>;
type Row = ResultOf<Calls['getTransactionHistory']>['items'][number];

/** Everything that the test lets happen to one player, and its own account of it, in minor units. */
class Life {
	readonly player: Player;
	readonly #other: Player;
	readonly #random: SeededNumbers;
	readonly #rounds: GameWallet;
	/** By game, what decided rounds made, and by category what came from outside. */
	readonly made = new Map<string, number>();
	readonly #open: { id: number; game: string; stake: number; paid: number }[] = [];
	readonly #paused: { machine: string; amount: number }[] = [];
	#matches: TestMatch[] = [];
	#settled: TestMatch[] = [];

	constructor(player: Player, other: Player, random: SeededNumbers) {
		this.player = player;
		this.#other = other;
		this.#random = random;
		this.#rounds = new GameWallet(server.running.exchange);
	}

	#add(name: string, amount: number): void {
		this.made.set(name, (this.made.get(name) ?? 0) + amount);
	}

	get #owner() {
		return { walletId: this.player.userId, pool: 'DEMO' } as const;
	}

	#amount(): number {
		return 100 + this.#random.below(20_000);
	}

	/** One act; what the player cannot afford is refused and changes nothing. */
	async act(): Promise<void> {
		await this.#random.from([
			() => this.#bet(),
			() => this.#bet(),
			() => this.#settle(),
			() => this.#resettle(),
			() => this.#cashOut(),
			() => this.#beginRound(),
			() => this.#beginRound(),
			() => this.#goOn(),
			() => this.#decideRound(),
			() => this.#decideRound(),
			() => this.#playAtOnce(),
			() => this.#fromOutside(),
			() => this.#hold(),
			() => this.#endHold(),
		])();
	}

	/** Both sides, at odds and stakes that leave halves of a minor unit; some meet, some rest. */
	async #bet(): Promise<void> {
		if (this.#matches.length < 2) {
			const sportId = this.#random.from([1, 3]);
			this.#matches.push(await openTestMatch(server, { sportId }));
		}
		const match = this.#random.from(this.#matches);
		const price = this.#random.from([1.37, 2.02, 3.05]);
		const stake = this.#amount() / 100;
		const runnerId = this.#random.from(match.runnerIds);
		const side = this.#random.from(['BACK', 'LAY'] as const);
		const against = side === 'BACK' ? 'LAY' : 'BACK';
		await server.call('placeBetV2', betOn(match, { runnerId, side, price, stake }), this.player.token);
		const part = this.#random.chance(70) ? stake : stake - 1;
		if (part > 0)
			await server.call(
				'placeBetV2',
				betOn(match, { runnerId, side: against, price, stake: minor(part) / 100 }),
				this.#other.token,
			);
	}

	async #settle(): Promise<void> {
		const match = this.#matches.pop();
		if (!match) return;
		if (this.#random.chance(20)) await match.market.void();
		else await match.market.settle({ winners: [this.#random.below(2)] });
		this.#settled.push(match);
	}

	async #resettle(): Promise<void> {
		const match = this.#settled.pop();
		if (!match) return;
		await server.act('reopen', { marketId: match.marketId });
		if (this.#random.chance(70)) await match.market.settle({ winners: [this.#random.below(2)] });
		else this.#matches.push(match);
	}

	async #cashOut(): Promise<void> {
		const match = this.#matches[0];
		if (!match) return;
		for (const [side, price] of [
			['BACK', 1.5],
			['LAY', 1.3],
		] as const)
			await server.call('placeBetV2', betOn(match, { side, price, stake: 500.01 }), this.#other.token);
		const { body } = await server.call('cashOutQuote', { marketId: match.marketId }, this.player.token);
		if (!body.result) return;
		const { quoteVersion } = body.result;
		const asked = { marketId: match.marketId, fraction: 0.5, quoteVersion, clientRequestId: freshRequestId() };
		await server.call('cashOut', asked, this.player.token);
	}

	async #beginRound(): Promise<void> {
		const game = this.#random.from(['crash', 'teen-patti', 'studio-game']);
		const stake = this.#amount();
		const data = { game, round: 1, slot: 1, stake, terms: {}, payout: 0, outcome: null };
		const receipt = await this.#rounds.bet(this.#owner, { data, stake }, {});
		this.#open.push({ id: receipt.workflows?.[0]?.id ?? 0, game, stake, paid: 0 });
	}

	/** A round that goes on: a further stake, a stake that is given back in part, a win before the end, or only a word. */
	async #goOn(): Promise<void> {
		const round = this.#open.at(-1);
		if (!round) return;
		const amount = this.#amount();
		const back = Math.floor(round.stake / 2);
		const what = this.#random.below(4);
		if (what === 0) round.stake += amount;
		if (what === 1) round.stake -= back;
		if (what === 2) round.paid += amount;
		const { game, stake, paid } = round;
		await this.#rounds.act(
			this.#owner,
			round.id,
			{
				data: what === 3 ? { event: 'dealt' } : { game, stake, payout: paid },
				...(what === 0 ? { stake: amount } : {}),
				...(what === 1 ? { payout: back } : what === 2 ? { payout: amount } : {}),
			},
			{},
		);
		if (what === 2) this.#add(game, amount);
	}

	async #decideRound(): Promise<void> {
		const round = this.#open.shift();
		if (!round) return;
		const { id, game, stake } = round;
		if (this.#random.chance(20)) {
			await this.#rounds.rollback(this.#owner, id, { data: { payout: stake }, payout: stake }, {});
			return;
		}
		const payout = this.#random.chance(50) ? 0 : this.#amount();
		const atRisk = { game, round: null, amount: stake };
		await this.#rounds.settle(this.#owner, id, { data: { payout }, payout, atRisk }, {});
		this.#add(game, payout - stake);
		if (this.#random.chance(70)) return;
		const corrected = this.#random.below(400) - 200;
		const data = { payout: payout + corrected };
		await this.#rounds.adjust(this.#owner, { id, state: 'SETTLED' }, { data, amount: corrected, claims: [] });
		this.#add(game, corrected);
	}

	async #playAtOnce(): Promise<void> {
		const stake = this.#amount();
		const payout = this.#random.chance(30) ? stake : this.#random.below(2 * stake);
		const data = { game: 'dice', stake, payout };
		const atRisk = { game: 'dice', round: null, amount: stake };
		await this.#rounds.betWin(this.#owner, { data, stake, payout, atRisk }, {});
		this.#add('dice', payout - stake);
	}

	/** The moves of a machine's row, as a workflow of its own that no part of the server goes on with. */
	async #moved(kind: StepRequest['workflow'], rows: Machine['rows'], event: string, amount: number): Promise<void> {
		const moves = rows.find((row) => row.event === event && row.moves)?.moves ?? [];
		const step: StepRequest = {
			workflow: kind,
			from: null,
			to: 'TEST',
			isOpen: false,
			actor: 'test',
			data: { amount },
			moves: moves.slice(0, 1).map(({ debit, credit }): StepMove => ({ debit, credit, amount })),
		};
		await server.running.exchange.submit({ kind: 'transfer', ...this.#owner, steps: [step] });
	}

	async #fromOutside(): Promise<void> {
		const amount = this.#amount();
		const [machine, event, category, sign] = this.#random.from([
			[PAYMENT, 'succeeded', 'DEPOSIT', 1],
			[DEPOSIT, 'approve', 'DEPOSIT', 1],
			[DEPOSIT, 'reverse', 'DEPOSIT', -1],
			[WITHDRAWAL, 'return', 'WITHDRAWAL', 1],
			[COINS, 'give', 'BONUS', 1],
			[BONUS, 'give', 'BONUS', 1],
			[BONUS, 'claw-back', 'BONUS', -1],
		] as const);
		await this.#moved(machine.kind, machine.rows as Machine['rows'], event, amount);
		this.#add(category, sign * amount);
	}

	async #hold(): Promise<void> {
		const amount = this.#amount();
		const machine = this.#random.from(['WITHDRAWAL', 'DISPUTE'] as const);
		const rows = (machine === 'DISPUTE' ? DISPUTE : WITHDRAWAL).rows as Machine['rows'];
		await this.#moved(machine, rows, machine === 'DISPUTE' ? 'open' : 'request', amount);
		this.#paused.push({ machine, amount });
	}

	/** A withdrawal is paid out or comes back, a dispute is lost or won. */
	async #endHold(): Promise<void> {
		const held = this.#paused.shift();
		if (!held) return;
		const { machine, amount } = held;
		const isGone = this.#random.chance(50);
		if (machine === 'DISPUTE')
			await this.#moved('DISPUTE', DISPUTE.rows as Machine['rows'], isGone ? 'lost' : 'won', amount);
		else await this.#moved('WITHDRAWAL', WITHDRAWAL.rows as Machine['rows'], isGone ? 'pay-out' : 'cancel', amount);
		if (isGone) this.#add(machine === 'DISPUTE' ? 'DEPOSIT' : 'WITHDRAWAL', -amount);
	}

	/** By the test's own account. */
	get stakesAtRisk(): number {
		return sum(this.#open.map(({ stake }) => stake));
	}
}

/** The player's money by the calls that show it now, minor units. */
async function standing({ token }: Player) {
	const { balance } = await server.result('getUserInfo', {}, token);
	const { exposure, hold, rounds } = await server.result('getHeldMoney', {}, token);
	return { balance: minor(balance), held: minor(exposure) + minor(hold) + sum(rounds.map(({ held }) => minor(held))) };
}

async function allRows({ token }: Player, filter: Record<string, string>): Promise<Row[]> {
	const rows: Row[] = [];
	for (;;) {
		const paging = { maxResultCount: '200', skipCount: String(rows.length) };
		const { items, totalCount } = await server.result('getTransactionHistory', { ...filter, ...paging }, token);
		rows.push(...items);
		if (items.length === 0 || rows.length >= totalCount) return rows;
	}
}

const amountOf = ({ sports, casino, others }: Summary): number =>
	sum([...sports, ...casino].map(({ net }) => minor(net))) + sum(others.map(({ amount }) => minor(amount)));
const moneyIn = ({ balance, held }: Summary['before']): number => minor(balance) + minor(held);

/** Each amount is the sum of the rows that it opens, and the totals of the statement's filter say the same. */
async function expectRows(player: Player, summary: Summary, period: Record<string, string>): Promise<void> {
	const opens = [
		...summary.sports.map(({ sportId, net }) => ({ by: { category: 'SPORTS', sportId: String(sportId) }, net })),
		...summary.casino.map(({ game, net }) => ({ by: { category: 'CASINO', game }, net })),
		...summary.others.map(({ category, amount }) => ({ by: { category }, net: amount })),
	];
	for (const { by, net } of opens) {
		const rows = await allRows(player, { ...period, ...by });
		expect([by, sum(rows.map(({ amount }) => minor(amount)))]).toEqual([by, minor(net)]);
		const totals = await server.result('getTransactionHistory', { ...period, ...by } as never, player.token);
		expect([by, minor(totals.credited) - minor(totals.debited), totals.held]).toEqual([by, minor(net), 0]);
	}
	const { credited, debited, held } = await server.result('getTransactionHistory', period, player.token);
	expect(minor(credited) - minor(debited)).toBe(amountOf(summary));
	expect(minor(held)).toBe(minor(summary.after.held) - minor(summary.before.held));
}

/** Profit and loss, sport by sport. */
async function expectProfitLoss({ token }: Player, summary: Summary, period: Record<string, string>): Promise<void> {
	for (const { sportId, net, commission, credited, debited } of summary.sports) {
		const same = await server.result('getUserProfitLoss', { ...period, sportId }, token);
		expect([sportId, minor(same.profit), minor(same.commission)]).toEqual([sportId, minor(net), minor(commission)]);
		expect(minor(credited) - minor(debited)).toBe(minor(same.net));
	}
	const all = await server.result('getUserProfitLoss', period, token);
	expect(minor(all.profit)).toBe(sum(summary.sports.map(({ net }) => minor(net))));
	expect(sum(all.days.map(({ profit }) => minor(profit)))).toBe(minor(all.profit));
}

/** Of random lives. */
const SEEDS = IS_WHOLE ? [1, 2, 3] : [1];

describe('getMoneySummary', () => {
	it.each(SEEDS)(
		'getMoneySummary: success, before and all amounts make after, over any time (seed %i)',
		{ tags: 'thorough' },
		async (seed) => {
			const random = new SeededNumbers(seed);
			const [player, other] = [await server.demoPlayer(), await server.demoPlayer()];
			const life = new Life(player, other, random);
			const marks: { at: number; balance: number; held: number }[] = [];
			for (let turn = 0; turn < 4; turn++) {
				for (let act = 0; act < 14; act++) await life.act().catch(refusedOnly);
				const now = await standing(player);
				const [newest] = await allRows(player, {});
				marks.push({ at: Date.parse(newest?.at ?? ''), ...now });
				const all = await server.result('getMoneySummary', {}, player.token);
				expect(all.before).toEqual({ balance: 0, held: 0 });
				expect({ balance: minor(all.after.balance), held: minor(all.after.held) }).toEqual(now);
				expect(amountOf(all)).toBe(now.balance + now.held);
			}
			for (const [first, from] of marks.entries()) {
				for (const to of marks.slice(first + 1)) {
					const period = { from: new Date(from.at + 1).toISOString(), to: new Date(to.at).toISOString() };
					const summary = await server.result('getMoneySummary', period, player.token);
					expect([moneyIn(summary.before), minor(summary.before.held)]).toEqual([from.balance + from.held, from.held]);
					expect([moneyIn(summary.after), minor(summary.after.held)]).toEqual([to.balance + to.held, to.held]);
					expect(moneyIn(summary.before) + amountOf(summary)).toBe(moneyIn(summary.after));
					await expectRows(player, summary, period);
					await expectProfitLoss(player, summary, period);
				}
			}

			// By the test's own account, and by the bets of the history.
			const all = await server.result('getMoneySummary', {}, player.token);
			const granted = 2_000_000;
			const shown = new Map([
				...all.casino.map(({ game, net }) => [game, minor(net)] as const),
				...all.others.map(
					({ category, amount }) => [String(category), minor(amount) - (category === 'BONUS' ? granted : 0)] as const,
				),
			]);
			for (const [name, amount] of life.made) expect([name, shown.get(name) ?? 0]).toEqual([name, amount]);
			const { exposure, hold } = await server.result('getHeldMoney', {}, player.token);
			expect(minor(all.after.held)).toBe(minor(exposure) + minor(hold) + life.stakesAtRisk);
			const history = await server.result('getUserBetHistory', { maxResultCount: 200 }, player.token);
			const settled = history.items.filter(({ result }) => result === 'WON' || result === 'LOST');
			expect(sum(settled.map(({ profit }) => minor(profit)))).toBe(
				sum(all.sports.map(({ net, commission }) => minor(net) + minor(commission))),
			);
			// The rows follow one another to the balance.
			const rows = await allRows(player, {});
			for (const [at, row] of rows.entries())
				expect(minor(row.balanceAfter) - minor(row.amount)).toBe(minor(rows[at + 1]?.balanceAfter ?? 0));
			expect(rows[0]?.balanceAfter).toBe(all.after.balance);
		},
	);

	it('getMoneySummary: success, a round is held while it goes on, and is a row that names its game when it is lost', async () => {
		const { token, userId } = await server.demoPlayer();
		const rounds = new GameWallet(server.running.exchange);
		const owner = { walletId: userId, pool: 'DEMO' } as const;
		const begun = await rounds.bet(owner, { data: { game: 'crash', stake: 1_050, payout: 0 }, stake: 1_050 }, {});
		const open = await server.result('getMoneySummary', {}, token);
		expect(open).toMatchObject({ after: { balance: 19_989.5, held: 10.5 }, casino: [] });
		const { held, debited, items } = await server.result('getTransactionHistory', {}, token);
		expect({ held, debited }).toEqual({ held: 10.5, debited: 0 });
		expect(items[0]).toMatchObject({ kind: 'CASINO_RESERVED', category: 'HELD', game: 'Crash', amount: -10.5 });
		const atRisk = { game: 'crash', round: null, amount: 1_050 };
		const id = begun.workflows?.[0]?.id ?? 0;
		await rounds.settle(owner, id, { data: { payout: 0 }, payout: 0, atRisk }, {});
		const lost = await server.result('getMoneySummary', {}, token);
		expect(lost).toMatchObject({
			after: { balance: 19_989.5, held: 0 },
			casino: [{ game: 'crash', name: 'Crash', count: 1, credited: 0, debited: 10.5, net: -10.5 }],
		});
		const rows = await server.result('getTransactionHistory', { category: 'CASINO', game: 'crash' }, token);
		expect(rows.items).toMatchObject([{ kind: 'CASINO', game: 'Crash', reference: String(id), amount: -10.5 }]);
		const detail = await server.result('getTransactionDetail', { id: rows.items[0]?.id ?? '' }, token);
		expect(detail).toMatchObject({ amount: -10.5, game: 'Crash', market: null, bets: [] });
	});

	it('getMoneySummary: refusal of an invalid time', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('getMoneySummary', { from: 'yesterday' }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getMoneySummary: not logged in', async () => {
		expect((await server.call('getMoneySummary', {})).status).toBe(401);
	});
});

/** What the player cannot afford. */
function refusedOnly(error: unknown): void {
	if ((error as { code?: string }).code === undefined) throw error;
}
