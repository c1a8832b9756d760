import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';

const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(500));

export const exchangeToken = defineCall({
	method: 'POST',
	path: 'api/v1/token/token',
	auth: 'none',
	summary: 'A back end changes an authorization code into tokens of the player who asked for it.',
	request: v.strictObject({
		client_id: Text,
		client_secret: Text,
		redirect_uri: Text,
		grant_type: v.literal('authorization_code', 'grant_type must be authorization_code.'),
		code: Text,
	}),
	response: v.object({
		accessToken: v.string(),
		refreshToken: v.string(),
		expireInSeconds: v.number(),
		userId: v.string(),
	}),
});
