/**
 * Counts wrong passwords of each account, where the profile of its brand locks an account after some: GLI-19, 2.5.3. A
 * name without an account is locked alike, so the answer does not tell which names exist. An attempt counts before its
 * password is checked, so attempts at once try no more passwords than attempts in turn.
 */
import { throttled } from '#server/people/players/rate-limit.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { MINUTE_MS } from '#values/time.ts';

/** Names without an account; the one tried longest ago is forgotten. */
const MOST_UNKNOWN = 50_000;
/** How long an attempt waits that would be one too many if those under way fail. */
const UNDER_WAY_MS = 1_000;

/** As a profile has it. */
interface LockRule {
	failures: number;
	withinMinutes: number;
}

interface Account {
	/** When wrong passwords were given since the last right one, by the exchange's clock, the oldest first. */
	failedAtMs: number[];
	underWay: number;
	isLocked: boolean;
}

export class FailedLogins {
	readonly #clock: () => number;
	readonly #known = new Map<PlayerId, Account>();
	readonly #unknown = recentlyUsed<string, Account>(MOST_UNKNOWN);

	/** @param clock never goes back */
	constructor(clock: () => number) {
		this.#clock = clock;
	}

	/** An account as the tables have it at the start. */
	restore(key: PlayerId, { failedAtMs, isLocked }: Pick<Account, 'failedAtMs' | 'isLocked'>): void {
		this.#known.set(key, { failedAtMs: [...failedAtMs], underWay: 0, isLocked: isLocked || this.isLocked(key) });
	}

	/**
	 * Counts an attempt until `end` is called.
	 * @param key of the account; null where there is none of that name
	 * @returns its end, which says whether this attempt locked the account
	 * @throws Refused ACCOUNT_LOCKED; THROTTLED while as many attempts are under way as may still fail, or failed before a
	 *   stricter profile held
	 */
	begin(key: PlayerId | null, name: string, rule: LockRule | null): (isRight: boolean | null) => 'LOCKED' | null {
		if (rule === null) return () => null;
		const account = this.#accountOf(key, name);
		const since = this.#clock() - rule.withinMinutes * MINUTE_MS;
		account.failedAtMs = account.failedAtMs.filter((atMs) => atMs > since);
		if (account.isLocked) throw new Refused('ACCOUNT_LOCKED');
		const [oldestMs = since] = account.failedAtMs;
		// A stricter profile has begun: its first lock follows an attempt of its own.
		if (account.failedAtMs.length >= rule.failures) throw throttled(oldestMs - since);
		if (account.failedAtMs.length + account.underWay >= rule.failures) throw throttled(UNDER_WAY_MS);
		account.underWay += 1;
		return (isRight) => {
			account.underWay -= 1;
			// Null: a fault, which says nothing about the password.
			if (isRight === null) return null;
			if (isRight) {
				account.failedAtMs = [];
				return null;
			}
			account.failedAtMs.push(this.#clock());
			if (account.isLocked || account.failedAtMs.length < rule.failures) return null;
			account.isLocked = true;
			return 'LOCKED';
		};
	}

	isLocked(key: PlayerId): boolean {
		return this.#known.get(key)?.isLocked ?? false;
	}

	unlock(key: PlayerId): void {
		this.#known.delete(key);
	}

	#accountOf(key: PlayerId | null, name: string): Account {
		const found = key === null ? this.#unknown.get(name) : this.#known.get(key);
		const account = found ?? { failedAtMs: [], underWay: 0, isLocked: false };
		if (key === null) this.#unknown.set(name, account);
		else this.#known.set(key, account);
		return account;
	}
}
