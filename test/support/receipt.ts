/** Receipts as payment apps show them, rendered. */
import sharp from 'sharp';

export interface ReceiptLook {
	/** As the app writes it, such as `1,500`; the rupee sign is what readers stumble over. */
	amount: string;
	utr: string;
	sign?: 'Rs ' | '₹';
	isDark?: boolean;
	width?: number;
}

/** A picture of the receipt, as PNG. */
export async function receiptPicture({
	amount,
	utr,
	sign = 'Rs ',
	isDark = false,
	width = 720,
}: ReceiptLook): Promise<Buffer> {
	const [ground, letters] = isDark ? ['#101418', '#e8ecf0'] : ['#ffffff', '#222222'];
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.round(width * 1.25)}" viewBox="0 0 720 900">
		<rect width="720" height="900" fill="${ground}"/>
		<g font-family="sans-serif" fill="${letters}"><text x="60" y="120" font-size="44">Payment successful</text>
		<text x="60" y="240" font-size="64">${sign}${amount}</text><text x="60" y="360" font-size="36">To Backlay</text>
		<text x="60" y="460" font-size="36">UTR ${utr}</text></g></svg>`;
	return await sharp(Buffer.from(svg)).png().toBuffer();
}
