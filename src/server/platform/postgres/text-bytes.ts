/** Writes text and integers as bytes in place. Most are short, where a loop costs less than a call into native code. */

/** Up to this length a loop is faster. */
const SHORT = 24;
/** Most UTF-8 bytes of a UTF-16 code unit. */
const BYTES_OF_A_UNIT = 3;
const DIGIT_ZERO = 0x30;
const LETTER_A = 0x61;
const MINUS = 0x2d;
const NINE_DIGITS = 1_000_000_000;

/** Upper bound for the UTF-8 bytes of a text. */
export const mostBytesOf = (text: string): number => text.length * BYTES_OF_A_UNIT;

/** Writes a text as UTF-8; `mostBytesOf` it must be free. @returns the position after it */
export function writeText(bytes: Buffer, at: number, text: string): number {
	const { length } = text;
	if (length > SHORT) return at + bytes.write(text, at);
	for (let unit = 0; unit < length; unit++) {
		const code = text.charCodeAt(unit);
		if (code > 0x7f) return at + bytes.write(text, at);
		bytes[at + unit] = code;
	}
	return at + length;
}

/** Writes a safe integer in decimal digits; 17 bytes must be free. @returns the position after it */
export function writeInteger(bytes: Buffer, at: number, integer: number): number {
	let from = at;
	let rest = integer;
	if (rest < 0) {
		bytes[from++] = MINUS;
		rest = -rest;
	}
	if (rest < NINE_DIGITS) return writeDigits(bytes, from, rest, digitsOf(rest));
	const high = Math.floor(rest / NINE_DIGITS);
	const end = writeDigits(bytes, from, high, digitsOf(high));
	return writeDigits(bytes, end, rest - high * NINE_DIGITS, 9);
}

/** Writes bytes as hexadecimal digits. @returns the position after them */
export function writeHexadecimal(bytes: Buffer, at: number, written: Buffer): number {
	for (let place = 0; place < written.length; place++) {
		const byte = written[place] as number;
		bytes[at + 2 * place] = hexadecimalDigit(byte >> 4);
		bytes[at + 2 * place + 1] = hexadecimalDigit(byte & 15);
	}
	return at + 2 * written.length;
}

const hexadecimalDigit = (value: number): number => (value < 10 ? DIGIT_ZERO : LETTER_A - 10) + value;

/** Writes from the last digit to the first, in 32-bit arithmetic. */
function writeDigits(bytes: Buffer, at: number, number: number, digits: number): number {
	let rest = number | 0;
	for (let place = at + digits - 1; place >= at; place--) {
		const tenth = (rest / 10) | 0;
		bytes[place] = DIGIT_ZERO + rest - tenth * 10;
		rest = tenth;
	}
	return at + digits;
}

function digitsOf(number: number): number {
	let digits = 1;
	for (let bound = 10; number >= bound; bound *= 10) digits++;
	return digits;
}
