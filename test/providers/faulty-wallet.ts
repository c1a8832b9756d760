/** A wallet in memory, slow to build and obvious, in any dialect, with faults to plant; the conformance suite has to find them. */
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { Answered, Outcome, RequestOf, WalletRequest } from '#server/money/casino/providers/wallet-request.ts';
import { walletRoutes } from '#server/money/casino/providers/wallet-routes.ts';

export type PlantedFault =
	| 'a repeated bet debits again'
	| 'a repeated request is answered with the balance of now'
	| 'a known id may be used for something else'
	| 'a win needs no bet'
	| 'a bet wins as often as it is asked'
	| 'the rollback of an unknown bet is forgotten'
	| 'a bet that was given back can win'
	| 'a bet that won is given back'
	| 'the balance may go below zero'
	| 'any currency is taken'
	| 'sessions are not looked at'
	| 'the clock is not looked at'
	| 'wins are not asked for their currency'
	| 'wins are not asked for their player'
	| 'a body is taken by any call';

const USER = '1';
const GAME = 'game';
const LARGEST_STAKE = 10_000_000;

interface KnownBet {
	round: string;
	amount: number;
	state: 'OPEN' | 'WON' | 'REFUNDED' | 'BURIED';
}

export class FaultyWallet {
	readonly http: FastifyInstance = Fastify();
	#balance = 1_000_000;
	readonly #bets = new Map<string, KnownBet>();
	readonly #answers = new Map<string, { asked: string; outcome: Outcome }>();
	/** The call that each body was taken by. */
	readonly #bodies = new Map<string, string>();
	#isOpened = false;
	#requestMs = 0;
	readonly #fault: PlantedFault | null;

	constructor(provider: Provider, fault: PlantedFault | null) {
		this.#fault = fault;
		const isClockOff = fault === 'the clock is not looked at';
		// A clock that follows each request finds none of them late.
		this.http.addHook('onRequest', (request, _, done) => {
			this.#requestMs = Number(request.headers['x-wallet-timestamp'] ?? 0);
			done();
		});
		const clock = () => (isClockOff ? this.#requestMs : Date.now());
		const log = pino({ level: 'silent' });
		const wallet = { answer: (_: string, request: WalletRequest) => this.#answer(request) };
		const exchange = { fresh: () => null };
		const bodies = { belongTo: async (_: string, call: string, body: string) => this.#isFirst(call, body) };
		const options = { providers: [provider], wallet, bodies, exchange, callDeadlineMs: 10_000, clock, log };
		void this.http.register(walletRoutes(options));
	}

	#isFirst(call: string, body: string): boolean {
		if (this.#has('a body is taken by any call')) return true;
		const first = this.#bodies.get(body) ?? call;
		this.#bodies.set(body, first);
		return first === call;
	}

	#has(fault: PlantedFault): boolean {
		return this.#fault === fault;
	}

	async #answer(request: WalletRequest): Promise<Answered> {
		if (request.call === 'batch') {
			const [only] = request.requests as [Extract<WalletRequest, { txId: string }>];
			const { outcome, isRepeated } = await this.#answer(only);
			return { outcome: { ...outcome, parts: [{ txId: only.txId, transactionId: only.txId }] }, isRepeated };
		}
		if (!('txId' in request)) return { outcome: this.#now(request), isRepeated: false };
		const asked = JSON.stringify(request);
		const earlier = this.#answers.get(request.txId);
		const isAgain = this.#has('a repeated bet debits again') && request.call === 'bet';
		if (earlier && !isAgain) {
			if (earlier.asked !== asked && !this.#has('a known id may be used for something else'))
				return { outcome: { status: 'DUPLICATE_TRANSACTION' }, isRepeated: false };
			const isLate = this.#has('a repeated request is answered with the balance of now');
			if (earlier.asked === asked)
				return { outcome: isLate ? { ...earlier.outcome, balance: this.#balance } : earlier.outcome, isRepeated: true };
		}
		const outcome = this.#decide(request);
		this.#answers.set(request.txId, { asked, outcome });
		return { outcome, isRepeated: false };
	}

	#said(status: Outcome['status'], more: Partial<Outcome> = {}): Outcome {
		return { status, userId: USER, currency: 'INR', balance: this.#balance, ...more };
	}

	#now(request: WalletRequest): Outcome {
		if (request.call === 'authenticate') {
			const isKnown = request.launchToken === 'launch' && (request.keepsToken || !this.#isOpened);
			this.#isOpened ||= isKnown;
			return isKnown ? this.#said('OK', { sessionToken: 'launch' }) : { status: 'INVALID_TOKEN' };
		}
		if (request.call !== 'balance') return { status: 'WRONG_SYNTAX' };
		return request.sessionToken === 'launch' ? this.#said('OK') : { status: 'INVALID_TOKEN' };
	}

	#decide(request: Extract<WalletRequest, { txId: string }>): Outcome {
		if (request.call === 'bet' || request.call === 'betwin') return this.#bet(request);
		if (request.call === 'win') return this.#win(request);
		if (request.call === 'rollback' && request.refTxId !== null) return this.#rollback(request.refTxId);
		return { status: 'WRONG_SYNTAX' };
	}

	#bet(request: RequestOf<'bet' | 'betwin'>): Outcome {
		const { txId, amount, sessionToken, game, currency } = request;
		if (sessionToken !== 'launch' && !this.#has('sessions are not looked at')) return { status: 'INVALID_TOKEN' };
		if (game !== GAME) return this.#said('INVALID_GAME');
		if (currency !== null && currency !== 'INR' && !this.#has('any currency is taken'))
			return this.#said('WRONG_CURRENCY');
		if (amount > LARGEST_STAKE) return this.#said('LIMIT_REACHED');
		if (amount > this.#balance && !this.#has('the balance may go below zero')) return this.#said('INSUFFICIENT_FUNDS');
		if (this.#bets.get(txId)?.state === 'BURIED') return this.#said('ALREADY_REFUNDED');
		this.#bets.set(txId, { round: request.round, amount, state: request.call === 'bet' ? 'OPEN' : 'WON' });
		this.#balance += (request.call === 'betwin' ? request.win : 0) - amount;
		return this.#said('OK');
	}

	#win({ refTxId, round, amount, currency = 'INR', userId = USER }: RequestOf<'win'>): Outcome {
		const ofRound = [...this.#bets.values()].find((one) => one.round === round);
		const bet = refTxId === null ? ofRound : this.#bets.get(refTxId);
		if (userId !== USER && !this.#has('wins are not asked for their player')) return { status: 'INVALID_TOKEN' };
		if (currency !== 'INR' && !this.#has('wins are not asked for their currency')) return { status: 'WRONG_CURRENCY' };
		if (!bet && !this.#has('a win needs no bet')) return this.#said('TRANSACTION_NOT_FOUND');
		if (bet?.state === 'WON' && !this.#has('a bet wins as often as it is asked')) return this.#said('ALREADY_SETTLED');
		if (bet?.state === 'REFUNDED' && !this.#has('a bet that was given back can win'))
			return this.#said('ALREADY_REFUNDED');
		if (bet) bet.state = 'WON';
		this.#balance += amount;
		return this.#said('OK');
	}

	#rollback(refTxId: string): Outcome {
		const bet = this.#bets.get(refTxId);
		if (!bet) {
			if (!this.#has('the rollback of an unknown bet is forgotten'))
				this.#bets.set(refTxId, { round: '', amount: 0, state: 'BURIED' });
			return { status: 'OK', isTombstone: true };
		}
		if (bet.state === 'WON' && !this.#has('a bet that won is given back')) return this.#said('ALREADY_SETTLED');
		if (bet.state === 'REFUNDED' || bet.state === 'BURIED') return this.#said('ALREADY_REFUNDED');
		bet.state = 'REFUNDED';
		this.#balance += bet.amount;
		return this.#said('OK');
	}
}
