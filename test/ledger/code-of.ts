/** How a command ends. */
import type { Refused } from '#values/error-catalogue.ts';

/** `done`, or the code that the command is refused with. */
export const codeOf = async (submission: Promise<unknown>): Promise<string> =>
	await submission.then(
		() => 'done',
		(error: Refused) => error.code,
	);
