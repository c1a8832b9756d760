/** The welcome of a brand: said once a day on this device, and again when the brand says something else. */

import type { DomainSetting } from '#contract/domain-setting.ts';
import { readStored, writeStored } from '#web/api/storage.ts';

type Said = Pick<DomainSetting, 'domain' | 'welcome'>;

function markOf({ domain, welcome }: Said, now: Date): string {
	const day = `${now.getFullYear()}-${now.getMonth() + 1}-${now.getDate()}`;
	return `${domain} ${day} ${welcome?.title ?? ''}`;
}

export const isWelcomeDue = (setting: Said, now = new Date()): boolean =>
	setting.welcome !== null && readStored('welcome') !== markOf(setting, now);

export const keepWelcomeSeen = (setting: Said, now = new Date()): void => writeStored('welcome', markOf(setting, now));
