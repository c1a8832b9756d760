/** `npm run api-client -- FILE`: writes the TypeScript client of the API, which a running server has at /client.ts. */
import { writeFileSync } from 'node:fs';
import { clientSource } from '../src/server/doors/bots-api/client-source.ts';

const [file] = process.argv.slice(2);
if (file === undefined) {
	console.error('Name the file: npm run api-client -- FILE');
	process.exit(1);
}
writeFileSync(file, clientSource());
