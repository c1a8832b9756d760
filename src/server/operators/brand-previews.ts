/** Drafts of brands that members look at on the real site. They are in memory, for minutes, and nothing is saved. */
import { randomBytes } from 'node:crypto';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';

/** How long a draft can be loaded. */
const KEPT_MS = 10 * 60_000;
/** More drafts than members draw at once; the one that was looked at least recently leaves. */
const MOST_KEPT = 100;

interface Kept {
	setting: DomainSetting;
	/** Of the monotonic clock. */
	untilMs: number;
}

export class BrandPreviews {
	/** By secret. */
	readonly #kept = recentlyUsed<string, Kept>(MOST_KEPT);

	/** @returns the secret by which the brand's host shows the draft */
	keep(setting: DomainSetting): string {
		const secret = randomBytes(24).toString('base64url');
		this.#kept.set(secret, { setting, untilMs: performance.now() + KEPT_MS });
		return secret;
	}

	/** Null for a draft of another host, and for one that is unknown or too old. */
	find(host: string, secret: string): DomainSetting | null {
		const kept = this.#kept.get(secret);
		return kept && kept.setting.domain === host && performance.now() < kept.untilMs ? kept.setting : null;
	}
}
