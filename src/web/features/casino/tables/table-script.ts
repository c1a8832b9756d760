/** A table's round in a script of a few lines that needs Node and nothing of ours. */
import { sharedClientSeed } from '#games/seeded-words.ts';
import type { PublishedRound } from '#games/shared-result.ts';
import { drawLines, hashLines } from '#web/features/casino/draw-script.ts';

type Drawn = Omit<PublishedRound, 'returnPercent'>;

export const tableScript = ({ hash, signature, salt, bettorSeeds, round }: Drawn): string => `// node verify.mjs
import { createHash, createHmac } from 'node:crypto';
const chainHash = ${JSON.stringify(hash)};
const seed = ${JSON.stringify(sharedClientSeed(salt, bettorSeeds))}; // salt and bettors' seeds
const round = ${round};
${hashLines(signature)}
${drawLines({ serverSeed: 'hash', clientSeed: 'seed', nonce: 'round' })}
console.log('roulette', draw(37)); // one of 52 cards: draw(52), then draw(51) of those left · eight packs: draw(416)
`;
