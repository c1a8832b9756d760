/** The default of DATA_DIR, the folder of the embedded database, the token key and uploads. */
import { homedir } from 'node:os';
import { join } from 'node:path';

export function defaultDataDir(environment: NodeJS.ProcessEnv): string {
	const share = environment['XDG_DATA_HOME'] || join(homedir(), '.local', 'share');
	return join(share, 'backlay');
}
