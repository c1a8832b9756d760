/** Order matters: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
	['Edge', /Edg(?:e|A|iOS)?\/([\d.]+)/],
	['Opera', /OPR\/([\d.]+)/],
	['Samsung Internet', /SamsungBrowser\/([\d.]+)/],
	['Firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
	['Chrome', /(?:Chrome|CriOS)\/([\d.]+)/],
	['Safari', /Version\/([\d.]+).*Safari/],
];

/** Name and version for the hub's registration: "Chrome 140.0.0.0". */
export function browserName(userAgent: string): string {
	for (const [name, pattern] of BROWSERS) {
		const version = pattern.exec(userAgent)?.[1];
		if (version) return `${name} ${version}`;
	}
	return 'Unknown 0';
}
