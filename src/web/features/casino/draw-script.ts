/** The lines of a script to copy that draw numbers from seeds, as every game of the house does. */

/** The variables of the script around these lines. */
interface SeedNames {
	serverSeed: string;
	clientSeed: string;
	nonce: string;
}

export const drawLines = ({ serverSeed, clientSeed, nonce }: SeedNames): string => `let words = [];
let block = 0;
function word() {
  if (words.length === 0) {
    const bytes = createHmac('sha256', ${serverSeed}).update(\`\${${clientSeed}}:\${${nonce}}:\${block++}\`).digest();
    words = Array.from({ length: 8 }, (_, i) => bytes.readUInt32BE(i * 4));
  }
  return words.shift();
}
function draw(sides) {
  for (;;) {
    const product = BigInt(word()) * BigInt(sides);
    if (product % 2n ** 32n >= 2n ** 32n % BigInt(sides)) return Number(product >> 32n);
  }
}`;
