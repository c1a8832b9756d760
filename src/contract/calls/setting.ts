import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { DomainSetting } from '#contract/domain-setting.ts';
import { Timestamp } from '#contract/fields.ts';

/** The fields of the domain setting. */
const SettingName = v.picklist(
	Object.keys(DomainSetting.entries) as (keyof DomainSetting)[],
	'The domain has no setting of that name.',
);

export const getSetting = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Setting/GetSetting',
	auth: 'none',
	summary: 'One field of the domain setting by its name.',
	request: v.object({ name: SettingName }),
	response: v.object({ name: v.string(), value: v.unknown() }),
});

export const getSettingExpiry = defineCall({
	method: 'GET',
	changesState: false,
	path: 'api/setting/GetSettingExpiry',
	auth: 'none',
	summary: 'The version of the domain setting, and until when a copy of it may be held without asking again.',
	request: v.object({}),
	response: v.object({ version: v.number(), expiresAt: Timestamp }),
});
