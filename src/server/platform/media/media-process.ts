/**
 * A media process: the only one that decodes bytes of others. It answers one request after the other, and ends with the
 * server that started it. It is given no setting of the server, so it knows no key and no address.
 */
import { constants, setPriority } from 'node:os';
import type { MediaRequest } from '#server/platform/media/protocol.ts';

// Bets and log-ins come first where cores are short; threads that are made from here on have the same priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

async function answerTo(request: MediaRequest): Promise<object | null> {
	const copy = Buffer.from(request.bytes);
	// What only one of the two needs takes the other a while to load.
	if (request.kind === 'clean')
		return await (await import('#server/platform/media/clean-picture.ts')).cleanPicture(copy);
	return await (await import('#server/platform/media/read-picture.ts')).readPicture(copy, request.withinMs);
}

// A failure ends the process: the server hears of its end.
process.on('message', (request: MediaRequest) => void answerTo(request).then((answer) => process.send?.(answer)));
process.on('disconnect', () => process.exit());
