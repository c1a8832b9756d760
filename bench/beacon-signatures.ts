/**
 * `npm run bench -- beacon-signatures`: what a check of a beacon's signature costs the thread that orders bets: in its own thread, as the
 * server checks, and beside it, as it did before. Processor time of the main thread for each check, in ms, and the longest
 * turn of its loop meanwhile. Prints one JSON line.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { QUICKNET } from '#games/beacon/beacon-chain.ts';
import { isBeaconSignature } from '#games/beacon/beacon-signature.ts';
import { SignatureThread } from '#server/money/casino/beacon/signature-thread.ts';
import { print, round } from './support/figures.ts';

const CHECKS = 200;
const WARM_UP = 20;
/** Between two checks, as between values of a beacon. */
const REST_MS = 5;
const MUST = { cpuRatio: 0.05 };
/** Published by drand's quicknet. */
const VALUE = {
	round: 1_000,
	signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
};

const thread = new SignatureThread();
const beside = await costOf(() => thread.isSignature(QUICKNET.publicKey, VALUE));
const here = await costOf(async () => isBeaconSignature(QUICKNET.publicKey, VALUE));
await thread.stop();
print({ checks: CHECKS, beside, here, cpuRatio: round(beside.cpuMs / here.cpuMs, 3), must: MUST });

async function costOf(check: () => Promise<boolean>) {
	for (let at = 0; at < WARM_UP; at++) await check();
	const loop = monitorEventLoopDelay({ resolution: 1 });
	let cpu = 0;
	loop.enable();
	for (let at = 0; at < CHECKS; at++) {
		const before = process.threadCpuUsage();
		if (!(await check())) throw new Error('A published signature is not right.');
		const { user, system } = process.threadCpuUsage(before);
		cpu += user + system;
		await delay(REST_MS);
	}
	loop.disable();
	return { cpuMs: round(cpu / 1_000 / CHECKS, 3), longestTurnMs: round(loop.max / 1e6, 1) };
}
