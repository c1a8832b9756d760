/**
 * The one catalogue of refusals: every code with its HTTP status and the sentence a player reads.
 * docs/ERRORS.md lists the same rows; the tidy test fails when the two disagree.
 */
export const ERRORS = {
	// 400: malformed or failed validation
	MALFORMED_JSON: { status: 400, message: 'The request body is not valid JSON.' },
	VALIDATION_FAILED: { status: 400, message: 'Some fields are missing or not valid.' },
	BODY_TOO_LARGE: { status: 400, message: 'The request is too large.' },
	UNSUPPORTED_MEDIA_TYPE: { status: 400, message: 'Send the body as application/json.' },
	BAD_HOST: { status: 400, message: 'The address of this request cannot be read.' },
	BAD_ENCODING: { status: 400, message: 'The encoded request cannot be read.' },
	INVALID_AMOUNT: { status: 400, message: 'The amount must be a positive number with at most two decimals.' },
	WRONG_IDEMPOTENCY_KEY: { status: 400, message: 'Idempotency-Key must be the call’s own clientRequestId.' },
	INVALID_SIDE: { status: 400, message: 'The side must be BACK or LAY.' },
	PRICE_NOT_ON_LADDER: { status: 422, message: 'That price is not on the ladder.' },
	INVALID_STAKE: { status: 422, message: 'The stake is not valid for this market.' },
	INVALID_SIZE: { status: 422, message: 'The size is not valid for this bet.' },
	WRONG_TRANSPORT: { status: 400, message: 'This connection is in use by another transport.' },
	REQUEST_TOO_SLOW: { status: 408, message: 'The request took too long to arrive.' },
	// 401 and 403
	NOT_LOGGED_IN: { status: 401, message: 'Please log in.' },
	LOGIN_EXPIRED: { status: 401, message: 'Your login has ended. Please log in again.' },
	WRONG_CREDENTIALS: { status: 401, message: 'The username or password is wrong.' },
	FORBIDDEN: { status: 403, message: 'You are not allowed to do this.' },
	SIGN_UP_CLOSED: { status: 403, message: 'Sign-up is not open on this site.' },
	SITE_SUSPENDED: { status: 403, message: 'This site is under maintenance.' },
	EXCLUDED: { status: 403, message: 'You have excluded yourself from betting.' },
	ACCOUNT_CLOSED: { status: 403, message: 'This account is closed.' },
	ACCOUNT_FROZEN: { status: 403, message: 'This account is frozen. Please contact support.' },
	REAL_MONEY_CLOSED: { status: 403, message: 'Play for real money is not open to you here.' },
	TIMED_OUT: { status: 403, message: 'You are taking a break from betting.' },
	SAME_PERSON: { status: 403, message: 'Another operator has to confirm this.' },
	UNNAMED_OPERATOR: { status: 403, message: 'Say who you are: --as NAME.' },
	SECOND_FACTOR_REQUIRED: { status: 403, message: 'Show your second factor first.' },
	SPORT_NOT_ALLOWED: { status: 403, message: 'This sport is not available to you.' },
	NOT_OWNER: { status: 404, message: 'There is no such bet.' },
	// 404
	NOT_FOUND: { status: 404, message: 'There is nothing here.' },
	UNKNOWN_DOMAIN: { status: 404, message: 'No site is served under this address.' },
	UNKNOWN_CONNECTION: { status: 404, message: 'There is no such connection here.' },
	UNKNOWN_FIXTURE: { status: 404, message: 'There is no such event.' },
	UNKNOWN_MARKET: { status: 404, message: 'There is no such market.' },
	UNKNOWN_RUNNER: { status: 404, message: 'There is no such runner in this market.' },
	UNKNOWN_ORDER: { status: 404, message: 'There is no such bet.' },
	UNKNOWN_USER: { status: 404, message: 'There is no such player.' },
	UNKNOWN_STAFF: { status: 404, message: 'There is no such member of staff.' },
	UNKNOWN_ROLE: { status: 404, message: 'There is no such role.' },
	UNKNOWN_GAME: { status: 404, message: 'There is no such game.' },
	GAME_RESTS: { status: 409, message: 'This game is under maintenance. Please try another one.' },
	UNKNOWN_GAME_BET: { status: 404, message: 'This game has no such bet.' },
	UNKNOWN_ROUND: { status: 404, message: 'There is no such round.' },
	// 405
	METHOD_NOT_ALLOWED: { status: 405, message: 'This call does not answer HEAD requests.' },
	// 409
	REQUEST_ID_REUSED: { status: 409, message: 'This request id was already used for something else.' },
	REQUEST_TOO_OLD: { status: 409, message: 'This request id is too old to tell whether it was used before.' },
	DUPLICATE_ORDER: { status: 409, message: 'This bet was already placed.' },
	MOBILE_TAKEN: { status: 409, message: 'There is an account with this mobile number already.' },
	NAME_TAKEN: { status: 409, message: 'This username is taken.' },
	ALREADY_IN_PLAY: { status: 409, message: 'The market is already in play.' },
	WRONG_STATE: { status: 409, message: 'This has moved on meanwhile. Look at it again.' },
	ALREADY_CLAIMED: { status: 409, message: 'This was used or claimed before.' },
	MARKET_NOT_SUSPENDED: { status: 409, message: 'Suspend or close the market first, so that nothing moves meanwhile.' },
	LAST_OWNER: { status: 409, message: 'The last owner stays.' },
	WRONG_MARKET_STATE: { status: 409, message: 'The market is not in a state that allows this.' },
	ROUND_OPEN: { status: 409, message: 'Finish your round in progress first.' },
	SEEDS_IN_USE: { status: 409, message: 'A round with these seeds is in progress. Finish it first.' },
	// 422: refused by a rule of the business
	WRONG_CODE: { status: 422, message: 'The code is wrong or has expired.' },
	WRONG_PASSWORD: { status: 422, message: 'The current password is wrong.' },
	PASSWORD_TOO_COMMON: { status: 422, message: 'This password is guessed too easily. Choose another.' },
	WRONG_GRANT: { status: 422, message: 'The client or the code is not valid.' },
	MARKET_CLOSED: { status: 422, message: 'The market is closed.' },
	MARKET_SUSPENDED: { status: 422, message: 'The market is suspended.' },
	RUNNER_REMOVED: { status: 422, message: 'This runner does not take part any more.' },
	RUNNER_SUSPENDED: { status: 422, message: 'Betting on that runner is suspended.' },
	STAKE_TOO_SMALL: { status: 422, message: 'The stake is below the minimum of this market.' },
	STAKE_TOO_LARGE: { status: 422, message: 'The stake is above the maximum of this market.' },
	INVALID_PROFIT_RATIO: { status: 422, message: 'This stake is too small for a fair return at this price.' },
	QUOTE_MOVED: { status: 409, message: 'The prices have moved. Look at the new amount.' },
	NOTHING_TO_CASH_OUT: { status: 422, message: 'There is nothing to cash out here.' },
	CASH_OUT_TOO_DEAR: { status: 422, message: 'At these prices cashing out would not lower what you can lose.' },
	CASH_OUT_IN_FLIGHT: { status: 409, message: 'An earlier cash-out of this market is still on its way.' },
	BOOK_TOO_THIN: { status: 422, message: 'Not enough is offered to cash out now.' },
	INSUFFICIENT_FUNDS: { status: 422, message: 'Your free balance does not cover this.' },
	PROFIT_TOO_LARGE: { status: 422, message: 'This bet could win more than this market allows.' },
	WIN_TOO_LARGE: { status: 422, message: 'This could win more than the house pays in one round.' },
	BETTING_CLOSED: { status: 422, message: 'This round takes no bets any more.' },
	TABLE_CLOSED: { status: 422, message: 'This table is closed now.' },
	SLOT_TAKEN: { status: 422, message: 'You have a bet in this place already.' },
	HOUSE_LIMIT: { status: 422, message: 'This round has taken as many bets as the house can pay.' },
	NOT_FLYING: { status: 422, message: 'The round of this bet is not in flight.' },
	ROUND_CRASHED: { status: 422, message: 'The round had crashed when your request arrived.' },
	ALREADY_CASHED_OUT: { status: 422, message: 'This bet was cashed out before.' },
	ACTION_NOT_POSSIBLE: { status: 422, message: 'This is not possible now.' },
	INVALID_REDUCTION: { status: 422, message: 'The reduction factor is not valid.' },
	EXPOSURE_LIMIT: { status: 422, message: 'This bet would pass the largest exposure allowed.' },
	SELF_MATCH: { status: 422, message: 'This bet would match your own unmatched bet.' },
	TOO_MANY_OPEN_BETS: {
		status: 422,
		message: 'You have too many open bets. Cancel some first.',
	},
	ORDER_NOT_ACTIVE: { status: 422, message: 'Nothing of this bet is left unmatched.' },
	NOTHING_TO_UPDATE: { status: 422, message: 'This bet is already as you ask.' },
	INCOMPLETE_RESULT: { status: 422, message: 'Every runner needs a result.' },
	TOO_MANY_API_KEYS: { status: 422, message: 'You have as many app keys as a player may have. Revoke one first.' },
	INVALID_ADDRESS: { status: 422, message: 'This is no IP address or network.' },
	DEPOSIT_LIMIT: { status: 422, message: 'This deposit would pass your deposit limit.' },
	STAKE_LIMIT: { status: 422, message: 'This stake is above your stake limit.' },
	LOSS_LIMIT: { status: 422, message: 'This could pass your loss limit.' },
	AMOUNT_OUT_OF_RANGE: { status: 422, message: 'The amount is below the smallest or above the largest allowed.' },
	TOO_MANY_WITHDRAWALS: { status: 422, message: 'You have asked for as many withdrawals as 24 hours allow.' },
	IMAGE_NOT_READABLE: { status: 422, message: 'This is no JPEG, PNG or WebP picture that can be read.' },
	IMAGE_TOO_LARGE: { status: 422, message: 'This picture is too large.' },
	BONUS_NOT_CLAIMABLE: { status: 422, message: 'This bonus cannot be claimed now.' },
	REFERRAL_CAP: { status: 422, message: 'You have claimed as many referrals as this site rewards.' },
	PAYMENT_UNAVAILABLE: { status: 422, message: 'This way of paying is not available now.' },
	// 429 and 503
	THROTTLED: { status: 429, message: 'Too many requests. Please wait a moment.' },
	TOO_MANY_BETS: { status: 429, message: 'Too many bets in one second. Please wait a moment.' },
	TOO_MANY_CONNECTIONS: { status: 429, message: 'Too many pages are open at the same time.' },
	STARTING: { status: 503, message: 'The server is starting. Please try again.' },
	DRAINING: { status: 503, message: 'The server is being restarted. Please try again.' },
	DEADLINE_PASSED: { status: 503, message: 'This took too long and was not done. Please try again.' },
	OUTCOME_UNKNOWN: { status: 503, message: 'It is not known whether this was done. Please send it again.' },
	OVERLOADED: { status: 503, message: 'The server is busy. Please try again.' },
	// 500
	INTERNAL: { status: 500, message: 'Something went wrong on our side. Nothing was changed.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** A refusal that reaches the caller as the envelope's error; thrown by calls, never by the engine. */
export class Refused extends Error {
	readonly code: ErrorCode;
	readonly details: Record<string, unknown>;
	constructor(code: ErrorCode, details: Record<string, unknown> = {}, message: string = ERRORS[code].message) {
		super(message);
		this.code = code;
		this.details = details;
	}
}
