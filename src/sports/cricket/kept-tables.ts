/** A table weighs more than a megabyte: as many stay as the matches of a day ask for, and the oldest asked for goes. */
const MOST_TABLES = 24;

/** The same function, which remembers its last answers. @param table depends on its arguments alone */
export function kept<Arguments extends readonly (string | number | boolean)[]>(
	table: (...of: Arguments) => Float32Array,
): (...of: Arguments) => Float32Array {
	const tables = new Map<string, Float32Array>();
	return (...of) => {
		const key = of.join(' ');
		const found = tables.get(key) ?? table(...of);
		// The newest is last.
		tables.delete(key);
		tables.set(key, found);
		const [oldest] = tables.keys();
		if (tables.size > MOST_TABLES && oldest !== undefined) tables.delete(oldest);
		return found;
	};
}
