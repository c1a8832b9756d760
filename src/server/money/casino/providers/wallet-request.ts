/**
 * Games of outside providers. A provider's server calls the game wallet over HTTP. A dialect parses the request and
 * writes the answer; the wallet uses one form for all dialects.
 *
 * This file has that form. Amounts are minor units.
 */
import type { AnyMinor } from '#values/money.ts';

/** A change of money, under an id that the provider uses only once. */
interface Transaction {
	txId: string;
}
/**
 * Further details about the subject of a request. Each field is optional, and has to match if the request has it.
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
/** Requested by a player who is playing now. */
interface InSession {
	sessionToken: string;
	/** The provider's code of the game. */
	game: string;
	/** Null if the provider names none. */
	currency: string | null;
	/** The player, if the dialect names one as well: it has to be the session's. */
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
	| ({ call: 'bet'; round: string; amount: AnyMinor } & Transaction & InSession)
	/** Stake and win in one step; the round is over. */
	| ({ call: 'betwin'; round: string; amount: AnyMinor; win: AnyMinor } & Transaction & InSession)
	/**
	 * A bet that the provider's campaign pays for: it debits nothing from the player, and its win is paid like any
	 * other.
	 */
	| ({ call: 'freebet'; round: string; campaign: string } & Transaction & InSession)
	/** Takes a tip for the game's host, outside any round. */
	| ({ call: 'tip'; amount: AnyMinor } & Transaction & InSession)
	/**
	 * Pays a bet of an open round, or the round of the player that it names.
	 * @see closes: the round is over
	 * @see isOnly: the bet has no other id for its win, so one that does not name its bet rightly, or comes before it, may
	 * be sent again
	 */
	| ({ call: 'win'; amount: AnyMinor; closes: boolean; isOnly?: true } & About & Transaction)
	/**
	 * Returns a stake, or reverses a win; without a transaction, returns the stakes of the whole round.
	 * @see isOnly: as of a win
	 */
	| ({ call: 'rollback'; refTxId: string; isOnly?: true } & Named & Transaction)
	| ({ call: 'rollback'; refTxId: null; round: string } & Named & Transaction)
	/** Ends a round without further payouts. */
	| ({ call: 'endround'; round: string } & Named)
	/** Stores the progress of an open round, in the provider's own format. */
	| ({ call: 'event'; round: string; event: string } & Named)
	/** Corrects the payout of a round; a negative amount takes money back, and may leave a shortfall. */
	| ({ call: 'adjust'; amount: AnyMinor } & About & Transaction)
	/** Pays without a bet: a jackpot, a tournament. */
	| ({ call: 'promo'; userId?: string | undefined; amount: AnyMinor } & Named & Transaction)
	/** Returns the state of a transaction. */
	| { call: 'status'; refTxId: string }
	/** Several transactions of one player in one round: all of them happen, or none. */
	| ({
			call: 'batch';
			requests: readonly TransactionRequest[];
			/** The round is over. */
			closes: boolean;
			userId: string;
			round: string;
	  } & Named);

/** The bet of a request; without one, the player's round. */
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
	/** The outcome is unknown: a repetition of the request resolves it. */
	| 'UNKNOWN';

/** An open round, as its provider left it. */
export interface OpenRound {
	name: string;
	stake: AnyMinor;
	event: string | null;
}

export interface Outcome {
	status: WalletStatus;
	/** Our own id of an applied transaction. */
	transactionId?: string;
	/** Of each transaction of a batch, in their order. */
	parts?: readonly { txId: string; transactionId: string }[];
	/** Of a player: two letters, from a trusted proxy at the latest launch; and the brand's host. */
	country?: string | null;
	brand?: string;
	/** Of the player, if one is known. */
	userId?: string;
	currency?: string;
	/** The player's cash afterwards; zero if a correction has left a shortfall. */
	balance?: AnyMinor;
	sessionToken?: string;
	/** Of a round. */
	state?: string;
	/** Of the opened session: the game's stakes, and the player's open round in it. */
	opened?: { minStake: AnyMinor; maxStake: AnyMinor; step: AnyMinor; round: OpenRound | null };
	/** The rollback was for a bet that never arrived. */
	isTombstone?: true;
}

/** An outcome, and whether it repeats that of an earlier request. */
export interface Answered {
	outcome: Outcome;
	isRepeated: boolean;
}
