/** The lines of a script to copy that draw numbers from seeds, as every game of the house does. */

/** The variables of the script around these lines. */
interface SeedNames {
	serverSeed: string;
	clientSeed: string;
	nonce: string;
}

/** From the `chainHash` of a shared round to the `hash` that gives its result. @param signature of the beacon */
export const hashLines = (signature: string | null): string => {
	const linked = `console.log('hash of the round before', createHash('sha256').update(Buffer.from(chainHash, 'hex')).digest('hex'));`;
	if (signature === null) return `${linked}\nconst hash = chainHash;`;
	return `${linked}
const beacon = createHash('sha256').update(Buffer.from(${JSON.stringify(signature)}, 'hex')).digest(); // drand's randomness
const hash = createHmac('sha256', beacon).update(Buffer.from(chainHash, 'hex')).digest('hex');`;
};

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
