/**
 * Fails a file that leaves something running behind, by name: files of a worker share their process, so what is left
 * would fail in another file, or after all of them. Hooks of a set-up file are the outermost, so this one looks when the
 * file has closed all that it closes. The server that files share stays, if the file left it as it was.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { heldServer, releaseServer } from './held-server.ts';
import { AGENT } from './plain-request.ts';
import { serverProgram } from './server-program.ts';
import { askedServer } from './shares-server.ts';

/** A server that has stopped ends its connections now; their requests and sockets hear of it a moment later. */
const GRACE_MS = 2_000;
const LOOK_EVERY_MS = 10;
/** A loop is seen at each of these; what ends by itself, and the runner's reports, are seen at some. */
const LOOKS_FOR_LOOPS = 50;

/** A request as its client knows it. */
type Request = object;

/** What the process has at one time, of its whole life: modules of a worker are loaded once. */
interface Watch {
	/** Requests on their way, each in words with the test that was running when it was made. */
	requests: Map<Request, string>;
	/** Unhandled rejections. */
	rejections: unknown[];
	/** A file has left one, for which no later one fails. */
	hasLoop: boolean;
}

const WATCH = Symbol.for('backlay.tests.watch');
const shared = globalThis as { [WATCH]?: Watch };

function startWatching(): Watch {
	const watch: Watch = { requests: new Map(), rejections: [], hasLoop: false };
	const began = (request: Request, words: string): void => {
		watch.requests.set(request, `${words}, made in: ${expect.getState().currentTestName ?? 'outside a test'}`);
	};
	const ended = (message: unknown) => void watch.requests.delete((message as { request: Request }).request);
	subscribe('undici:request:create', (message) => {
		const { request } = message as { request: { method: string; origin: string; path: string } };
		began(request, `${request.method} ${request.origin}${request.path}`);
	});
	subscribe('undici:request:trailers', ended);
	subscribe('undici:request:error', ended);
	subscribe('http.client.request.start', (message) => {
		const { request } = message as { request: ClientRequest };
		if ('agent' in request && request.agent === AGENT)
			began(request, `${request.method} ${request.host}${request.path}`);
	});
	subscribe('http.client.response.finish', ended);
	subscribe('http.client.request.error', ended);
	process.on('unhandledRejection', (reason) => watch.rejections.push(reason));
	return watch;
}

const watch = (shared[WATCH] ??= startWatching());
const { requests, rejections } = watch;

/** Servers that listen and the project's own processes that run. */
function running(): object[] {
	const handles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();
	return handles.filter((handle) => (isListening(handle) && !isShared(handle)) || isOwnProcess(handle));
}

const isListening = (handle: object): handle is Server => 'listening' in handle && handle.listening === true;
const isShared = (server: Server): boolean => {
	const address = server.address();
	return typeof address === 'object' && address !== null && (heldServer()?.ports.includes(address.port) ?? false);
};
const isOwnProcess = (handle: object): handle is ChildProcess =>
	'spawnargs' in handle &&
	(handle as ChildProcess).spawnargs.some((argument) => argument.endsWith('.ts') || argument === serverProgram());

const nameOf = (handle: object): string =>
	isListening(handle)
		? `a server that listens at ${JSON.stringify(handle.address())}`
		: `the process ${(handle as ChildProcess).spawnargs.join(' ')}`;

const LOOP = 'a loop that goes on turn after turn';

/**
 * A loop that goes on in each turn of the event loop takes a core from all later files of its worker, of which none is to
 * blame. The runner has work in some turns, too.
 */
async function hasNewLoop(): Promise<boolean> {
	for (let look = 0; look < LOOKS_FOR_LOOPS && !watch.hasLoop; look++) {
		await delay(1);
		if (!process.getActiveResourcesInfo().includes('Immediate')) return false;
	}
	return !watch.hasLoop;
}

let before = new Set<object>();

beforeAll(async () => {
	// Its timers run beside no test that moves the clock, and it costs nothing while no file asks for it.
	if (askedServer(expect.getState().testPath ?? '') === null) await releaseServer();
	before = new Set(running());
});

afterAll(async () => {
	const left = () => [
		...running()
			.filter((handle) => !before.has(handle))
			.map(nameOf),
		...requests.values(),
	];
	for (const until = performance.now() + GRACE_MS; left().length > 0 && performance.now() < until; ) {
		await delay(LOOK_EVERY_MS);
	}
	// A rejection is told one turn after it happened.
	await new Promise(setImmediate);
	const found = [...left(), ...((await hasNewLoop()) ? [LOOP] : [])];
	// What one file leaves does not fail the next one.
	requests.clear();
	watch.hasLoop ||= found.includes(LOOP);
	expect(found, 'This file leaves behind what it started: stop it, or await its end, also when a test fails.').toEqual(
		[],
	);
	expect(rejections.splice(0), 'Rejections that were not handled in this file.').toEqual([]);
	const changed = (await heldServer()?.faults()) ?? [];
	if (changed.length > 0) await releaseServer();
	expect(changed, 'This file leaves the server that files share otherwise than it found it.').toEqual([]);
});
