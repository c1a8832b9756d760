import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Id, Money, page, paging, Timestamp } from '#contract/fields.ts';

export const Referral = v.object({
	/** The argument of ClaimRefer. */
	id: Id,
	/** The first letter and the last of the friend's name. */
	friend: v.string(),
	status: v.picklist(['LINKED', 'QUALIFIED', 'CLAIMED', 'VOID', 'CLAWED_BACK']),
	joinedAt: Timestamp,
	reward: Money,
	canClaim: v.boolean(),
	note: v.string(),
});

export const getReferrerCode = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Referral/GetReferrerCode',
	auth: 'player',
	summary: 'The player’s own code, the link that carries it, and what a friend is worth.',
	request: v.object({}),
	response: v.object({
		code: v.string(),
		link: v.string(),
		reward: Money,
		/** Of the friend's deposits together, without those in dispute. */
		minDeposit: Money,
		/** The friend's money at risk in settled events since the registration; rounds of the casino do not count. */
		minWagered: Money,
		/** How long ago a deposit was paid to count. */
		maturityHours: v.number(),
		/** The most rewards of one player. */
		cap: v.number(),
	}),
});

export const getReferralDetails = defineCall({
	method: 'POST',
	path: 'Referral/GetUserDetails',
	auth: 'player',
	whileSuspended: true,
	summary: 'The friends who registered with the player’s code.',
	request: v.object(paging),
	response: page(Referral),
});

export const claimReferral = defineCall({
	method: 'POST',
	path: 'Referral/ClaimRefer',
	auth: 'player',
	perMinute: 20,
	from: 'query',
	summary: 'Fetches the reward for a friend who qualified, once.',
	request: v.object({ userReferDetailId: Id }),
	response: Referral,
});
