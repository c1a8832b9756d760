/** The cookies of a request, and what its answer does to them. */
import type { CookieJar, DeviceCookie } from '#server/people/players/known-devices.ts';

/** A value to keep, or null to drop the cookie. */
export interface CookieChange {
	name: string;
	value: string | null;
}

/** Name and value of each, in the header's order: the oldest first (RFC 6265, 5.4). */
export function cookiesOf(header: string): [name: string, value: string][] {
	return header.split(';').flatMap((pair): [string, string][] => {
		const equals = pair.indexOf('=');
		return equals < 0 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
	});
}

export class CallCookies implements CookieJar {
	readonly changes: CookieChange[] = [];
	readonly #header: string;

	/** @param header the Cookie header; empty without one */
	constructor(header: string) {
		this.#header = header;
	}

	names(): string[] {
		return cookiesOf(this.#header).map(([name]) => name);
	}

	find(wanted: string): string | null {
		return cookiesOf(this.#header).find(([name]) => name === wanted)?.[1] ?? null;
	}

	keep({ name, value }: DeviceCookie): void {
		this.changes.push({ name, value });
	}

	drop(name: string): void {
		this.changes.push({ name, value: null });
	}
}
