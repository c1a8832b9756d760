/** The form in which names of players and operators are compared: one width, one case, so that no two look alike. */
export const nameKey = (name: string): string =>
	name.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC');
