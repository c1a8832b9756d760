/** The program that tests start as a server, in place of `src/server/main.ts`: the run's bundle of it. */
import { inject } from 'vitest';

declare module 'vitest' {
	interface ProvidedContext {
		serverProgram: string;
	}
}

export const serverProgram = (): string => inject('serverProgram');
