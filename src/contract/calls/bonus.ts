import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Id, Money, Timestamp } from '#contract/fields.ts';

/**
 * A welcome bonus, the two that match a deposit, and a free bet are locked at first; cashback and free coins are not. A
 * free bet returns the loss of the first event in which its whole amount was risked, so its stake is never returned beside
 * a win.
 */
export const BONUS_KINDS = ['WELCOME', 'FIRST_DEPOSIT', 'RELOAD', 'CASHBACK', 'FREE_BET', 'FREE_COINS'] as const;

export const Bonus = v.object({
	/** For an offer, the argument of Claim; for a grant, its number. */
	id: Id,
	title: v.string(),
	terms: v.string(),
	kind: v.picklist(BONUS_KINDS),
	amount: Money,
	status: v.picklist(['OFFERED', 'ACTIVE', 'RELEASED', 'FORFEITED', 'EXPIRED', 'CANCELLED', 'CLAWED_BACK']),
	/**
	 * By the money at risk: the largest possible loss in each settled event, by bets at odds that count, and in each decided
	 * round of the casino, whether it was won or lost, each with its weight. What began before the claim does not count. Of a
	 * free bet, what has to be risked in one event.
	 */
	wageringRequired: Money,
	wageringDone: Money,
	/** Per cent. */
	sportsWeight: v.number(),
	casinoWeight: v.number(),
	/** For an offer, the end of its claim period; null without an end. */
	expiresAt: v.nullable(Timestamp),
	/** Why an offer cannot be claimed now; empty if it can. */
	note: v.string(),
});

export const getBonuses = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Bonus/GetBonuses',
	auth: 'player',
	whileSuspended: true,
	summary: 'The bonuses that the player may claim, and those that were claimed.',
	request: v.object({}),
	response: v.array(Bonus),
});

export const claimBonus = defineCall({
	method: 'GET',
	changesState: true,
	path: 'Bonus/Claim',
	auth: 'player',
	perMinute: 20,
	summary: 'Claims a bonus, which is locked until it is wagered with the player’s own money.',
	request: v.object({ id: Id }),
	response: Bonus,
});
