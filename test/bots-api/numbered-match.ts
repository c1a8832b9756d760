/** A match as a feed would list it from a stream, whose runners have the selection ids 1 and 2. */
import { openTestMatch as openMatch, type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';

const NUMBERED = [
	{ id: '1.1-1', name: 'India' },
	{ id: '1.1-2', name: 'Nepal' },
];

export const openTestMatch = (server: TestServer, changes: Parameters<typeof openMatch>[1] = {}): Promise<TestMatch> =>
	openMatch(server, { runners: NUMBERED, ...changes });
