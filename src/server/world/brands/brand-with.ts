/** A brand with a setting, ready to send. */
import { createHash } from 'node:crypto';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { poolOf } from '#values/pools.ts';

export function brandWith(setting: DomainSetting): Brand {
	const json = JSON.stringify({ success: true, result: setting, error: null, unAuthorizedRequest: false });
	const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;
	return { host: setting.domain, pool: poolOf(setting.pool, setting.currency), setting, json, etag };
}
