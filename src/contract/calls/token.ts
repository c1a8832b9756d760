import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Credential } from '#contract/player-rules.ts';

export const exchangeToken = defineCall({
	method: 'POST',
	path: 'api/v1/token/token',
	auth: 'none',
	perMinute: 120,
	takesForm: true,
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
		/** The same under the names of OAuth (RFC 6749, 5.1). */
		access_token: v.string(),
		refresh_token: v.string(),
		token_type: v.literal('Bearer'),
		expires_in: v.number(),
	}),
});
