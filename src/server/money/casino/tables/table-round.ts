/**
 * One round and its bets. A bet is a workflow of the kind CASINO: OPEN from the stake to the result, then SETTLED or
 * VOID. Its outcome is decided here in memory, at one instant; it is answered and shown when it is durable. A decision
 * of the round is durable when the bet is settled; a decision of the player is written first, and paid afterwards.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Admission, Receipt, RequestKey } from '#server/exchange/exchange.ts';
import type { CasinoWorkflow, RoundAtRisk } from '#server/exchange/order/workflow.ts';
import type { TableBetData, WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { GameWallet, Player } from '#server/money/casino/game-wallet.ts';
import { DecisionWriter, type WriteDecisions } from '#server/money/casino/tables/decision-writer.ts';
import { BackOff } from '#server/platform/pacing/back-off.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { ERRORS, Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

/** A bet that its player requests. */
export interface Ticket<Terms> {
	player: Player;
	loginId: string;
	/** As other players see it. */
	name: string;
	/** Each of a player's slots takes one bet per round, counted from 1. */
	slot: number;
	/** Minor units. */
	stake: number;
	terms: Terms;
	key: RequestKey;
	/** The accounts of the player's person in the pool, this one included. */
	accounts: () => readonly WalletId[];
	/** Called where the bet is ordered, with the person's total stake in the round, this bet included; minor units. */
	admission: (inRound: number) => Admission;
	/** Called before the bet is queued for the next round. @throws Refused the reason that bars the player */
	admitWaiting: () => void;
}

type TableBetState = 'OPEN' | 'SETTLED' | 'VOID';

export interface TableBet<Terms> {
	/** Of its workflow. */
	readonly id: number;
	readonly round: number;
	readonly player: Player;
	readonly name: string;
	readonly slot: number;
	readonly stake: number;
	readonly terms: Terms;
	/** As decided, durable or not. */
	state: TableBetState;
	/** The current state can no longer be undone. */
	isDurable: boolean;
	/** Resolves when the decision is durable; null before a decision, and if an earlier process made it durable. */
	standing: Promise<unknown> | null;
	/** Minor units; zero while it is open. */
	payout: number;
	/** The game's details of the decision, such as the multiplier. */
	outcome: WorkflowData;
	/** Resolves when the bet is settled in the ledger; null while it is open, and if an earlier process settled it. */
	settling: Promise<Receipt | null> | null;
	isSettled: boolean;
}

/** The workflow of a bet. */
export type TableBetWorkflow = CasinoWorkflow<TableBetData>;

/** Whether it is a bet on a shared round: such rounds have seeds of their own. */
export const isShared = (workflow: CasinoWorkflow): workflow is TableBetWorkflow => 'slot' in workflow.data;

interface Decision {
	state: Exclude<TableBetState, 'OPEN'>;
	payout: number;
	outcome: WorkflowData;
}

export type RiskedBet<Terms> = Pick<Ticket<Terms>, 'player' | 'stake' | 'terms'>;

/** The house's possible loss by a pool's bets on one round, for any result; computed by the game. */
export interface RoundRisk<Terms> {
	/** @throws Refused if the game takes no more bets of the player */
	add(bet: RiskedBet<Terms>): void;
	remove(bet: RiskedBet<Terms>): void;
	/** Minor units. */
	readonly mostLoss: number;
}

interface TableRoundOptions<Terms> {
	game: string;
	round: number;
	/** The name of the beacon that the result depends on; null without one. */
	beacon: string | null;
	wallet: GameWallet;
	/** The largest loss that the house accepts in the round in a pool. */
	mostLoss: (pool: Pool) => number;
	newRisk: () => RoundRisk<Terms>;
	/** The largest combined loss of a player's bets, in minor units. */
	lossOf: (bets: readonly RiskedBet<Terms>[]) => number;
	/** Writes players' decisions during the round. */
	writeDecisions: WriteDecisions;
	/** A bet was accepted, or a decision about it is durable. */
	onBet: (bet: TableBet<never>) => void;
}

/**
 * Thousands of bets may end in one instant. They are settled in small portions, so that other requests are not delayed.
 */
const SETTLED_AT_ONCE = 32;
const RETRY = { firstMs: 50, longestMs: 2_000 };

export class TableRound<Terms extends WorkflowData> {
	readonly #options: TableRoundOptions<Terms>;
	readonly #bets = new Map<number, TableBet<Terms>>();
	/** By wallet. */
	readonly #betsOf = new Map<number, TableBet<Terms>[]>();
	/** Taken slots, by wallet and slot, including those of bets in flight. */
	readonly #places = new Set<string>();
	/** Of each pool's bets, including those in flight. */
	readonly #risks = new Map<Pool, RoundRisk<Terms>>();
	readonly #mostLoss = new Map<Pool, number>();
	readonly #decisions: DecisionWriter;
	/** By wallet, minor units. */
	readonly #unpaid = new Map<number, number>();
	readonly #payments = new Turns<'bet'>({ atOnce: SETTLED_AT_ONCE });
	/** Submissions in flight to the ledger. */
	readonly #underWay = new Set<Promise<unknown>>();
	#isBetting = true;
	/** A bet may be in the ledger and not in memory. */
	isUncertain = false;

	constructor(options: TableRoundOptions<Terms>) {
		this.#options = options;
		this.#decisions = new DecisionWriter(options.writeDecisions);
	}

	get number(): number {
		return this.#options.round;
	}

	get isBetting(): boolean {
		return this.#isBetting;
	}

	bets(): TableBet<Terms>[] {
		return [...this.#bets.values()];
	}

	openBets(): TableBet<Terms>[] {
		return this.bets().filter(({ state }) => state === 'OPEN');
	}

	bet(id: number): TableBet<Terms> | null {
		return this.#bets.get(id) ?? null;
	}

	holds(player: Player, slot: number): boolean {
		return this.#places.has(placeOf(player, slot));
	}

	/** The largest possible payout of a pool's open bets, given the stakes and payouts of the others. */
	mostPayout(pool: Pool): number {
		const own = this.bets().filter(({ player, state }) => player.pool === pool && state !== 'VOID');
		return own.reduce((most, { stake, payout }) => most + stake - payout, this.#mostLossOf(pool));
	}

	/**
	 * Takes a bet; resolves when it is durable. A repeated request resolves with the bet that the first one placed, or
	 * with null if that is a bet of an earlier round.
	 * @throws Refused BETTING_CLOSED, SLOT_TAKEN, HOUSE_LIMIT, and refusals of the exchange
	 */
	place(ticket: Ticket<Terms>): Promise<{ bet: TableBet<Terms> | null; receipt: Receipt }> {
		const place = placeOf(ticket.player, ticket.slot);
		if (!this.#isBetting) throw new Refused('BETTING_CLOSED');
		if (this.#places.has(place)) throw new Refused('SLOT_TAKEN');
		this.#places.add(place);
		return this.#tracked(this.#place(ticket, place));
	}

	async #place(ticket: Ticket<Terms>, place: string): Promise<{ bet: TableBet<Terms> | null; receipt: Receipt }> {
		const { player, slot, stake, terms, key, admission } = ticket;
		const { game, round, wallet, beacon } = this.#options;
		const { pool } = player;
		let isNew = false;
		const admit: Admission = (openBets, wallets) => {
			if (!this.#isBetting) throw new Refused('BETTING_CLOSED');
			admission(this.#stakedBy(ticket) + stake)(openBets, wallets);
			this.#risk(ticket);
			isNew = true;
		};
		const data = { game, round, slot, stake, terms, payout: 0, outcome: null, ...(beacon === null ? {} : { beacon }) };
		try {
			// Without a deadline: the round is locked only when all of its bets are known.
			const receipt = await wallet.bet(player, { data, stake }, { key, terms: { admit } });
			if (isNew) return { bet: this.#add(idOf(receipt), ticket), receipt };
			this.#places.delete(place);
			return { bet: this.bet(idOf(receipt)), receipt };
		} catch (error) {
			this.#places.delete(place);
			if (isNew) this.#riskOf(pool).remove(ticket);
			if (isNew && !(error instanceof Refused && ERRORS[error.code].status < 500)) this.isUncertain = true;
			throw error;
		}
	}

	/** @throws Refused BETTING_CLOSED, WRONG_STATE */
	async cancel(bet: TableBet<Terms>): Promise<Receipt> {
		if (!this.#isBetting) throw new Refused('BETTING_CLOSED');
		if (bet.state !== 'OPEN') throw new Refused('WRONG_STATE', { state: bet.state });
		const settled = this.decide(bet, { state: 'VOID', payout: bet.stake, outcome: { cancelled: true } });
		const receipt = await settled;
		this.#places.delete(placeOf(bet.player, bet.slot));
		this.#riskOf(bet.player.pool).remove(bet);
		if (!receipt) throw new Refused('WRONG_STATE');
		return receipt;
	}

	/** Takes no more bets; resolves when every requested bet and cancellation is durable or refused. */
	async lock(): Promise<void> {
		this.#isBetting = false;
		await this.settled();
	}

	/** Resolves when nothing is in flight to the ledger. */
	async settled(): Promise<void> {
		while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
	}

	/**
	 * Called before the round is marked as ended, because no later step settles its bets.
	 * @throws Error if a bet is not settled, for example after another process took over
	 */
	assertSettled(): void {
		if (this.bets().some(({ isSettled }) => !isSettled))
			throw new Error(`round ${this.number} has bets that are not settled`);
	}

	/** A bet in its state in the ledger. The round takes no bets any more, so the risk is not checked again. */
	adopt({ id, walletId, pool, state, data }: TableBetWorkflow, terms: Terms): void {
		if (this.#bets.has(id)) return;
		const { slot, stake, payout, outcome } = data;
		const player = { walletId, pool };
		if (state !== 'VOID') this.#places.add(placeOf(player, slot));
		const bet = this.#add(id, { player, name: '', slot, stake, terms });
		bet.state = state as TableBetState;
		bet.payout = payout;
		bet.outcome = outcome ?? {};
		bet.isSettled = bet.state !== 'OPEN';
	}

	/** Decides a bet finally. The decision becomes durable, however long that takes. */
	decide(bet: TableBet<Terms>, decision: Decision): Promise<Receipt | null> {
		this.#set(bet, decision);
		bet.settling = this.#tracked(this.#settle(bet));
		bet.standing = bet.settling;
		return bet.settling;
	}

	/**
	 * Settles a bet on its player's decision. The decision is durable as soon as it is written, which takes much less
	 * time than the payment. So the player does not wait for the payments of all others who decided in the same instant.
	 */
	decideForPlayer(bet: TableBet<Terms>, { payout, outcome }: Omit<Decision, 'state'>): void {
		this.#set(bet, { state: 'SETTLED', payout, outcome });
		const written = this.#decisions.add({ bet: bet.id, payout, outcome });
		const standing = this.#tracked(this.#stands(bet, written));
		bet.standing = standing;
		bet.settling = this.#tracked(this.#payLater(bet, standing));
	}

	/** Payments follow the answers to all players who decided in the same instant. */
	async #payLater(bet: TableBet<Terms>, standing: Promise<void>): Promise<Receipt | null> {
		await standing;
		await this.#decisions.quiet();
		return await this.#settle(bet);
	}

	/** A player's bets that were not cancelled. */
	betsOf({ walletId }: Player): TableBet<Terms>[] {
		return (this.#betsOf.get(walletId) ?? []).filter(({ state }) => state !== 'VOID');
	}

	/** Minor units. A person's bets are placed one at a time, so none is in flight. */
	#stakedBy({ player, accounts }: Ticket<Terms>): number {
		const bets = accounts().flatMap((walletId) => this.betsOf({ ...player, walletId }));
		return bets.reduce((sum, { stake }) => sum + stake, 0);
	}

	/** The unpaid amount of the player's final decisions, in minor units. */
	unpaidTo({ walletId }: Player): number {
		return this.#unpaid.get(walletId) ?? 0;
	}

	#set(bet: TableBet<Terms>, { state, payout, outcome }: Decision): void {
		if (bet.state !== 'OPEN') throw new Error(`bet ${bet.id} was decided before`);
		bet.state = state;
		bet.payout = payout;
		bet.outcome = outcome;
		bet.isDurable = false;
	}

	/** @throws Refused OUTCOME_UNKNOWN if the process stops, or another one runs the game and knows what was written */
	async #stands(bet: TableBet<Terms>, written: Promise<void>): Promise<void> {
		await written.catch(() => {
			throw new Refused('OUTCOME_UNKNOWN');
		});
		bet.isDurable = true;
		this.#unpaid.set(bet.player.walletId, this.unpaidTo(bet.player) + bet.payout);
	}

	#settle(bet: TableBet<Terms>): Promise<Receipt | null> {
		return this.#payments.take('bet', () => this.#settleNow(bet));
	}

	async #settleNow(bet: TableBet<Terms>): Promise<Receipt | null> {
		const { wallet } = this.#options;
		const { id, player, payout, outcome } = bet;
		const backOff = new BackOff(RETRY);
		for (;;) {
			try {
				const step = { data: { payout, outcome }, payout, atRisk: this.#atRiskOf(player) };
				const receipt =
					bet.state === 'VOID'
						? await wallet.rollback(player, id, step, {})
						: await wallet.settle(player, id, step, {});
				return this.#isSettled(bet, receipt);
			} catch (error) {
				// An earlier attempt was written, and its answer was lost.
				if (error instanceof Refused && error.code === 'WRONG_STATE') return this.#isSettled(bet, null);
				if (error instanceof Refused && error.code === 'DRAINING') throw error;
				if (!(error instanceof Refused) || ERRORS[error.code].status < 500) throw error;
				await delay(backOff.failed(), undefined, { ref: false });
			}
		}
	}

	/** Of all of the player's bets that stand. A later void bet corrects what a settled bet has written. */
	#atRiskOf(player: Player): RoundAtRisk {
		const { game, round, lossOf } = this.#options;
		return { game, round, amount: lossOf(this.betsOf(player)) };
	}

	#isSettled(bet: TableBet<Terms>, receipt: Receipt | null): Receipt | null {
		bet.isSettled = true;
		if (bet.isDurable) this.#unpaid.set(bet.player.walletId, this.unpaidTo(bet.player) - bet.payout);
		bet.isDurable = true;
		this.#options.onBet(bet as TableBet<never>);
		return receipt;
	}

	#add(
		id: number,
		{ player, name, slot, stake, terms }: Pick<Ticket<Terms>, 'player' | 'name' | 'slot' | 'stake' | 'terms'>,
	): TableBet<Terms> {
		const bet: TableBet<Terms> = {
			id,
			round: this.number,
			player,
			name,
			slot,
			stake,
			terms,
			state: 'OPEN',
			isDurable: true,
			standing: null,
			payout: 0,
			outcome: {},
			settling: null,
			isSettled: false,
		};
		this.#bets.set(id, bet);
		this.#betsOf.set(player.walletId, [...(this.#betsOf.get(player.walletId) ?? []), bet]);
		this.#options.onBet(bet as TableBet<never>);
		return bet;
	}

	#mostLossOf(pool: Pool): number {
		// The house's largest accepted loss is fixed when the round's first bet arrives.
		const known = this.#mostLoss.get(pool) ?? this.#options.mostLoss(pool);
		this.#mostLoss.set(pool, known);
		return known;
	}

	#riskOf(pool: Pool): RoundRisk<Terms> {
		const known = this.#risks.get(pool) ?? this.#options.newRisk();
		this.#risks.set(pool, known);
		return known;
	}

	/**
	 * Takes the risk of a bet. @throws Refused as RoundRisk.add does, HOUSE_LIMIT if the possible loss of the house
	 * exceeds the limit
	 */
	#risk(bet: RiskedBet<Terms>): void {
		const { pool } = bet.player;
		const risk = this.#riskOf(pool);
		risk.add(bet);
		if (risk.mostLoss <= this.#mostLossOf(pool)) return;
		risk.remove(bet);
		throw new Refused('HOUSE_LIMIT');
	}

	#tracked<Result>(task: Promise<Result>): Promise<Result> {
		const done: Promise<unknown> = Promise.allSettled([task]).finally(() => this.#underWay.delete(done));
		this.#underWay.add(done);
		return task;
	}
}

const placeOf = ({ walletId }: Player, slot: number): string => `${walletId}.${slot}`;

const idOf = (receipt: Receipt): number => {
	const id = receipt.workflows?.[0]?.id;
	if (id === undefined) throw new Error('the receipt of a bet names no workflow');
	return id;
};
