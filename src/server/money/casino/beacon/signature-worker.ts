/** Checks signatures in a thread of its own, one after another. */
import { parentPort } from 'node:worker_threads';
import { isBeaconSignature } from '#games/beacon/beacon-signature.ts';
import type { SignatureCheck } from '#server/money/casino/beacon/signature-thread.ts';

parentPort?.on('message', ({ id, publicKey, value }: SignatureCheck) =>
	parentPort?.postMessage({ id, isRight: isBeaconSignature(publicKey, value) }, []),
);
