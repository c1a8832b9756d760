/**
 * Devices that logged in as a player before. Such a device holds a secret in a cookie that scripts cannot read, one for
 * each player who uses it. The secret opens no login: it only says that a try of the password comes from a device that
 * showed the right one before, so strangers' tries do not slow it down. Clients without cookies are strangers each time.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Player } from '#server/players/player-store.ts';

/** By player, so that the players of one device do not push one another out. */
const COOKIE = 'known-device-';
/** Of one browser; a request whose head grows without end is refused one day. */
const MOST_COOKIES = 20;
const SECRET = /^([\w-]{16})\.([\w-]{43})$/;

/** The cookie that a device is to keep. */
export interface DeviceCookie {
	name: string;
	value: string;
}

/** The cookies of a device that makes a request. */
export interface CookieJar {
	/** Those the request carries, the oldest first. */
	names(): string[];
	find(name: string): string | null;
	keep(cookie: DeviceCookie): void;
	drop(name: string): void;
}

export class KnownDevices {
	readonly #key: string;

	/** @param key the server's secret */
	constructor(key: string) {
		this.#key = key;
	}

	/** Makes a device known that just showed the player's password; demo players have none. */
	welcome(player: Player, jar: CookieJar): void {
		if (player.passwordHash === null) return;
		const deviceId = randomBytes(12).toString('base64url');
		const name = `${COOKIE}${player.playerId}`;
		const others = jar.names().filter((held) => held.startsWith(COOKIE) && held !== name);
		for (const oldest of others.slice(0, Math.max(0, others.length + 1 - MOST_COOKIES))) jar.drop(oldest);
		jar.keep({ name, value: `${deviceId}.${this.#seal(deviceId, player)}` });
	}

	/** The id of a device that logged in as the player before; null for any other. */
	find(player: Player | undefined, jar: CookieJar): string | null {
		if (!player) return null;
		const [, deviceId, seal] = SECRET.exec(jar.find(`${COOKIE}${player.playerId}`) ?? '') ?? [];
		if (!deviceId || !seal) return null;
		return timingSafeEqual(Buffer.from(this.#seal(deviceId, player)), Buffer.from(seal)) ? deviceId : null;
	}

	/** Of the present password too: a device that knew an older one is a stranger. */
	#seal(deviceId: string, { playerId, passwordHash }: Player): string {
		return createHmac('sha256', this.#key).update(`device.${deviceId}.${playerId}.${passwordHash}`).digest('base64url');
	}
}
