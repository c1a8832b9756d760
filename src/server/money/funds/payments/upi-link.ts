/** The intent link of a UPI payment, and its QR code. */
import { encodeQR } from 'qr';
import type { Currency } from '#values/currency-codes.ts';
import type { AnyMinor } from '#values/money.ts';

interface UpiOrder {
	payee: { name: string; upiId: string };
	/** Minor units. */
	amount: AnyMinor;
	currency: Currency;
	/** At most 35 letters and digits. */
	reference: string;
	note: string;
}

/** Merchant category: betting. */
const CATEGORY = '7995';
/** A dynamic code of a merchant. */
const MODE = '15';

/** `upi://pay?…` with blanks as %20, as the apps expect them. */
export function upiLink({ payee, amount, currency, reference, note }: UpiOrder): string {
	const fields = {
		pa: payee.upiId,
		pn: payee.name,
		am: `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`,
		cu: currency,
		tn: note,
		tr: reference,
		mc: CATEGORY,
		mode: MODE,
	};
	const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	return `upi://pay?${query.join('&')}`;
}

/** The code as an SVG picture. */
export const qrCode = (text: string): string => encodeQR(text, 'svg', { ecc: 'medium' });
