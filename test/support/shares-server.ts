/** Which files share the server of their worker: those that import `shared-server.ts` themselves. */
import { readFileSync } from 'node:fs';

const ASKED = /\bsharedServer\(([^)]*)\)/;

/** How the file asks for it, in its own words; null for a file that does not. Files with the same words want the same. */
export const askedServer = (path: string): string | null => ASKED.exec(readFileSync(path, 'utf8'))?.[1] ?? null;
