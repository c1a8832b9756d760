/** A round's words in a script of a few lines that needs Node and nothing of ours. */
import type { RoundSeeds } from '#games/seeded-words.ts';

export const verifyScript = ({ serverSeed, clientSeed, nonce }: RoundSeeds): string => `// node verify.mjs
import { createHash, createHmac } from 'node:crypto';
const serverSeed = ${JSON.stringify(serverSeed)};
const clientSeed = ${JSON.stringify(clientSeed)};
const nonce = ${nonce};
console.log('commitment', createHash('sha256').update(serverSeed).digest('hex'));
let words = [];
let block = 0;
function word() {
  if (words.length === 0) {
    const bytes = createHmac('sha256', serverSeed).update(\`\${clientSeed}:\${nonce}:\${block++}\`).digest();
    words = Array.from({ length: 8 }, (_, i) => bytes.readUInt32BE(i * 4));
  }
  return words.shift();
}
function draw(sides) {
  for (;;) {
    const product = BigInt(word()) * BigInt(sides);
    if (product % 2n ** 32n >= 2n ** 32n % BigInt(sides)) return Number(product >> 32n);
  }
}
console.log('dice', draw(10000)); // roulette: draw(37) · coin: draw(2) · a card: draw(52)
`;
