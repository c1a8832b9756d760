/**
 * A model of several writers: a ledger shard with the players' cash, and market shards with what each player may lose there.
 * Each shard is a state machine whose state is durable after each step, as the engine's is after a batch; a crash loses the
 * step that is not durable, or only the messages that the step would have sent. Messages are lost, repeated and late.
 */
import type { SeededNumbers } from '../reference/random-commands.ts';

export const LEDGER = 0;
export const OUTCOMES = 2;

/** An amount on its way from one shard to another. The receiver's first decision about an id stands. */
interface Transfer {
	id: string;
	player: number;
	amount: number;
	from: number;
	to: number;
	/** The sender has asked for it back; the receiver decides. */
	isRecalled: boolean;
}

type Decision = 'TAKEN' | 'DECLINED';

type Message =
	| { kind: 'offer'; transfer: Transfer }
	| { kind: 'decided'; id: string; decision: Decision; from: number; to: number };

/** A market: what each player gains by outcome. All its players' bets are in one shard, so a settlement is local. */
interface Market {
	gains: Map<number, number[]>;
}

/** What is durable in a shard. */
interface ShardState {
	/** Of the ledger: cash. Of a market shard: the most that its player may lose there, with what is held. */
	balances: Map<number, number>;
	/** What it has sent and no decision is known of. */
	sent: Map<string, Transfer>;
	/** What it has decided about what came in. */
	decisions: Map<string, Decision>;
	markets: Map<number, Market>;
	nextTransfer: number;
}

/** Ways to get the protocol wrong, which the test has to find. */
export type Mistake =
	| 'forgets what it has taken'
	| 'takes back without asking'
	| 'sends before it is durable'
	| 'gives away what its bets hold';

const emptyState = (): ShardState => ({
	balances: new Map(),
	sent: new Map(),
	decisions: new Map(),
	markets: new Map(),
	nextTransfer: 1,
});

/** The most that a player can lose in a shard: markets do not net with one another. */
export function exposureIn({ markets }: Pick<ShardState, 'markets'>, player: number): number {
	let exposure = 0;
	for (const { gains } of markets.values()) exposure += Math.max(0, -Math.min(...(gains.get(player) ?? [0])));
	return exposure;
}

export class ShardedExchange {
	readonly #numbers: SeededNumbers;
	readonly #mistake: Mistake | null;
	readonly #crashPercent: number;
	/** The first one is the ledger. */
	readonly #shards: ShardState[];
	readonly #network: Message[] = [];
	crashes = 0;
	nextMarket = 1;

	constructor(
		numbers: SeededNumbers,
		{ shards, crashPercent, mistake }: { shards: number; crashPercent: number; mistake: Mistake | null },
	) {
		this.#numbers = numbers;
		this.#crashPercent = crashPercent;
		this.#mistake = mistake;
		this.#shards = Array.from({ length: shards + 1 }, emptyState);
	}

	get shards(): readonly Readonly<ShardState>[] {
		return this.#shards;
	}

	deposit(player: number, amount: number): void {
		const { balances } = this.#state(LEDGER);
		balances.set(player, (balances.get(player) ?? 0) + amount);
	}

	/** What a player may send from a shard: cash, or what no bet there holds. */
	free(shard: number, player: number): number {
		const state = this.#state(shard);
		return (
			(state.balances.get(player) ?? 0) -
			(this.#mistake === 'gives away what its bets hold' ? 0 : exposureIn(state, player))
		);
	}

	/** Starts a transfer; false when the player has less than that to give. */
	send(from: number, to: number, player: number, amount: number): boolean {
		if (amount <= 0 || this.free(from, player) < amount) return false;
		this.#step(from, (state) => {
			const transfer = { id: `${from}.${state.nextTransfer++}`, player, amount, from, to, isRecalled: false };
			state.balances.set(player, (state.balances.get(player) ?? 0) - amount);
			state.sent.set(transfer.id, transfer);
			return [{ kind: 'offer', transfer }];
		});
		return true;
	}

	/** A sender that has waited too long asks for its money back; the receiver may have taken it. */
	recall(shard: number): void {
		const waiting = [...this.#state(shard).sent.values()];
		if (waiting.length === 0) return;
		const { id } = this.#numbers.from(waiting);
		this.#step(shard, (state) => {
			const transfer = { ...(state.sent.get(id) as Transfer), isRecalled: true };
			if (this.#mistake === 'takes back without asking') {
				state.sent.delete(id);
				state.balances.set(transfer.player, (state.balances.get(transfer.player) ?? 0) + transfer.amount);
				return [];
			}
			state.sent.set(id, transfer);
			return [{ kind: 'offer', transfer }];
		});
	}

	/** A match between two players; false when one of them may not lose that much there. */
	match(shard: number, marketId: number, stakes: ReadonlyMap<number, number>, backedOutcome: number): boolean {
		const state = this.#state(shard);
		const [[backer, stake], [layer, liability]] = [...stakes] as [[number, number], [number, number]];
		const trial: ShardState = structuredClone(state);
		this.#addGain(trial, marketId, backer, { outcome: backedOutcome, wins: liability, loses: -stake });
		this.#addGain(trial, marketId, layer, { outcome: backedOutcome, wins: -liability, loses: stake });
		for (const player of stakes.keys()) if (exposureIn(trial, player) > (trial.balances.get(player) ?? 0)) return false;
		this.#step(shard, (durable) => {
			Object.assign(durable, structuredClone(trial));
			return [];
		});
		return true;
	}

	#addGain(
		state: ShardState,
		marketId: number,
		player: number,
		{ outcome, wins, loses }: { outcome: number; wins: number; loses: number },
	): void {
		const market = state.markets.get(marketId) ?? { gains: new Map<number, number[]>() };
		const gains = market.gains.get(player) ?? Array.from({ length: OUTCOMES }, () => 0);
		market.gains.set(
			player,
			gains.map((gain, at) => gain + (at === outcome ? wins : loses)),
		);
		state.markets.set(marketId, market);
	}

	/** Moves the market's money within its shard. @returns what each player won or lost, when the step is durable */
	settle(shard: number, marketId: number, winner: number): Map<number, number> {
		const gains = this.#state(shard).markets.get(marketId)?.gains ?? new Map<number, number[]>();
		const isDurable = this.#step(shard, (state) => {
			for (const [player, of] of gains)
				state.balances.set(player, (state.balances.get(player) ?? 0) + (of[winner] ?? 0));
			state.markets.delete(marketId);
			return [];
		});
		return new Map(isDurable ? [...gains].map(([player, of]) => [player, of[winner] ?? 0]) : []);
	}

	/** Delivers any message, or loses it, or delivers it and keeps it for later. */
	deliver(): void {
		if (this.#network.length === 0) return;
		const at = this.#numbers.below(this.#network.length);
		const message = this.#network[at] as Message;
		const fate = this.#numbers.below(10);
		if (fate !== 0) this.#network.splice(at, 1);
		if (fate === 1) return;
		if (message.kind === 'offer') this.#decide(message.transfer);
		else this.#conclude(message);
	}

	/** Every sender repeats what it knows no decision of, as it does after a crash and after a while. */
	repeatOffers(): void {
		for (const { sent } of this.#shards) {
			for (const transfer of sent.values()) this.#network.push({ kind: 'offer', transfer });
		}
	}

	/** The receiver takes an offer once; one that was recalled before it came is declined for ever. */
	#decide(transfer: Transfer): void {
		const { id, player, amount, from, to, isRecalled } = transfer;
		this.#step(to, (state) => {
			let decision = state.decisions.get(id);
			if (!decision) {
				decision = isRecalled ? 'DECLINED' : 'TAKEN';
				if (this.#mistake !== 'forgets what it has taken') state.decisions.set(id, decision);
				if (decision === 'TAKEN') state.balances.set(player, (state.balances.get(player) ?? 0) + amount);
			}
			return [{ kind: 'decided', id, decision, from: to, to: from }];
		});
	}

	#conclude({ id, decision, to }: Message & { kind: 'decided' }): void {
		const transfer = this.#state(to).sent.get(id);
		if (!transfer) return;
		this.#step(to, (state) => {
			state.sent.delete(id);
			if (decision === 'DECLINED')
				state.balances.set(transfer.player, (state.balances.get(transfer.player) ?? 0) + transfer.amount);
			return [];
		});
	}

	/** @returns true when the step became durable */
	#step(shard: number, change: (state: ShardState) => Message[]): boolean {
		const next = structuredClone(this.#state(shard));
		const messages = change(next);
		const crash = this.#numbers.chance(this.#crashPercent) ? this.#numbers.below(2) : null;
		if (crash !== null) this.crashes += 1;
		const isLost = crash === 0;
		if (!isLost) this.#shards[shard] = next;
		if (crash === null || (isLost && this.#mistake === 'sends before it is durable')) this.#network.push(...messages);
		return !isLost;
	}

	#state(shard: number): ShardState {
		return this.#shards[shard] as ShardState;
	}
}
