/** A table's round in a script of a few lines that needs Node and nothing of ours. */
export const tableScript = (hash: string, salt: string, round: string): string => `// node verify.mjs
import { createHash, createHmac } from 'node:crypto';
const hash = ${JSON.stringify(hash)};
const salt = ${JSON.stringify(salt)};
const round = ${round};
console.log('hash of the round before', createHash('sha256').update(Buffer.from(hash, 'hex')).digest('hex'));
let words = [];
let block = 0;
function word() {
  if (words.length === 0) {
    const bytes = createHmac('sha256', hash).update(\`\${salt}:\${round}:\${block++}\`).digest();
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
console.log('roulette', draw(37)); // one of 52 cards: draw(52), then draw(51) of those left · eight packs: draw(416)
`;
