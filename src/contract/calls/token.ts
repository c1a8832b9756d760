import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Credential } from '#contract/player-rules.ts';

export const exchangeToken = defineCall({
	method: 'POST',
	path: 'api/v1/token/token',
	auth: 'none',
	perMinute: 120,
	summary: 'A back end exchanges an authorization code for tokens of the player.',
	request: v.strictObject({
		client_id: Credential,
		client_secret: Credential,
		redirect_uri: Credential,
		grant_type: v.literal('authorization_code', 'grant_type must be authorization_code.'),
		code: Credential,
	}),
	response: v.object({
		accessToken: v.string(),
		refreshToken: v.string(),
		expireInSeconds: v.number(),
		userId: v.string(),
	}),
});
