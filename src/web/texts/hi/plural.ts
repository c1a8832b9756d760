let rules: Intl.PluralRules | undefined;

/** The form of a word that goes with a number; 0 has that of 1. */
function plural(n: number, one: string, other: string): string {
	rules ??= new Intl.PluralRules('hi');
	return rules.select(n) === 'one' ? one : other;
}

/** "1 नतीजा", "2 नतीजे". */
export const count = (n: number, one: string, other: string): string => `${n} ${plural(n, one, other)}`;
