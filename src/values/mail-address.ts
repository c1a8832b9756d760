/**
 * Mail addresses: the plain form of RFC 5321 that providers hand out. Quoted names, comments and addresses of machines
 * are refused, and so is everything that could end a line of a message's head.
 */
const ADDRESS =
	/^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
const LONGEST = 254;

export const isMailAddress = (text: string): boolean => text.length <= LONGEST && ADDRESS.test(text);

/** As operators see an address: enough to tell two apart that a player names. */
export const maskedAddress = (address: string): string => address.replace(/^(.).*@/, '$1••••@');

/** Providers tell no addresses apart by case, so two that differ by it are one. */
export const mailKey = (address: string): string => address.trim().toLowerCase();
