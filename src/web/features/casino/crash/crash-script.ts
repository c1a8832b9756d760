/** A round of Crash in a script of a few lines that needs Node and nothing of ours. */
import type { CrashRound } from '#games/crash/crash-result.ts';

export const crashScript = ({ hash, salt, bettorSeeds, returnPercent }: CrashRound): string => `// node verify.mjs
import { createHash, createHmac } from 'node:crypto';
const hash = Buffer.from(${JSON.stringify(hash)}, 'hex');
const key = ${JSON.stringify([salt, ...bettorSeeds].join(':'))};
console.log('hash of the round before', createHash('sha256').update(hash).digest('hex'));
const bits = BigInt('0x' + createHmac('sha256', key).update(hash).digest('hex').slice(0, 13));
const cents = (${returnPercent}n * 2n ** 52n) / (2n ** 52n - bits);
console.log('crash', (Number(cents < 100n ? 100n : cents) / 100).toFixed(2) + 'x');
`;
