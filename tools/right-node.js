/**
 * Loaded before everything else (`node --import`) wherever a command of ours starts Node, because an older one cannot even
 * read TypeScript, and so would say nothing that helps. Written so that old ones can read this.
 */
const OLDEST = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
	console.error(
		`Backlay runs on Node ${OLDEST}; this is ${process.version}. On Linux x64 npm ci brings one: start with npm start or npm run, or with node_modules/.bin/node. Elsewhere install one.`,
	);
	process.exit(1);
}
