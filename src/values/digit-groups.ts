const LAKHS = /\B(?=(?:\d\d)*\d{3}$)/g;
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** In thousands, then pairs, as in India: "1234567" → "12,34,567"; or all in thousands: "1,234,567". */
export const digitGroups = (digits: string, inLakhs: boolean): string =>
	digits.replace(inLakhs ? LAKHS : THOUSANDS, ',');
