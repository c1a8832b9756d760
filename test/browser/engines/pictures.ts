/** Compares two pictures of one page. WebKit paints in tiles whose smoothed edges differ from run to run, so areas are compared. */
import sharp from 'sharp';

/** Small enough for one letter of a logo to fill an area. */
const AREA_PX = 8;

/** The mean colours of a picture's areas, three numbers each. */
async function areasOf(png: Buffer): Promise<Buffer> {
	const { width = 0, height = 0 } = await sharp(png).metadata();
	const size = [Math.ceil(width / AREA_PX), Math.ceil(height / AREA_PX)] as const;
	return await sharp(png)
		.removeAlpha()
		.resize(...size, { fit: 'fill', kernel: 'linear' })
		.raw()
		.toBuffer();
}

/** By how much, of 255, the colour of any area differs at most. */
export async function greatestDifference(one: Buffer, other: Buffer): Promise<number> {
	const [areas, others] = await Promise.all([areasOf(one), areasOf(other)]);
	let greatest = 0;
	for (const [at, colour] of areas.entries()) greatest = Math.max(greatest, Math.abs(colour - (others[at] ?? 255)));
	return greatest;
}
