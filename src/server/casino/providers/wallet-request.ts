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
/** Asked for by a player who plays now. */
interface InSession {
	sessionToken: string;
	/** The provider's code of the game. */
	game: string;
	/** Null where the provider names none. */
	currency: string | null;
}

export type WalletRequest =
	/** Exchanges a launch token for a session. */
	| { call: 'authenticate'; launchToken: string }
	| { call: 'balance'; sessionToken: string }
	| ({ call: 'bet'; round: string; amount: AnyPaise } & Transaction & InSession)
	/** Stake and win at once; the round is over. */
	| ({ call: 'betwin'; round: string; amount: AnyPaise; win: AnyPaise } & Transaction & InSession)
	/** Pays for a bet of an open round. @see closes: nothing more happens in the round */
	| ({ call: 'win'; refTxId: string; round: string; amount: AnyPaise; closes: boolean } & Transaction)
	/** Gives a stake back; without a bet, those of the whole round. */
	| ({ call: 'rollback'; refTxId: string; round: null } & Transaction)
	| ({ call: 'rollback'; refTxId: null; round: string } & Transaction)
	/** Ends a round that pays nothing more. */
	| { call: 'endround'; round: string }
	/** Corrects what a round paid; below zero it takes back, and may leave a shortfall. */
	| ({ call: 'adjust'; refTxId: string; amount: AnyPaise } & Transaction)
	/** Pays without a round: a jackpot, a tournament. */
	| ({ call: 'promo'; userId: string; amount: AnyPaise } & Transaction)
	/** Says what became of a transaction. */
	| { call: 'status'; refTxId: string };

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

export interface Outcome {
	status: WalletStatus;
	/** Of the player, where one is known. */
	userId?: string;
	currency?: string;
	/** The player's cash after it. */
	balance?: AnyPaise;
	sessionToken?: string;
	/** Of a round. */
	state?: string;
	/** The rollback was of a bet that never came. */
	isTombstone?: true;
}

/** An outcome, and whether it is that of an earlier request. */
export interface Answered {
	outcome: Outcome;
	isRepeated: boolean;
}
