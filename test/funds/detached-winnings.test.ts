/** Winnings from a player whose payment is disputed only after the month of the bets was detached. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachMonth, detachMonth } from '#server/exchange/ledger/detached-months.ts';
import { attachedMonths, monthOf } from '#server/platform/postgres/months.ts';
import { DAY_MS } from '#values/time.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { LEDGER_KEY, type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { PaymentDesk, QUIET_PAYMENTS } from './payment-desk.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: QUIET_PAYMENTS });
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

const desk = new PaymentDesk(() => server);

/** The player lays what the other backs, and wins. */
async function lost(match: TestMatch, backer: Player, winner: Player): Promise<void> {
	await server.result('placeBetV2', betOn(match, { stake: 1_000, price: 2 }), backer.token);
	await server.result('placeBetV2', betOn(match, { stake: 1_000, price: 2, side: 'LAY' }), winner.token);
}

/** What makes a person look at the player's withdrawal. */
async function doubtsAbout({ token, userId }: Player): Promise<unknown> {
	const details = { method: 'UPI', upiId: `p${userId}@bank` } as const;
	const asked = { amount: 500, details, clientRequestId: freshRequestId() };
	const { id } = await server.result('createWithdrawal', asked, token);
	const { ledger } = server.running.funds;
	return (await ledger.find('WITHDRAWAL', Number(id.replace('WITHDRAWAL-', '')))).data['doubts'];
}

/** The cases of chargebacks' winners after a look of the rules, with their players and markets. */
async function casesFound() {
	await server.running.caseSweep.look();
	const { rows } = await server.database.db.query<{ subject: string; players: number[]; markets: string[] }>(
		`select subject,
		   (select array_agg(player_id order by player_id)::float8[] from compliance_case_player as its
		    where its.case_id = found.case_id) as players,
		   (select array_agg(ref::text order by ref) from compliance_case_fact as its
		    where its.case_id = found.case_id and kind = 'market') as markets
		 from compliance_case as found where rule = 'CHARGEBACK_WINNER' order by case_id`,
	);
	return rows;
}

it('wait for a person, too, and are said in a case of the dispute; those of other markets are not', async () => {
	const [player, winner, early, elsewhere, other] = await Promise.all(Array.from({ length: 5 }, () => signUp(server)));
	if (!player || !winner || !early || !elsewhere || !other) throw new Error('five players sign up');
	const [before, after, apart] = await Promise.all([0, 1, 2].map(() => openTestMatch(server)));
	if (!before || !after || !apart) throw new Error('three matches are opened');
	await lost(before, player, early);
	await before.settle(1);
	const { reference } = await desk.order(player, 2_000);
	const paid = { reference, utr: desk.freshUtr(), amount: 200_000 };
	await desk.hear({ ...paid, status: 'SUCCESS' });
	await lost(after, player, winner);
	await lost(apart, other, elsewhere);
	await Promise.all([after.settle(1), apart.settle(1)]);
	const { db } = server.database;
	const months = (await attachedMonths(db, 'bet')).filter((month) => month <= monthOf(Date.now()));
	for (const month of months) await detachMonth(db, month, LEDGER_KEY, Date.now() + 365 * DAY_MS);
	try {
		await desk.hear({ ...paid, status: 'DISPUTED', dispute: { name: 'D1', sequence: 1, amount: 200_000 } });
		expect(await doubtsAbout(winner)).toContain('DISPUTED_WINNINGS');
		for (const one of [early, elsewhere]) expect(await doubtsAbout(one)).not.toContain('DISPUTED_WINNINGS');
		const [{ id = 0 } = {}] = (await db.query<{ id: number }>("select id from workflow where kind = 'DISPUTE'")).rows;
		expect(await casesFound()).toEqual([
			{ subject: `dispute ${id}`, players: [player.userId], markets: [after.marketId] },
		]);
	} finally {
		for (const month of months.toReversed()) await attachMonth(db, month);
	}
	expect(await casesFound()).toContainEqual({
		subject: `player ${winner.userId}`,
		players: [player.userId, winner.userId].sort((one, other) => one - other),
		markets: [after.marketId],
	});
});
