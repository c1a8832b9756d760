/**
 * A wallet for providers as the rules say it, slow and obvious: what each request has to be answered, and what it moves.
 * Amounts are minor units. It is asked each transaction once. What a request says of its subject besides is in `lie`: something
 * that is not so.
 */
import type { WalletStatus } from '#server/money/casino/providers/wallet-request.ts';
import { LARGEST_STAKE_MINOR } from '#values/house-limits.ts';

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
	/** Which of its fields says something else than what is so. */
	lie: 'userId' | 'currency' | 'gameCode' | 'roundId' | null;
}

/** What the game and the provider are limited to. */
export interface SlowLimits {
	leastStake: number;
	mostStaked: number;
	mostPaid: number;
	mostFree: number;
	prize: number;
	playerDay: number;
	providerDay: number;
}

const LIES = {
	userId: 'INVALID_TOKEN',
	currency: 'WRONG_CURRENCY',
	gameCode: 'INVALID_GAME',
	roundId: 'TRANSACTION_NOT_FOUND',
} as const;

interface SlowPayment {
	txId: string;
	player: number;
	roundId: string | null;
	bet: SlowBet | null;
	amount: number;
	/** Corrections cannot be taken back. */
	isWin: boolean;
	isTakenBack: boolean;
}

interface SlowBet {
	txId: string;
	player: number;
	roundId: string;
	stake: number;
	isTip: boolean;
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
	readonly #payments: SlowPayment[] = [];
	/** What was moved by the provider's word alone, of each player. */
	readonly prizes: number[];
	readonly #limits: SlowLimits;

	constructor(cash: readonly number[], limits: SlowLimits) {
		this.cash = [...cash];
		this.prizes = cash.map(() => 0);
		this.#limits = limits;
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
				return request.refTxId === null ? this.#rollbackRound(request) : this.#rollback(request);
			case 'endround':
				return this.#endRound(request);
			case 'adjust':
				return this.#adjust(request);
			case 'promo':
				return this.#promo(request);
		}
	}

	#bet({ player, txId, roundId, lie }: SlowRequest, stake: number, winAmount = 0): Said {
		const { leastStake, mostStaked } = this.#limits;
		const isTip = roundId.startsWith('tip ');
		if (lie === 'userId' || lie === 'gameCode' || lie === 'currency') return LIES[lie];
		if (this.#buried.has(txId)) return 'ALREADY_REFUNDED';
		if (this.#closed.has(`${player} ${roundId}`)) return 'ALREADY_SETTLED';
		const staked = this.#betsIn(roundId).filter((bet) => bet.player === player && !bet.isRefunded);
		const sum = staked.reduce((all, bet) => all + bet.stake, stake);
		if (isTip ? stake > LARGEST_STAKE_MINOR : (stake > 0 && stake < leastStake) || sum > mostStaked)
			return 'LIMIT_REACHED';
		if (winAmount > 0 && !this.#mayPay({ player, roundId, amount: winAmount, isFree: stake === 0 }))
			return 'LIMIT_REACHED';
		if (stake > 0 && stake > this.#cashOf(player)) return 'INSUFFICIENT_FUNDS';
		this.#move(player, -stake);
		this.#bets.push({ txId, player, roundId, stake, isTip, isRefunded: false });
		if (winAmount > 0 && stake === 0) this.prizes[player] = (this.prizes[player] ?? 0) + winAmount;
		return 'OK';
	}

	#betWin(request: SlowRequest): Said {
		const { player, txId, roundId, amount, winAmount } = request;
		if (request.lie !== null && request.lie !== 'roundId') return LIES[request.lie];
		const isKnown = this.#betsIn(roundId).some((bet) => bet.player === player);
		if (isKnown && !this.#buried.has(txId)) return 'ALREADY_SETTLED';
		const said = this.#bet(request, amount, winAmount);
		if (said !== 'OK') return said;
		this.#move(player, winAmount);
		const bet = this.#bets.at(-1) as SlowBet;
		this.#payments.push({ txId, player, roundId, bet, amount: winAmount, isWin: false, isTakenBack: false });
		this.#closed.add(`${player} ${roundId}`);
		return 'OK';
	}

	#tip(request: SlowRequest): Said {
		const said = this.#bet({ ...request, roundId: `tip ${request.txId}` }, request.amount);
		if (said === 'OK') this.#closed.add(`${request.player} tip ${request.txId}`);
		return said;
	}

	#win(request: SlowRequest): Said {
		const bet = this.#betOf(request.refTxId);
		if (typeof bet === 'string') return bet;
		const { player, roundId } = bet;
		if (request.lie && request.lie !== 'roundId') return LIES[request.lie];
		if (roundId !== request.roundId || request.lie === 'roundId') return 'TRANSACTION_NOT_FOUND';
		if (bet.isRefunded) return 'ALREADY_REFUNDED';
		if (this.#isClosed(bet)) return 'ALREADY_SETTLED';
		if (this.#buried.has(request.txId)) return 'ALREADY_REFUNDED';
		const { amount } = request;
		const isFree = bet.stake === 0;
		if (!this.#mayPay({ player, roundId, amount, isFree })) return 'LIMIT_REACHED';
		if (isFree) this.prizes[player] = (this.prizes[player] ?? 0) + amount;
		this.#pay(request.txId, bet, amount, true);
		if (request.roundClosed) this.#closed.add(`${player} ${roundId}`);
		return 'OK';
	}

	#rollback({ refTxId, lie }: SlowRequest): Said {
		const payment = this.#payments.find(({ txId, isWin, bet }) => txId === refTxId && (isWin || bet?.txId !== txId));
		if (payment) {
			const isPromo = payment.roundId === null;
			if (lie && !(isPromo && (lie === 'gameCode' || lie === 'roundId'))) return LIES[lie];
			if (!payment.isWin) return 'TRANSACTION_NOT_FOUND';
			if (payment.isTakenBack) return 'ALREADY_REFUNDED';
			if (!isPromo && this.#paidIn(payment.player, payment.roundId ?? '') < payment.amount) return 'ALREADY_SETTLED';
			payment.isTakenBack = true;
			this.#move(payment.player, -payment.amount);
			return 'OK';
		}
		const bet = this.#betOf(refTxId);
		if (bet === 'TRANSACTION_NOT_FOUND') {
			this.#buried.add(refTxId ?? '');
			return 'OK';
		}
		if (typeof bet === 'string') return bet;
		if (lie) return LIES[lie];
		if (bet.isRefunded) return 'ALREADY_REFUNDED';
		if (!bet.isTip && (this.#hasWon(bet) || this.#isClosed(bet))) return 'ALREADY_SETTLED';
		this.#refund([bet]);
		return 'OK';
	}

	#rollbackRound({ roundId, lie }: SlowRequest): Said {
		const bets = this.#betsIn(roundId);
		if (bets.length === 0 || lie === 'roundId' || lie === 'userId') return 'TRANSACTION_NOT_FOUND';
		if (lie) return LIES[lie];
		const standing = bets.filter(({ isRefunded }) => !isRefunded);
		if (standing.some((bet) => this.#hasWon(bet) || this.#isClosed(bet))) return 'ALREADY_SETTLED';
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

	#endRound({ roundId, lie }: SlowRequest): Said {
		const bets = this.#betsIn(roundId);
		if (bets.length === 0 || lie === 'roundId' || lie === 'userId') return 'TRANSACTION_NOT_FOUND';
		if (lie) return LIES[lie];
		for (const { player } of bets) this.#closed.add(`${player} ${roundId}`);
		return 'OK';
	}

	#adjust({ txId, refTxId, amount, lie }: SlowRequest): Said {
		const bet = this.#betOf(refTxId);
		if (typeof bet === 'string') return bet;
		if (lie) return LIES[lie];
		if (this.#buried.has(txId)) return 'ALREADY_REFUNDED';
		const { player, roundId } = bet;
		const paid = this.#paidIn(player, roundId) + amount;
		if (paid < 0 || paid > (bet.isTip ? 0 : this.#limits.mostPaid)) return 'LIMIT_REACHED';
		if (!this.#takesPrize(player, Math.abs(amount))) return 'LIMIT_REACHED';
		this.#pay(txId, bet, amount, false);
		return 'OK';
	}

	#promo({ txId, player, amount, lie }: SlowRequest): Said {
		if (lie === 'userId') return 'USER_DISABLED';
		if (lie === 'currency' || lie === 'gameCode') return LIES[lie];
		if (this.#buried.has(txId)) return 'ALREADY_REFUNDED';
		if (!this.#takesPrize(player, amount)) return 'LIMIT_REACHED';
		this.#move(player, amount);
		this.#payments.push({ txId, player, roundId: null, bet: null, amount, isWin: true, isTakenBack: false });
		return 'OK';
	}

	#pay(txId: string, bet: SlowBet, amount: number, isWin: boolean): void {
		const { player, roundId } = bet;
		this.#payments.push({ txId, player, roundId, bet: isWin ? bet : null, amount, isWin, isTakenBack: false });
		this.#move(player, amount);
	}

	/** What a round has paid: wins that were not taken back, and corrections. */
	#paidIn(player: number, roundId: string): number {
		return this.#standing(player, roundId).reduce((sum, { amount }) => sum + amount, 0);
	}

	#standing(player: number, roundId: string): SlowPayment[] {
		return this.#payments.filter((one) => one.player === player && one.roundId === roundId && !one.isTakenBack);
	}

	#hasWon(bet: SlowBet): boolean {
		return this.#standing(bet.player, bet.roundId).some((payment) => payment.bet === bet);
	}

	#mayPay({
		player,
		roundId,
		amount,
		isFree,
	}: {
		player: number;
		roundId: string;
		amount: number;
		isFree: boolean;
	}): boolean {
		const { mostPaid, mostFree } = this.#limits;
		if (this.#paidIn(player, roundId) + amount > mostPaid) return false;
		const free = this.#standing(player, roundId).filter(({ bet }) => bet?.stake === 0);
		const paidFree = free.reduce((sum, one) => sum + one.amount, 0);
		if (isFree && paidFree + amount > mostFree) return false;
		return !isFree || this.#hasRoom(player, amount);
	}

	#hasRoom(player: number, amount: number): boolean {
		const { prize, playerDay, providerDay } = this.#limits;
		const all = this.prizes.reduce((sum, one) => sum + one, 0);
		return amount <= prize && (this.prizes[player] ?? 0) + amount <= playerDay && all + amount <= providerDay;
	}

	#takesPrize(player: number, amount: number): boolean {
		if (!this.#hasRoom(player, amount)) return false;
		this.prizes[player] = (this.prizes[player] ?? 0) + amount;
		return true;
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
