/** Queues that are longer than what is listed of them: what other brands have waiting takes no place in a member's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestServer } from '../support/server.ts';
import { signUp, signUpElsewhere } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

const OWN = 'localhost';
const OTHER = '127.0.0.1';
const VISIT = { address: '127.0.0.1', userAgent: 'a test' };

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

async function member(name: string, brands: string[] | null): Promise<ConsoleClient & { staffId: number }> {
	const { directory, sessions } = server.running.staff;
	const about = { name, passwordHash: 'none', roles: ['owner'], brands };
	const { staffId } = await directory.add(about, { actor: 'test', address: null });
	const client = Object.assign(new ConsoleClient(server.url), { staffId });
	client.cookies.set('console-session', await sessions.begin(staffId, VISIT, true));
	return client;
}

/** Open proposals of an act, each later than those before. */
async function propose(count: number, { staffId }: { staffId: number }, act: string, input: object): Promise<void> {
	await server.database.db.query(
		`insert into proposal (act, input, subject, reason, preview, basis, proposed_by, proposed_at, state)
		 select $1, $2, 'nothing', 'a test', '{"summary": [], "lines": [], "total": 0, "sums": []}', 'gone', $3,
		   (select count(*) from proposal) + number, 'OPEN' from generate_series(1, $4::int) as number`,
		[act, input, staffId, count],
	);
}

it('a member’s proposals are listed however many of other brands are newer', async () => {
	const [ofAll, ofOne] = [await member('of all', null), await member('of one', [OWN])];
	const [own, other] = [await signUp(server), await signUpElsewhere(server, '+919000098001')];
	const refuted = (playerId: number, otherId: number) => ({
		playerId: String(playerId),
		otherId: String(otherId),
		kind: 'mobile',
		reason: 'a test',
	});
	await propose(2, ofAll, 'player-erase', { playerId: String(own.userId) });
	await propose(1, ofAll, 'brand-set-guarded', { host: OWN, field: 'coins', value: '1' });
	// What the query leaves out, and what only the look at each row finds.
	await propose(201, ofAll, 'player-erase', { playerId: String(other.userId) });
	await propose(201, ofAll, 'brand-set-guarded', { host: OTHER, field: 'coins', value: '1' });
	await propose(401, ofAll, 'fact-refute', refuted(own.userId, other.userId));
	for (const open of [true, false]) {
		const listed = await ofOne.result<{ act: string; input: object }[]>('proposals', { open });
		expect(listed.map(({ act }) => act)).toEqual(['brand-set-guarded', 'player-erase', 'player-erase']);
		expect(await ofAll.result('proposals', { open })).toHaveLength(200);
	}
	const listed = await ofOne.result<{ subject: string }[]>('proposals', { open: true, marketId: '1' });
	expect(listed).toEqual([]);
});

it('a brand’s documents wait in their queue however many of other brands are older', async () => {
	const [other, own] = [await signUpElsewhere(server, '+919000098002'), await signUp(server)];
	await server.database.db.query(
		`insert into identity_document (document_id, player_id, request_id, at, kind, masked, fingerprint, key_id, number,
		   image_refs, state)
		 select 'document ' || number, player_id, 'a test', number, 'PASSPORT', '1', '', '', '', '{}', 'SUBMITTED'
		 from unnest($1::bigint[]) with ordinality as sent (player_id, number)`,
		[[other.userId, own.userId]],
	);
	const { documents } = server.running.funds;
	const playersOf = async (brands: string[] | null) =>
		(await documents.waiting(1, brands)).map(({ playerId }) => playerId);
	expect(await playersOf(null)).toEqual([other.userId]);
	expect(await playersOf([OWN])).toEqual([own.userId]);
	const ofOne = await member('of documents', [OWN]);
	expect(await ofOne.result('document-queue', {})).toMatchObject([{ playerId: String(own.userId), brand: OWN }]);
});
