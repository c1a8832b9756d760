/**
 * The studio of exclusions as a process: `EXCLUSION_STUDIO_PORT` is its port, `EXCLUSION_STUDIO_KEY` the bearer token that
 * it expects, `EXCLUSION_STUDIO_MOBILES` the mobiles of excluded persons, with commas between.
 */
import { ExclusionStudio } from '#studio/exclusions/exclusion-studio.ts';

const {
	EXCLUSION_STUDIO_PORT = '3102',
	EXCLUSION_STUDIO_KEY = '',
	EXCLUSION_STUDIO_MOBILES = '',
	NODE_ENV,
} = process.env;
if (NODE_ENV === 'production') {
	console.error('The studio of exclusions asks no register: it is not for production.');
	process.exit(1);
}
const studio = new ExclusionStudio(EXCLUSION_STUDIO_KEY);
for (const mobile of EXCLUSION_STUDIO_MOBILES.split(',')) studio.excluded.add(mobile.trim());
console.log(`studio of exclusions: ${await studio.listen(Number(EXCLUSION_STUDIO_PORT))}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void studio.stop());
