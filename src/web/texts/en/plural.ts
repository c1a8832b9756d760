let rules: Intl.PluralRules | undefined;

/** The form of a word that goes with a number. */
export function plural(n: number, one: string, other: string): string {
	rules ??= new Intl.PluralRules('en');
	return rules.select(n) === 'one' ? one : other;
}

/** "1 market", "2 markets". */
export const count = (n: number, one: string, other: string): string => `${n} ${plural(n, one, other)}`;
