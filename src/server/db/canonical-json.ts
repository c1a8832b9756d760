/** JSON with sorted keys: a document reads the same after the database has reordered it. */
export function canonicalJson(value: unknown): string {
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	const document = value as Record<string, unknown>;
	let text = '';
	for (const key of Object.keys(document).sort()) {
		if (document[key] === undefined) continue;
		text += `${text === '' ? '' : ','}"${key}":${canonicalJson(document[key])}`;
	}
	return `{${text}}`;
}
