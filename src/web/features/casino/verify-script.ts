/** A round's words in a short script that needs Node and none of our code. */
import type { RoundSeeds } from '#games/seeded-words.ts';
import { drawLines } from '#web/features/casino/draw-script.ts';

export const verifyScript = ({ serverSeed, clientSeed, nonce }: RoundSeeds): string => `// node verify.mjs
import { createHash, createHmac } from 'node:crypto';
const serverSeed = ${JSON.stringify(serverSeed)};
const clientSeed = ${JSON.stringify(clientSeed)};
const nonce = ${nonce};
console.log('commitment', createHash('sha256').update(serverSeed).digest('hex'));
${drawLines({ serverSeed: 'serverSeed', clientSeed: 'clientSeed', nonce: 'nonce' })}
console.log('dice', draw(10000)); // roulette: draw(37) · coin: draw(2) · a card: draw(52)
`;
