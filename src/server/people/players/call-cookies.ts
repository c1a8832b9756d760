/** The cookies of a request, and the changes to them by its answer. */
import { parseCookie } from 'cookie';
import type { CookieJar, DeviceCookie } from '#server/people/players/known-devices.ts';

/** A value to keep, or null to drop the cookie. */
export interface CookieChange {
	name: string;
	value: string | null;
}

/** The values by name, as sent: oldest first (RFC 6265, 5.4), and of two with one name the older. */
export const cookiesOf = (header: string): Readonly<Record<string, string | undefined>> =>
	parseCookie(header, { decode: (value) => value });

export class CallCookies implements CookieJar {
	readonly changes: CookieChange[] = [];
	readonly #header: string;

	/** @param header the Cookie header; empty without one */
	constructor(header: string) {
		this.#header = header;
	}

	names(): string[] {
		return Object.keys(cookiesOf(this.#header));
	}

	find(wanted: string): string | null {
		return cookiesOf(this.#header)[wanted] ?? null;
	}

	keep({ name, value }: DeviceCookie): void {
		this.changes.push({ name, value });
	}

	drop(name: string): void {
		this.changes.push({ name, value: null });
	}
}
