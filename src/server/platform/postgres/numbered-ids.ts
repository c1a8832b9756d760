/** Ids such as `act-9` and `posting-12-3`: a name with its numbers. */

/**
 * SQL: by what an id is ordered, its name and its numbers. As text `act-10` comes before `act-9`, and the order depends on
 * the database.
 * @param direction of both
 */
export function inNumbers(id: string, direction: 'asc' | 'desc' | '' = ''): string {
	const name = `rtrim(${id}, '0123456789-')`;
	const numbers = `string_to_array(ltrim(substr(${id}, length(${name}) + 1), '-'), '-', '')::numeric[]`;
	return `${name} collate "C" ${direction}, ${numbers} ${direction}`;
}
