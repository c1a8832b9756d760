/**
 * Mobile numbers in the formats of the product specification (section 5), and the one form in which they are stored.
 */

/** 0091, +91 or 0 may stand before ten digits of which the first is 6 to 9. */
export const MOBILE_PATTERN = /^(?:0091|\+91|0)?[6-9]\d{9}$/;

/** `+91` and the ten digits, for any notation. Expects a match of the pattern. */
export const normalMobile = (mobile: string): string => `+91${mobile.slice(-10)}`;

/** The last digits, for a page that a stranger may look at. */
export const maskedMobile = (mobile: string): string => `••••••${mobile.slice(-4)}`;
