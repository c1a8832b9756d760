/**
 * Devices that logged in as a player before. Such a device has a secret in a cookie that scripts cannot read, one for
 * each player who uses it. The secret opens no login. It shows that a password attempt comes from a device that knew
 * the right one, so that strangers' attempts do not slow it down. Clients without cookies are strangers each time.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Player } from '#server/players/player.ts';
import { isSameSecret } from '#server/same-secret.ts';
import type { PlayerId } from '#values/ids.ts';

/** By player, so that the players of one device keep a cookie each. */
const COOKIE = 'known-device-';
/** Limit for one browser, because requests with a head that keeps growing are refused in the end. */
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

	/**
	 * @param key the server's secret
	 */
	constructor(key: string) {
		this.#key = key;
	}

	/** Marks the device as known after it showed the player's password. Demo players have none. */
	welcome(player: Player, jar: CookieJar): void {
		if (player.passwordHash === null) return;
		const deviceId = randomBytes(12).toString('base64url');
		const name = `${COOKIE}${player.playerId}`;
		const others = jar.names().filter((held) => held.startsWith(COOKIE) && held !== name);
		for (const oldest of others.slice(0, Math.max(0, others.length + 1 - MOST_COOKIES))) jar.drop(oldest);
		jar.keep({ name, value: `${deviceId}.${this.#seal(deviceId, player)}` });
	}

	/**
	 * The other players that the device has logged in as: their cookies are sealed, so no browser names another's.
	 * @param byId the players who exist
	 */
	others(player: Player, jar: CookieJar, byId: (playerId: PlayerId) => Player | undefined): PlayerId[] {
		return jar
			.names()
			.filter((name) => name.startsWith(COOKIE))
			.map((name) => byId(Number(name.slice(COOKIE.length))))
			.flatMap((other) => (other && other !== player && this.find(other, jar) !== null ? [other.playerId] : []));
	}

	/** The id of a device that logged in as the player before; null for other devices. */
	find(player: Player | undefined, jar: CookieJar): string | null {
		if (!player) return null;
		const [, deviceId, seal] = SECRET.exec(jar.find(`${COOKIE}${player.playerId}`) ?? '') ?? [];
		if (!deviceId || !seal) return null;
		return isSameSecret(seal, this.#seal(deviceId, player)) ? deviceId : null;
	}

	/** The seal covers the present password too: a device that knew an older one is a stranger. */
	#seal(deviceId: string, { playerId, passwordHash }: Player): string {
		return createHmac('sha256', this.#key).update(`device.${deviceId}.${playerId}.${passwordHash}`).digest('base64url');
	}
}
