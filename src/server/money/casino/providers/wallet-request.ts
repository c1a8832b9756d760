/**
 * Games of outside providers. A provider's server asks the game wallet over HTTP; a dialect reads what it asks and writes
 * what it is answered, and the wallet in between knows one form of each.
 *
 * This file has that form. Amounts are paise.
 */
import type { AnyPaise } from '#values/money.ts';

/** A change of money, under an id that the provider never uses for another. */
interface Transaction {
	txId: string;
}
/**
 * What a request says of its subject besides. Each field is missing where the request does not say it, and has to be true
 * where it does.
 */
export interface Named {
	userId?: string | undefined;
	/** Of the round's player; it may have ended. */
	sessionToken?: string | undefined;
	currency?: string | undefined;
	/** The provider's code of the game. */
	game?: string | undefined;
	round?: string | undefined;
}
/** Asked for by a player who plays now. */
interface InSession {
	sessionToken: string;
	/** The provider's code of the game. */
	game: string;
	/** Null where the provider names none. */
	currency: string | null;
	/** Where the dialect names the player besides: it has to be the session's. */
	userId?: string | undefined;
	/** The dialect lets a player change to another of the provider's games within a session. */
	mayChangeGame?: true;
}

export type WalletRequest =
	/** Exchanges a launch token for a session. @see keepsToken: the launch token becomes the session's, and may be shown again */
	| { call: 'authenticate'; launchToken: string; keepsToken: boolean; userId?: string | undefined }
	| ({ call: 'balance'; sessionToken: string } & Named)
	/** Says who a player is. */
	| { call: 'info'; userId: string }
	| ({ call: 'bet'; round: string; amount: AnyPaise } & Transaction & InSession)
	/** Stake and win at once; the round is over. */
	| ({ call: 'betwin'; round: string; amount: AnyPaise; win: AnyPaise } & Transaction & InSession)
	/** A bet that the provider's campaign pays for: it takes nothing from the player, and its win is paid like any other. */
	| ({ call: 'freebet'; round: string; campaign: string } & Transaction & InSession)
	/** Takes what the player gives to the game's host, without a round. */
	| ({ call: 'tip'; amount: AnyPaise } & Transaction & InSession)
	/**
	 * Pays for a bet of an open round, or for the round of the player that it names.
	 * @see closes: nothing more happens in the round
	 * @see isOnly: the bet has no other id for its win, so that one which comes before the bet may come again
	 */
	| ({ call: 'win'; amount: AnyPaise; closes: boolean; isOnly?: true } & About & Transaction)
	/** Gives a stake back, or takes a win back; without a transaction, gives back the stakes of the whole round. */
	| ({ call: 'rollback'; refTxId: string } & Named & Transaction)
	| ({ call: 'rollback'; refTxId: null; round: string } & Named & Transaction)
	/** Ends a round that pays nothing more. */
	| ({ call: 'endround'; round: string } & Named)
	/** Keeps how far an open round has come, in the provider's own words. */
	| ({ call: 'event'; round: string; event: string } & Named)
	/** Corrects what a round paid; below zero it takes back, and may leave a shortfall. */
	| ({ call: 'adjust'; amount: AnyPaise } & About & Transaction)
	/** Pays without a bet: a jackpot, a tournament. */
	| ({ call: 'promo'; userId?: string | undefined; amount: AnyPaise } & Named & Transaction)
	/** Says what became of a transaction. */
	| { call: 'status'; refTxId: string }
	/** Several transactions of one player in one round: all of them happen, or none. */
	| ({
			call: 'batch';
			requests: readonly TransactionRequest[];
			/** Nothing more happens in the round. */
			closes: boolean;
			userId: string;
			round: string;
	  } & Named);

/** The bet that a request is about; without one, the player's round. */
type About =
	| (Named & { refTxId: string; round?: string | undefined })
	| (Named & { refTxId: null; userId: string; round: string });

export type TransactionRequest = Extract<WalletRequest, Transaction>;
export type RequestOf<Call extends WalletRequest['call']> = Extract<WalletRequest, { call: Call }>;

export type WalletStatus =
	| 'OK'
	| 'INSUFFICIENT_FUNDS'
	| 'DUPLICATE_TRANSACTION'
	| 'TRANSACTION_NOT_FOUND'
	| 'ALREADY_REFUNDED'
	| 'ALREADY_SETTLED'
	| 'INVALID_TOKEN'
	| 'TOKEN_EXPIRED'
	| 'USER_DISABLED'
	| 'WRONG_CURRENCY'
	| 'INVALID_GAME'
	| 'LIMIT_REACHED'
	| 'INVALID_SIGNATURE'
	| 'WRONG_SYNTAX'
	/** It is not known whether it happened: the same request again tells. */
	| 'UNKNOWN';

/** A round that goes on, as its provider left it. */
export interface OpenRound {
	name: string;
	stake: AnyPaise;
	event: string | null;
}

export interface Outcome {
	status: WalletStatus;
	/** Our own id of a transaction that was carried out. */
	transactionId?: string;
	/** Of each transaction of a batch, in their order. */
	parts?: readonly { txId: string; transactionId: string }[];
	/** Of a player: two letters, as a trusted proxy knew it at the latest launch; and the brand's host. */
	country?: string | null;
	brand?: string;
	/** Of the player, where one is known. */
	userId?: string;
	currency?: string;
	/** The player's cash after it; zero where a correction has left a shortfall. */
	balance?: AnyPaise;
	sessionToken?: string;
	/** Of a round. */
	state?: string;
	/** Of the session that was opened: the game's stakes, and the player's round in it that is still open. */
	opened?: { minStake: AnyPaise; maxStake: AnyPaise; round: OpenRound | null };
	/** The rollback was of a bet that never came. */
	isTombstone?: true;
}

/** An outcome, and whether it is that of an earlier request. */
export interface Answered {
	outcome: Outcome;
	isRepeated: boolean;
}
