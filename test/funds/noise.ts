/** Pictures for receipts, with nothing on them to read. */
import sharp from 'sharp';
import { SeededNumbers } from '../reference/random-commands.ts';

/** A picture on which there is nothing to read. @returns base64 */
export async function noise(seed: number, at: number): Promise<string> {
	const numbers = new SeededNumbers(seed * 1_000 + at);
	const pixels = Buffer.from(Array.from({ length: 3 * 16 * 16 }, () => numbers.below(256)));
	return (
		await sharp(pixels, { raw: { width: 16, height: 16, channels: 3 } })
			.png()
			.toBuffer()
	).toString('base64');
}
