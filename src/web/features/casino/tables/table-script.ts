/** A table's round in a script of a few lines that needs Node and nothing of ours. */
import { drawLines } from '#web/features/casino/draw-script.ts';

export const tableScript = (hash: string, salt: string, round: string): string => `// node verify.mjs
import { createHash, createHmac } from 'node:crypto';
const hash = ${JSON.stringify(hash)};
const salt = ${JSON.stringify(salt)};
const round = ${round};
console.log('hash of the round before', createHash('sha256').update(Buffer.from(hash, 'hex')).digest('hex'));
${drawLines({ serverSeed: 'hash', clientSeed: 'salt', nonce: 'round' })}
console.log('roulette', draw(37)); // one of 52 cards: draw(52), then draw(51) of those left · eight packs: draw(416)
`;
