/**
 * Devices that logged in as a player, or as a member of staff, before. Such a device has a secret in a cookie that
 * scripts cannot read, one for each account that uses it. The secret opens no login. It shows that a password attempt
 * comes from a device that knew the right one, so that strangers' attempts do not slow it down. Clients without cookies
 * always count as strangers.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';

/** The beginning of a cookie's name: by account, so that those of one device keep a cookie each. */
const COOKIES = { player: 'known-device-', staff: 'known-staff-' } as const;

/** The account that a device is known to. */
export interface DeviceOwner {
	id: number;
	/** Null for an account without a password, which has no known devices. */
	passwordHash: string | null;
}

/** Limit for one browser, because requests with an ever-growing head are eventually refused. */
const MOST_COOKIES = 20;
const SECRET = /^([\w-]{16})\.([\w-]{43})$/;

/** The cookie that a device should store. */
export interface DeviceCookie {
	name: string;
	value: string;
}

/** The cookies of the device that sends a request. */
export interface CookieJar {
	/** The cookies in the request, oldest first. */
	names(): string[];
	find(name: string): string | null;
	keep(cookie: DeviceCookie): void;
	drop(name: string): void;
}

export class KnownDevices {
	readonly #key: string;
	readonly #cookie: string;
	readonly #sealed: string;

	/**
	 * @param key the server's secret
	 */
	constructor(key: string, kind: keyof typeof COOKIES = 'player') {
		this.#key = key;
		this.#cookie = COOKIES[kind];
		this.#sealed = kind === 'player' ? 'device' : `${kind} device`;
	}

	/** Marks the device as known after it showed the account's password. */
	welcome(owner: DeviceOwner, jar: CookieJar): void {
		if (owner.passwordHash === null) return;
		const deviceId = randomBytes(12).toString('base64url');
		const name = `${this.#cookie}${owner.id}`;
		const others = this.#namesIn(jar).filter((held) => held !== name);
		for (const oldest of others.slice(0, Math.max(0, others.length + 1 - MOST_COOKIES))) jar.drop(oldest);
		jar.keep({ name, value: `${deviceId}.${this.#seal(deviceId, owner)}` });
	}

	/**
	 * The other accounts that the device has logged in as: their cookies are sealed, so a browser can name only its own.
	 * @param byId the accounts that exist
	 */
	others<Owner extends DeviceOwner>(
		owner: DeviceOwner,
		jar: CookieJar,
		byId: (id: number) => Owner | undefined,
	): number[] {
		return this.#namesIn(jar)
			.map((name) => byId(Number(name.slice(this.#cookie.length))))
			.flatMap((other) => (other && other.id !== owner.id && this.find(other, jar) !== null ? [other.id] : []));
	}

	/** The id of a device that logged in as the account before; null for other devices. */
	find(owner: DeviceOwner | undefined, jar: CookieJar): string | null {
		if (!owner) return null;
		const [, deviceId, seal] = SECRET.exec(jar.find(`${this.#cookie}${owner.id}`) ?? '') ?? [];
		if (!deviceId || !seal) return null;
		return isSameSecret(seal, this.#seal(deviceId, owner)) ? deviceId : null;
	}

	/** A name that the server never generates is not one of its cookies, and could not be dropped. */
	#namesIn(jar: CookieJar): string[] {
		const isOurs = (name: string) => name.startsWith(this.#cookie) && /^\d+$/.test(name.slice(this.#cookie.length));
		return jar.names().filter(isOurs);
	}

	/** The seal covers the current password too: a device that knew only an older one is a stranger. */
	#seal(deviceId: string, { id, passwordHash }: DeviceOwner): string {
		return createHmac('sha256', this.#key)
			.update(`${this.#sealed}.${deviceId}.${id}.${passwordHash}`)
			.digest('base64url');
	}
}
