/** What follows the batches: a follower that fails keeps no news from the others, such as what counts losses. */
import { expect, it } from 'vitest';
import { Listeners } from '#server/platform/bus/listeners.ts';

it('tells everybody the news in their order, whoever fails, and says that one did', () => {
	const listeners = new Listeners<string>();
	const heard: string[] = [];
	listeners.follow((news) => heard.push(`first ${news}`));
	for (const name of ['one', 'other'])
		listeners.follow((news) => {
			throw new Error(`${name} failed at ${news}`);
		});
	listeners.follow((news) => heard.push(`last ${news}`));
	expect(() => listeners.notify('batch')).toThrow('one failed at batch');
	expect(heard).toEqual(['first batch', 'last batch']);
});
