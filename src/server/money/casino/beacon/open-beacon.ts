/** The beacon that is configured. */
import type { Logger } from 'pino';
import type { Beacon } from '#server/money/casino/beacon/beacon.ts';
import { DrandBeacon, type DrandConfig } from '#server/money/casino/beacon/drand-beacon.ts';
import { LocalBeacon } from '#server/money/casino/beacon/local-beacon.ts';

interface BeaconOptions {
	/** Null for the local one. */
	drand: DrandConfig | null;
	tokenKey: string;
	tableSpeed: number;
	log: Logger;
}

export function openBeacon({ drand, tokenKey, tableSpeed, log }: BeaconOptions): Beacon {
	if (drand) return new DrandBeacon(drand, log);
	log.info('no public beacon is configured: shared rounds take a local one, which proves nothing, and no real money');
	return new LocalBeacon(tokenKey, tableSpeed);
}
