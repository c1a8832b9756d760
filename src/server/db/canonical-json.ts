/** JSON with sorted keys, so that a document has the same text after the database has reordered it. */
export function canonicalJson(value: unknown): string {
	if (typeof value !== 'object' || value === null)
		return typeof value === 'number' ? `${value}` : JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	const document = value as Record<string, unknown>;
	let text = '';
	for (const key of Object.keys(document).sort()) {
		const part = document[key];
		if (part !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(part)}`;
	}
	return `{${text}}`;
}
