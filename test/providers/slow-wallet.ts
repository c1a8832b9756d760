/**
 * A wallet for providers as the rules say it, slow and obvious: what each request has to be answered, and what it moves.
 * Amounts are paise. It is asked each transaction once.
 */
import type { WalletStatus } from '#server/casino/providers/wallet-request.ts';
import { LARGEST_PROVIDER_PAYMENT_PAISE, LARGEST_STAKE_PAISE } from '#values/house-limits.ts';

/** A request as our own dialect sends it, with the player in place of the session. */
export interface SlowRequest {
	call: 'bet' | 'betwin' | 'freebet' | 'tip' | 'win' | 'rollback' | 'endround' | 'adjust' | 'promo';
	player: number;
	txId: string;
	refTxId: string | null;
	roundId: string;
	amount: number;
	winAmount: number;
	roundClosed: boolean;
}

interface SlowBet {
	txId: string;
	player: number;
	roundId: string;
	stake: number;
	isTip: boolean;
	hasWon: boolean;
	isRefunded: boolean;
}

type Said = WalletStatus;

export class SlowWallet {
	/** Of each player. */
	readonly cash: number[];
	readonly #bets: SlowBet[] = [];
	/** Rounds of a player that are over, each named with the player. */
	readonly #closed = new Set<string>();
	/** Ids of bets that were rolled back before they came. */
	readonly #buried = new Set<string>();
	/** Ids of wins, adjustments and promotions. */
	readonly #payments = new Set<string>();

	constructor(cash: readonly number[]) {
		this.cash = [...cash];
	}

	ask(request: SlowRequest): Said {
		switch (request.call) {
			case 'bet':
				return this.#bet(request, request.amount);
			case 'freebet':
				return this.#bet(request, 0);
			case 'betwin':
				return this.#betWin(request);
			case 'tip':
				return this.#tip(request);
			case 'win':
				return this.#win(request);
			case 'rollback':
				return request.refTxId === null ? this.#rollbackRound(request) : this.#rollback(request.refTxId);
			case 'endround':
				return this.#endRound(request);
			case 'adjust':
				return this.#adjust(request);
			case 'promo':
				return this.#pay(request, request.player, request.amount);
		}
	}

	#bet({ player, txId, roundId }: SlowRequest, stake: number): Said {
		if (stake > LARGEST_STAKE_PAISE) return 'LIMIT_REACHED';
		if (this.#buried.has(txId)) return 'ALREADY_REFUNDED';
		if (this.#closed.has(`${player} ${roundId}`)) return 'ALREADY_SETTLED';
		if (stake > 0 && stake > this.#cashOf(player)) return 'INSUFFICIENT_FUNDS';
		this.#move(player, -stake);
		this.#bets.push({ txId, player, roundId, stake, isTip: false, hasWon: false, isRefunded: false });
		return 'OK';
	}

	#betWin(request: SlowRequest): Said {
		const { player, txId, roundId, amount, winAmount } = request;
		const isKnown = this.#betsIn(roundId).some((bet) => bet.player === player);
		if (amount <= LARGEST_STAKE_PAISE && isKnown && !this.#buried.has(txId)) return 'ALREADY_SETTLED';
		const said = this.#bet(request, amount);
		if (said !== 'OK') return said;
		this.#move(player, winAmount);
		this.#closed.add(`${player} ${roundId}`);
		return 'OK';
	}

	#tip(request: SlowRequest): Said {
		const said = this.#bet({ ...request, roundId: `tip ${request.txId}` }, request.amount);
		const tip = this.#bets.at(-1);
		if (said === 'OK' && tip) tip.isTip = true;
		return said;
	}

	#win(request: SlowRequest): Said {
		const bet = this.#betOf(request.refTxId);
		if (typeof bet === 'string') return bet;
		if (bet.roundId !== request.roundId) return 'TRANSACTION_NOT_FOUND';
		if (bet.isRefunded) return 'ALREADY_REFUNDED';
		if (this.#isClosed(bet)) return 'ALREADY_SETTLED';
		const said = this.#pay(request, bet.player, request.amount);
		if (said !== 'OK') return said;
		bet.hasWon = true;
		if (request.roundClosed) this.#closed.add(`${bet.player} ${bet.roundId}`);
		return 'OK';
	}

	#rollback(txId: string): Said {
		const bet = this.#betOf(txId);
		if (bet === 'TRANSACTION_NOT_FOUND' && !this.#payments.has(txId)) {
			this.#buried.add(txId);
			return 'OK';
		}
		if (typeof bet === 'string') return bet;
		if (bet.isRefunded) return 'ALREADY_REFUNDED';
		if (!bet.isTip && (bet.hasWon || this.#isClosed(bet))) return 'ALREADY_SETTLED';
		this.#refund([bet]);
		return 'OK';
	}

	#rollbackRound({ roundId }: SlowRequest): Said {
		const bets = this.#betsIn(roundId);
		if (bets.length === 0) return 'TRANSACTION_NOT_FOUND';
		const standing = bets.filter(({ isRefunded }) => !isRefunded);
		if (standing.some((bet) => bet.hasWon || this.#isClosed(bet))) return 'ALREADY_SETTLED';
		if (standing.length === 0) return 'ALREADY_REFUNDED';
		this.#refund(standing);
		return 'OK';
	}

	/** A round whose every bet went back is over. */
	#refund(bets: readonly SlowBet[]): void {
		for (const bet of bets) {
			bet.isRefunded = true;
			this.#move(bet.player, bet.stake);
			const others = this.#betsIn(bet.roundId).filter(({ player }) => player === bet.player);
			if (others.every(({ isRefunded }) => isRefunded)) this.#closed.add(`${bet.player} ${bet.roundId}`);
		}
	}

	#endRound({ roundId }: SlowRequest): Said {
		const bets = this.#betsIn(roundId);
		for (const { player } of bets) this.#closed.add(`${player} ${roundId}`);
		return bets.length > 0 ? 'OK' : 'TRANSACTION_NOT_FOUND';
	}

	#adjust(request: SlowRequest): Said {
		const bet = this.#betOf(request.refTxId);
		return typeof bet === 'string' ? bet : this.#pay(request, bet.player, request.amount);
	}

	#pay({ txId }: SlowRequest, player: number, amount: number): Said {
		if (Math.abs(amount) > LARGEST_PROVIDER_PAYMENT_PAISE) return 'LIMIT_REACHED';
		if (this.#buried.has(txId)) return 'ALREADY_REFUNDED';
		this.#payments.add(txId);
		this.#move(player, amount);
		return 'OK';
	}

	#betOf(txId: string | null): SlowBet | 'TRANSACTION_NOT_FOUND' | 'ALREADY_REFUNDED' {
		if (txId !== null && this.#buried.has(txId)) return 'ALREADY_REFUNDED';
		return this.#bets.find((bet) => bet.txId === txId) ?? 'TRANSACTION_NOT_FOUND';
	}

	#betsIn(roundId: string): SlowBet[] {
		return this.#bets.filter((bet) => bet.roundId === roundId);
	}

	#isClosed({ player, roundId }: SlowBet): boolean {
		return this.#closed.has(`${player} ${roundId}`);
	}

	#cashOf(player: number): number {
		return this.cash[player] ?? 0;
	}

	#move(player: number, amount: number): void {
		this.cash[player] = this.#cashOf(player) + amount;
	}
}
