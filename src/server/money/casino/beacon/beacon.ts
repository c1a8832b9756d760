/**
 * The beacon of shared rounds: a port with two implementations, drand over HTTP and a local stand-in.
 *
 * This file has the port, and the wait for a value.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type BeaconChain, beaconTimeOf } from '#games/beacon/beacon-chain.ts';
import { unlessAborted } from '#server/platform/pacing/unless-aborted.ts';
import type { Pool } from '#values/pools.ts';

export interface Beacon<Takes extends Pool = Pool> {
	readonly chain: BeaconChain;
	/** Whose bets may depend on it. */
	readonly pools: readonly Takes[];
	/** Between the last bet and the time of the value, real milliseconds. */
	readonly leadMs: number;
	/** The clock by which rounds of the beacon are chosen, milliseconds since 1970. */
	nowMs(): number;
	/** The signature of a round, checked; null while it is not out, or no source of it answers. */
	signatureOf(round: number): Promise<string | null>;
	/** Ends what it runs beside the server. */
	stop(): Promise<void>;
}

/** A third of a period, in which bets are written; a second of drand's. */
export const leadOf = ({ periodMs }: BeaconChain): number => Math.max(LEAST_LEAD_MS, periodMs / 3);

/** Beside a busy machine, a window that closes late would otherwise reach into the time of the value. */
const LEAST_LEAD_MS = 150;

/** How often a value is asked for that is due. */
const ASKED_EVERY_MS = 250;

/** Milliseconds until the round's time; negative afterwards. */
export const untilRound = (beacon: Beacon, round: number): number => beaconTimeOf(beacon.chain, round) - beacon.nowMs();

/**
 * The signature of a round that is due or will be, asked for until it is there.
 * @param timeoutMs after the round's time, or after the call where that is later
 * @returns null if there was none by then, or the signal aborted
 */
export async function awaitedSignature(
	beacon: Beacon,
	round: number,
	{ timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<string | null> {
	const dueInMs = Math.max(0, untilRound(beacon, round));
	const untilMs = performance.now() + dueInMs + timeoutMs;
	await delay(dueInMs, undefined, { signal, ref: false }).catch(() => undefined);
	while (!signal.aborted) {
		// A server that stops waits for no relay.
		const signature = await unlessAborted(beacon.signatureOf(round), signal);
		if (signature !== null) return signature;
		if (performance.now() >= untilMs) return null;
		await delay(ASKED_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
	}
	return null;
}

/** Whether a round's value is out before its time: then the clock is behind, and bets were taken with the value public. */
export async function isOutEarly(beacon: Beacon, round: number): Promise<boolean> {
	const inTime = new AbortController();
	const due = delay(Math.max(0, untilRound(beacon, round)), null, { signal: inTime.signal, ref: false });
	const signature = await Promise.race([beacon.signatureOf(round), due.catch(() => null)]);
	inTime.abort();
	return signature !== null && untilRound(beacon, round) > 0;
}
