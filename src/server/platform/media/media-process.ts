/**
 * A media process: the only one that decodes untrusted bytes. It answers one request at a time, and ends with the
 * server that started it. It gets no setting of the server, so it knows no key and no address.
 */
import { constants, setPriority } from 'node:os';
import type { MediaRequest } from '#server/platform/media/protocol.ts';

// Bets and log-ins have priority when cores are scarce; threads started from here on have the same priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

async function answerTo(request: MediaRequest): Promise<object | null> {
	const copy = Buffer.from(request.bytes);
	// Each job loads only what it needs, because loading takes a while.
	if (request.kind === 'clean')
		return await (await import('#server/platform/media/clean-picture.ts')).cleanPicture(copy, request.longestSide);
	return await (await import('#server/platform/media/read-picture.ts')).readPicture(copy, request.withinMs);
}

// A failure ends the process, which the server notices.
process.on('message', (request: MediaRequest) => void answerTo(request).then((answer) => process.send?.(answer)));
process.on('disconnect', () => process.exit());
