/**
 * What has to stay on one side of the border between browsers and Node. The types know both, in one program; oxlint
 * refuses the global names of the other side and Node's modules (.oxlintrc.json), and these patterns the rest.
 */
const PURE = 'values|contract|engine|sports|games|conformity';
const BROWSER = 'public-log|ui|web|console';

export const ONE_SIDED: readonly (readonly [what: string, folders: string, pattern: RegExp])[] = [
	['what Node alone has', `${PURE}|${BROWSER}`, /\bNodeJS\b|\bimport\.meta\.(dirname|filename|main|resolve)\b/],
	[
		'Node’s, by way of the global object,',
		BROWSER,
		/\b(globalThis|self|window)\s*\.\s*(Buffer|global|process|require)\b/,
	],
	['what a page has', `${PURE}|server|studio`, /\bglobalThis\b|\bHTML\w*Element\b|\bimport\.meta\.(env|glob|hot)\b/],
	// Newer than what the site is built for; the types of Node and of tests have them.
	[
		'what browsers do not have yet',
		`${PURE}|${BROWSER}`,
		/\b(Array\s*\.\s*fromAsync|Symbol\s*\.\s*\w*[dD]ispose)\b|\busing [\w$]+ =/,
	],
];
