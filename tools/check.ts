/** `npm run check`: format, lint, types and the rules of the house, beside one another. */
import { CHECKS, runScripts } from './run-scripts.ts';

const isRight = await runScripts({ ...CHECKS, 'rules of the house': 'tidy' });
process.exit(isRight ? 0 : 1);
