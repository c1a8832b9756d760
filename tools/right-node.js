/**
 * Loaded before everything else (`node --import`) by each of our commands that starts Node. An older Node cannot even
 * parse TypeScript, and its error would not help. Written in syntax that old versions can parse.
 */
const OLDEST = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
	console.error(
		`Backlay runs on Node ${OLDEST}; this is ${process.version}. On Linux x64 npm ci brings one: start with npm start or npm run, or with node_modules/.bin/node. Elsewhere install one.`,
	);
	process.exit(1);
}
