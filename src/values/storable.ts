/**
 * Whether PostgreSQL can store a text, or every text of a value: it stores neither U+0000 nor half a surrogate pair.
 */
export function isStorable(value: unknown): boolean {
	if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
	if (typeof value !== 'object' || value === null) return true;
	return Object.entries(value).every(([key, held]) => isStorable(key) && isStorable(held));
}
