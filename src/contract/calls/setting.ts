import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Timestamp } from '#contract/fields.ts';

export const getSettingExpiry = defineCall({
	method: 'GET',
	path: 'api/setting/GetSettingExpiry',
	auth: 'none',
	summary: 'The version of the domain setting, and until when a copy of it may be held without asking again.',
	request: v.object({}),
	response: v.object({ version: v.number(), expiresAt: Timestamp }),
});
