/**
 * The only place that moves money of rounds between a player's cash and the `casino` account. A round is a workflow of
 * the kind CASINO: OPEN while its stake is at risk, then SETTLED with its payout, or VOID with its stake returned.
 */
import type { Exchange, Receipt, RequestKey, SubmitTerms } from '#server/exchange/exchange.ts';
import type { RoundAtRisk, StepMove, StepRequest } from '#server/exchange/order/workflow.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

type RoundState = 'OPEN' | 'SETTLED' | 'VOID';

/** The player, and the terms on which the command is submitted. */
export interface Player {
	walletId: WalletId;
	pool: Pool;
}
export interface Submission {
	key?: RequestKey;
	terms?: SubmitTerms;
}

interface Step {
	data: WorkflowData;
	/** Minor units that the player adds to the stake; zero for none. */
	stake?: AnyMinor;
	/** Minor units that the player receives; zero for none. */
	payout?: AnyMinor;
	claims?: readonly string[];
	/** Replaces the postings that follow from stake and payout. */
	moves?: readonly StepMove[];
	/** The operator who acts; absent for the player and the server. */
	actor?: string;
	atRisk?: RoundAtRisk;
}

/** A step that decides a round. */
interface DecidingStep extends Step {
	/** The largest combined loss of the player's bets on the round. */
	atRisk: RoundAtRisk;
}

const movesOf = ({ stake = 0, payout = 0 }: Step): StepMove[] => [
	...(stake > 0 ? [{ debit: 'cash', credit: 'casino', amount: stake } as const] : []),
	...(payout > 0 ? [{ debit: 'casino', credit: 'cash', amount: payout } as const] : []),
];

export class GameWallet {
	readonly #exchange: Pick<Exchange, 'submit'>;

	constructor(exchange: Pick<Exchange, 'submit'>) {
		this.#exchange = exchange;
	}

	/** Stake and payout at once: a round that is decided by its bet. */
	betWin(player: Player, step: DecidingStep, submission: Submission): Promise<Receipt> {
		return this.#submit(player, { from: null, to: 'SETTLED' }, step, submission);
	}

	/** Takes the stake of a round that stays open. */
	bet(player: Player, step: Step, submission: Submission): Promise<Receipt> {
		return this.#submit(player, { from: null, to: 'OPEN' }, step, submission);
	}

	/** A decision of the player; it may raise the stake. */
	act(player: Player, id: number, step: Step, submission: Submission): Promise<Receipt> {
		return this.#submit(player, { id, from: 'OPEN', to: 'OPEN' }, step, submission);
	}

	/** Ends a round and pays it; a lost one pays zero. */
	settle(player: Player, id: number, step: DecidingStep, submission: Submission): Promise<Receipt> {
		return this.#submit(player, { id, from: 'OPEN', to: 'SETTLED' }, step, submission);
	}

	/** Voids a round. @param step pays back the player's whole stake */
	rollback(player: Player, id: number, step: Step, submission: Submission): Promise<Receipt> {
		return this.#submit(player, { id, from: 'OPEN', to: 'VOID' }, step, submission);
	}

	/**
	 * Corrects the payout of a round, also after its end. A negative amount takes money back, even if the player has
	 * spent it.
	 */
	adjust(
		player: Player,
		{ id, state }: { id: number; state: string },
		{
			amount,
			...step
		}: {
			data: WorkflowData;
			amount: AnyMinor;
			claims: readonly string[];
			/** Given if the correction changes it. */
			atRisk?: RoundAtRisk;
		},
	): Promise<Receipt> {
		const change = { id, from: state as RoundState, to: state as RoundState };
		if (amount >= 0) return this.#submit(player, change, { ...step, payout: amount }, {});
		const taken = [{ debit: 'cash', credit: 'casino', amount: -amount, mayOverdraw: true } as const];
		return this.#submit(player, change, { ...step, moves: taken }, {});
	}

	#submit(
		{ walletId, pool }: Player,
		change: { id?: number; from: RoundState | null; to: RoundState },
		step: Step,
		{ key, terms }: Submission,
	): Promise<Receipt> {
		const request: StepRequest = {
			...change,
			workflow: 'CASINO',
			isOpen: change.to === 'OPEN',
			actor: step.actor ?? (key ? 'player' : 'server'),
			data: step.data,
			moves: step.moves ?? movesOf(step),
			...(step.claims ? { claims: step.claims } : {}),
			...(step.atRisk ? { atRisk: step.atRisk } : {}),
		};
		return this.#exchange.submit({ kind: 'transfer', walletId, pool, steps: [request] }, key, terms);
	}
}
