/**
 * Names that the server writes in English, in a language of the site: of markets, runners, fancies, competitions and
 * promotions, their rules, and the notes of scores. Names of persons, sides, horses and courses stay. A language brings a dictionary; answers
 * and messages of the hub are read through it, once, at the edge.
 */

/** The fields that carry such a name. */
const FIELDS: ReadonlySet<string> = new Set([
	'name',
	'marketName',
	'runnerName',
	'competition',
	'rules',
	'title',
	'eventTitle',
	'reference',
	'scoreLine',
	'score',
	'description',
	'note',
	'going',
	'unit',
	'text',
	'terms',
]);

/** Names as they are, and names with parts that stay: a pattern, and what takes its place. */
export interface NameDictionary {
	whole: Readonly<Record<string, string>>;
	/** The first that fits the whole name is used; parts of it are `$1`, `$2`. */
	patterns: readonly (readonly [pattern: RegExp, words: string])[];
}

/** How many different names are remembered. */
const MOST_KNOWN = 5_000;

/** A reviver for `JSON.parse`. */
export function namedBy({ whole, patterns }: NameDictionary): (key: string, value: unknown) => unknown {
	const known = new Map<string, string>();
	function sought(name: string): string {
		const found = Object.hasOwn(whole, name) ? whole[name] : undefined;
		if (found !== undefined) return found;
		for (const [pattern, words] of patterns) if (pattern.test(name)) return name.replace(pattern, words);
		// A title and its market, as records name them; a course and its race.
		const parts = name.split(' · ');
		return parts.length > 1 ? parts.map(translated).join(' · ') : name;
	}
	function translated(name: string): string {
		const before = known.get(name);
		if (before !== undefined) return before;
		if (known.size >= MOST_KNOWN) known.clear();
		const words = sought(name);
		known.set(name, words);
		return words;
	}
	return (key, value) => (typeof value === 'string' && FIELDS.has(key) ? translated(value) : value);
}
