/** A round of Crash in a script of a few lines that needs Node and nothing of ours. */
import type { CrashRound } from '#games/crash/crash-result.ts';
import { sharedClientSeed } from '#games/seeded-words.ts';
import { hashLines } from '#web/features/casino/draw-script.ts';

/** @param signature of the beacon; null in a chain without one */
export const crashScript = (
	{ hash, salt, bettorSeeds, returnPercent }: CrashRound,
	signature: string | null,
): string => `// node verify.mjs
import { createHash, createHmac } from 'node:crypto';
const chainHash = ${JSON.stringify(hash)};
const key = ${JSON.stringify(sharedClientSeed(salt, bettorSeeds))};
${hashLines(signature)}
const bits = BigInt('0x' + createHmac('sha256', key).update(Buffer.from(hash, 'hex')).digest('hex').slice(0, 13));
const cents = (${returnPercent}n * 2n ** 52n) / (2n ** 52n - bits);
console.log('crash', (Number(cents < 100n ? 100n : cents) / 100).toFixed(2) + 'x');
`;
