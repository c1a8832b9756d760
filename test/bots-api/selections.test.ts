/** Ids by which programs know runners and markets: the same runner has one in all its markets, and recordings keep theirs. */
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { runnerOf, selectionIdOf } from '#server/doors/bots-api/fields.ts';
import { filesOf, readRecordedFiles } from '#server/world/feeds/recorded/recorded-files.ts';
import { TestServer } from '../support/server.ts';
import { sharedFolder } from '../support/shared-folder.ts';
import { openBot, result, type Wire } from './bot.ts';

const RECORDINGS = sharedFolder('recordings', 'recorded ids are not compared');
const market = (type: string, ...names: string[]) => ({
	type,
	runners: names.map((name, at) => ({ id: `r${at}`, name })),
});

it('gives a team one id in all its markets, whatever their order, and the draw the one of every match', () => {
	const odds = market('MATCH_ODDS', 'Málaga', 'Bern', 'The Draw');
	const toss = market('TO_WIN_THE_TOSS', 'Bern', 'Málaga');
	const handicap = market('ASIAN_HANDICAP', 'Málaga −1.25', 'Bern +1.25');
	expect([1, 0].map((runner) => selectionIdOf(toss, runner))).toEqual(
		[0, 1].map((runner) => selectionIdOf(odds, runner)),
	);
	expect([0, 1].map((runner) => selectionIdOf(handicap, runner))).toEqual(
		[0, 1].map((runner) => selectionIdOf(odds, runner)),
	);
	expect(selectionIdOf(odds, 2)).toBe(58_805);
	// A number at the end is a name's own anywhere else.
	const overs = market('SESSION_RUNS', 'Runs 6', 'Runs 7');
	expect(selectionIdOf(overs, 0)).not.toBe(selectionIdOf(overs, 1));
	const ofStream = {
		type: 'WIN',
		runners: [
			{ id: '1.200806927-10301', name: 'Málaga' },
			{ id: '1.2-77_-0.5', name: 'x' },
		],
	};
	expect([selectionIdOf(ofStream, 0), selectionIdOf(ofStream, 1)]).toEqual([10_301, 77]);
});

it('tells the runners of any market apart, and finds each by its id', () => {
	const names = fc.array(fc.oneof(fc.constantFrom('India', 'india', ' India ', ''), fc.string()), { maxLength: 30 });
	fc.assert(
		fc.property(names, (of) => {
			const listing = market('WIN', ...of);
			const ids = of.map((_, runner) => selectionIdOf(listing, runner));
			expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
			expect(ids.map((id) => runnerOf(listing, id))).toEqual(of.map((_, runner) => runner));
		}),
	);
});

it.skipIf(!RECORDINGS.isPresent)(
	'keeps the market and selection ids of a recording, and says which one plays under another',
	async () => {
		const file = join(RECORDINGS.path, '1.200806927-cricket-market.bz2');
		const { events } = await readRecordedFiles(await filesOf(file));
		const [recorded] = events[0]?.markets ?? [];
		const keys = recorded?.listed.runners.map(({ id }) => Number(id.split('-')[1]));
		const feeds = {
			simulatedSports: false,
			recordings: [file],
			speed: 1,
			seed: 1,
			mostAnnounced: 0,
			proposedResults: [],
			betfair: null,
		};
		const server = await TestServer.start(undefined, { feeds });
		onTestFinished(() => server.dispose());
		const bot = await openBot(server);
		const played = async (): Promise<Wire[]> =>
			await result(server, bot, 'listMarketCatalogue', {
				filter: { textQuery: 'recorded' },
				marketProjection: ['RUNNER_DESCRIPTION'],
				maxResults: 10,
			});
		await expect.poll(async () => (await played()).map(({ marketId }) => marketId)).toEqual([recorded?.id]);
		const [first] = await played();
		expect(first.runners.map(({ selectionId }: Wire) => selectionId)).toEqual(keys);
		// Ids that are given by turns go on below.
		const { fixtures } = server.running;
		const fixture = fixtures.all().find(({ competition }) => competition === 'Recorded');
		const { id: _, ...listing } = fixtures.market(Number(recorded?.id.slice(2))) ?? expect.unreachable();
		const again = await fixtures.addMarket({ ...listing, name: 'Again' }, Number(recorded?.id.slice(2)));
		expect(again).toMatchObject({ fixtureId: fixture?.id });
		expect(again.id).toBeLessThan(100_000_000);
	},
);
