/** Rounds that providers leave open, and their reports against our books. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#values/time.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { answered } from '../support/server.ts';
import { betOf, PROVIDERS, SPOKEN, StudioSite } from './studio-site.ts';

const START = 2_000_000;
const MINUTE_MS = 60_000;

let site: StudioSite;
beforeAll(async () => {
	site = await StudioSite.open();
});
afterAll(async () => {
	await expectSound(site.server.database.db);
	await site.close();
});

const winOf = ({ txId, roundId }: { txId: string; roundId: string }, amount: number, roundClosed = true) => ({
	txId: randomUUID(),
	refTxId: txId,
	roundId,
	amount,
	roundClosed,
});
const check = (afterMs: number) => site.server.running.providers.staleRounds.check(Date.now() + afterMs);
/** An act of the operator Asha. */
const operate = async <Result>(act: string, body: object) =>
	answered<Result>(
		await fetch(`${site.server.url}/operator/api/${act}`, {
			method: 'POST',
			body: JSON.stringify(body),
			headers: { ...site.server.operatorHeaders, 'X-Operator': 'asha' },
		}),
	);

async function openBet() {
	const player = await site.server.playPlayer();
	const bet = betOf(await site.session(player));
	await site.ask('bet', bet);
	const [round] = (await site.server.result('getRounds', {}, player.token)).items;
	return { player, bet, roundId: round?.roundId ?? '' };
}

/** The open alarms about a round, as the operators' queue has them. */
async function alarmsOf(roundId: string) {
	const { body } = await site.server.operator<{ name: string }[]>('payment-queue', { kind: 'FINDING' });
	return (body.result ?? []).filter(({ name }) => name === `round-open:${roundId}`);
}

it('a bet that was given back is no stake of its game, and its figures are those of the report', async () => {
	const figures = async () => {
		const day = (by: number) => new Date(Date.now() + by * DAY_MS).toISOString().slice(0, 10);
		const [games, profit] = [
			await operate<{ name: string; house: number }[]>('casino-games', { days: 1 }),
			await operate<{ group: string; ggr: number }[]>('report-profit', { from: day(-2), to: day(1), by: 'game' }),
		];
		const sumOf = (rows: readonly number[] = []) => rows.reduce((sum, row) => sum + row, 0);
		return {
			house: sumOf(games.body.result?.map(({ house }) => house)),
			ggr: sumOf(profit.body.result?.map(({ ggr }) => ggr)),
		};
	};
	const before = await figures();
	const [returned, won] = [await openBet(), await openBet()];
	await site.ask('rollback', { txId: randomUUID(), refTxId: returned.bet.txId });
	await site.ask('win', winOf(won.bet, 4_000));
	const after = await figures();
	expect([after.house - before.house, after.ggr - before.ggr]).toEqual([60, 60]);
});

describe('a round that its provider leaves open', () => {
	it('raises one alarm after the configured time, which ends when the round does', async () => {
		const { player, bet, roundId } = await openBet();
		await check(59 * MINUTE_MS);
		expect(await alarmsOf(roundId)).toEqual([]);
		await check(61 * MINUTE_MS);
		await check(62 * MINUTE_MS);
		expect(await alarmsOf(roundId)).toMatchObject([
			{
				provider: 'lantern',
				game: 'lantern-cups',
				providerRound: bet.roundId,
				amount: 100,
				player: String(player.userId),
			},
		]);
		await site.ask('win', winOf(bet, 5_000));
		await check(63 * MINUTE_MS);
		expect(await alarmsOf(roundId)).toEqual([]);
	});

	it('gives the stake back by itself after two weeks, and its provider can pay or take nothing more', async () => {
		const { player, bet, roundId } = await openBet();
		await check(15 * DAY_MS);
		expect(site.cash(player)).toBe(START);
		expect(await alarmsOf(roundId)).toEqual([]);
		expect((await site.ask('win', winOf(bet, 5_000))).status).toBe('ALREADY_REFUNDED');
		expect((await site.ask('rollback', { txId: randomUUID(), refTxId: bet.txId })).status).toBe('ALREADY_REFUNDED');
		expect((await site.ask('bet', { ...bet, txId: randomUUID() })).status).toBe('ALREADY_SETTLED');
		expect(site.cash(player)).toBe(START);
	});

	it('is ended by an operator with a reason and a row of the journal, once', async () => {
		const { player, roundId } = await openBet();
		const close = (reason: string, id = roundId) => operate<object>('round-close', { id, reason });
		expect((await close('')).code).toBe('VALIDATION_FAILED');
		expect(site.cash(player)).toBe(START - 10_000);
		expect((await close('the provider lost it')).body.result).toEqual({ id: roundId, state: 'VOID', returned: 100 });
		expect(site.cash(player)).toBe(START);
		expect((await close('again')).code).toBe('WRONG_STATE');
		const { rows } = await site.server.database.db.query(
			`select actor from journal where act = 'round-close' and outcome = 'done' and subject = $1`,
			[`casino ${roundId}`],
		);
		expect(rows).toEqual([{ actor: 'asha' }]);
		const { rows: steps } = await site.server.database.db.query(
			`select actor from workflow_step where kind = 'CASINO' and id = $1 order by step`,
			[Number(roundId)],
		);
		expect(steps.at(-1)).toEqual({ actor: 'asha' });
	});

	it('keeps what was paid when it is ended, and gives back what was not', async () => {
		const { player, bet, roundId } = await openBet();
		const session = bet.sessionToken;
		await site.ask('bet', { ...betOf(session), roundId: bet.roundId, amount: 3_000 });
		await site.ask('win', winOf(bet, 20_000, false));
		const { body } = await operate('round-close', { id: roundId, reason: 'a test' });
		expect(body.result).toEqual({ id: roundId, state: 'SETTLED', returned: 30 });
		expect(site.cash(player)).toBe(START + 10_000);
	});

	it('cannot be ended by an operator when it is the house’s own', async () => {
		const player = await site.server.demoGambler();
		const { round } = await site.server.result(
			'playRound',
			{ game: 'coin-flip', bets: [{ bet: 'heads', stake: 10 }], clientRequestId: randomUUID() },
			player.token,
		);
		expect((await operate('round-close', { id: round.roundId, reason: 'a test' })).code).toBe('UNKNOWN_ROUND');
	});
});

describe('the report of a day', () => {
	/** The same day throughout, also when midnight passes. */
	const today = new Date().toISOString().slice(0, 10);
	const reports = () => site.server.running.providers.dayReports;
	const transactions = async (provider: string) =>
		(
			await site.server.database.db.query<{ txId: string; paid: number; received: number }>(
				`select tx_id as "txId", paid, received from provider_transaction
				where provider = $1 and call <> 'rollback' and paid + received > 0`,
				[provider],
			)
		).rows;

	it('is fetched from each provider when the day is over, and agrees in spite of lost answers and rollbacks', {
		tags: 'thorough',
	}, async () => {
		const fresh = await StudioSite.open();
		try {
			for (const id of PROVIDERS) {
				const player = await fresh.server.demoPlayer();
				const { game } = SPOKEN[id];
				const { seat } = await fresh.studio.sit(id, game, await fresh.launch(player, game));
				for (let count = 0; count < 3; count++) {
					fresh.studio.faults.answersToLose = count === 1 ? 5 : 0;
					const bet = await fresh.studio.bet(seat, 1_000).catch(() => null);
					await fresh.studio.settled();
					let round = bet?.round;
					while (round && round.actions.length > 0)
						({ round } = await fresh.studio.act(seat, round.id, round.actions.at(-1)?.action ?? ''));
				}
			}
			const { dayReports } = fresh.server.running.providers;
			// A provider whose server does not answer is asked again later.
			expect(await dayReports.check(Date.now())).toEqual([]);
			const compared = await dayReports.check(Date.now() + DAY_MS + 31 * MINUTE_MS);
			expect(compared.flatMap(({ findings }) => findings)).toEqual([]);
			expect(new Set(compared.map(({ provider }) => provider))).toEqual(new Set(PROVIDERS));
			expect(compared.reduce((sum, { matched }) => sum + matched, 0)).toBeGreaterThanOrEqual(6);
			expect(await dayReports.check(Date.now() + DAY_MS + 31 * MINUTE_MS)).toEqual([]);
			const { body } = await fresh.server.operator<object[]>('casino-providers', {});
			expect(body.result).toMatchObject(
				PROVIDERS.map((provider) => ({ provider, open: 0, late: 0, day: expect.any(String), differences: 0 })),
			);
		} finally {
			await fresh.close();
		}
	});

	it('names every planted difference and invents none', async () => {
		const numbers = new SeededNumbers(7);
		const player = await site.server.playPlayer();
		const session = await site.session(player);
		const bets = Array.from({ length: 40 }, () => betOf(session, { amount: 1_000 + 100 * numbers.below(9) }));
		await Promise.all(bets.map((bet) => site.ask('bet', bet)));
		await Promise.all(bets.slice(0, 30).map((bet) => site.ask('win', winOf(bet, 100 * numbers.below(20)))));
		await Promise.all(bets.slice(30, 35).map((bet) => site.ask('rollback', { txId: randomUUID(), refTxId: bet.txId })));
		const refunded = await site.server.database.db.query<{ txId: string }>(
			`select bet->>'txId' as "txId" from workflow, jsonb_array_elements(data->'bets') as bet
			where kind = 'CASINO' and data->>'provider' = 'lantern' and (bet->>'isRefunded')::boolean`,
		);
		// What was given back has to be in no report.
		const rolledBack = new Set(refunded.rows.map(({ txId }) => txId));
		const own = (await transactions('lantern')).filter(({ txId }) => !rolledBack.has(txId));
		const planted: string[] = [];
		const lines = own.flatMap(({ txId, paid, received }, at) => {
			const key = paid > 0 ? `-${txId}` : `+${txId}`;
			const line = `${txId},${paid / 100},${received / 100}`;
			switch (at % 6) {
				case 1:
					planted.push(`game-other-amount:lantern:${key}`);
					return [`${txId},${(paid > 0 ? paid + 1 : 0) / 100},${(received > 0 ? received + 1 : 0) / 100}`];
				case 2:
					planted.push(`game-only-reported:lantern:${key}x`);
					return [line, `${txId}x,${paid / 100},${received / 100}`];
				case 3:
					planted.push(`game-reported-twice:lantern:${key}`);
					return [line, line];
				default:
					return [line];
			}
		});
		// At noon: the last minutes of a day are due in the next report.
		await site.server.database.db.query(
			`update provider_transaction set at = $2 where provider = 'lantern' and tx_id = any ($1)`,
			[own.map(({ txId }) => txId), Date.parse(`${today}T12:00:00Z`)],
		);
		// A stake of this attempt: no earlier report has named it.
		const missing = bets.at(-1)?.txId ?? '';
		const reported = lines.filter((line) => !line.startsWith(missing));
		const ofOthers = planted.filter((name) => !name.includes(missing));
		const wanted = [...ofOthers, `game-not-reported:lantern:-${missing}`].sort();
		const report = ['transaction,paid,received', ...reported].join('\n');
		const { body } = await operate<{ findings: string[] }>('reconcile-games', {
			provider: 'lantern',
			day: today,
			report,
		});
		expect(body.result?.findings.sort()).toEqual(wanted);
		const again = await reports().compare('lantern', today, report);
		expect(again.findings.sort()).toEqual(wanted);
		const { rows } = await site.server.database.db.query(
			`select 1 from workflow where kind = 'FINDING' and data->>'name' = any ($1)`,
			[wanted],
		);
		expect(rows).toHaveLength(wanted.length);
	});

	it('of another form is refused with the line, and so is one of an unknown provider', async () => {
		const ask = (provider: string, report: string) => operate('reconcile-games', { provider, day: today, report });
		const head = 'transaction,paid,received';
		expect((await ask('lantern', 'a,b')).code).toBe('VALIDATION_FAILED');
		expect((await ask('lantern', `${head}\na,1,0\nb,-1,0`)).body.error?.details).toMatchObject({ line: 3 });
		expect((await ask('nobody', head)).code).toBe('NOT_FOUND');
	});
});
