/** Books compared with reports and statements: every planted difference is found, and none is invented. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareBooks, type OutsideEntry, type OwnEntry } from '#server/money/funds/operators/compare-books.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { freshRequestId } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

const DAYS = 30;
const PER_DAY = 400;

describe('a month of reports', () => {
	onSeeds([1, 2, 3], 'with 1 % of planted differences: all are found, none is invented, %i', (seed) => {
		const numbers = new SeededNumbers(seed);
		const known = new Set<string>();
		const [planted, found] = [new Set<string>(), new Set<string>()];
		let matched = 0;
		for (let day = 0; day < DAYS; day++) {
			const own = Array.from({ length: PER_DAY }, (_, at): OwnEntry => {
				const id = day * PER_DAY + at;
				const amount = 100_00 + numbers.below(900_000);
				const owner = { walletId: 1, pool: 'PLAY' } as const;
				return { key: `+${id}`, reference: `ref-${id}`, amount, owner, isDue: true };
			});
			const report = own.flatMap((entry) => (numbers.below(100) === 0 ? spoiled(numbers, entry, planted) : [entry]));
			const compared = compareBooks(report, own, (key) => known.has(key));
			matched += compared.matched;
			for (const { kind, key } of compared.differences) found.add(`${kind}:${key}`);
			for (const { key } of report) known.add(key);
		}
		expect(planted.size).toBeGreaterThan(50);
		expect([...found].sort()).toEqual([...planted].sort());
		expect(matched).toBeGreaterThan(DAYS * PER_DAY * 0.98);
	});

	/** The entry as a report may have it wrong. */
	function spoiled(numbers: SeededNumbers, entry: OwnEntry, planted: Set<string>): OutsideEntry[] {
		switch (numbers.below(5)) {
			case 0:
				planted.add(`not-reported:${entry.key}`);
				return [];
			case 1:
				planted.add(`other-amount:${entry.key}`);
				return [{ ...entry, amount: entry.amount + (numbers.chance(50) ? 1 : -100) }];
			case 2:
				planted.add(`other-order:${entry.key}`);
				return [{ ...entry, reference: 'ref-of-another' }];
			case 3:
				planted.add(`reported-twice:${entry.key}`);
				return [entry, entry];
			default:
				planted.add(`only-reported:${entry.key}x`);
				return [entry, { ...entry, key: `${entry.key}x` }];
		}
	}
});

describe('the server', () => {
	let server: TestServer;
	beforeAll(async () => {
		server = await TestServer.start(undefined, {
			payments: { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} },
		});
	});
	afterAll(() => server.dispose());

	const MINUTE_MS = 60_000;
	const at = (byMs: number) => new Date(Date.now() + byMs).toISOString();
	const reconcile = async (source: 'PROVIDER' | 'BANK', lines: readonly string[], from: number, to: number) => {
		const head = source === 'BANK' ? 'utr,amount' : 'reference,utr,amount';
		const about = { source, pool: 'PLAY', from: at(from), to: at(to) };
		const { body } = await server.operator<{ matched: number; findings: string[] }>('reconcile', {
			...about,
			report: [head, ...lines].join('\n'),
		});
		return [body.result?.matched, body.result?.findings.sort()];
	};
	const paidOrder = async (player: Player) => {
		const order = await server.result(
			'generatePayment',
			{ amount: 500, clientRequestId: freshRequestId() },
			player.token,
		);
		const state = () => server.result('checkPayment', { orderId: order.orderId }, player.token);
		await expect.poll(async () => (await state()).status).toBe('SUCCESS');
		const { utr = '' } = await state();
		return { utr, line: `${/tr=(\w+)/.exec(order.upiLink)?.[1]},${utr},500` };
	};

	it('takes an order on the border of two periods for reported in either, and for missing when it is in none', async () => {
		const player = await signUp(server);
		const [early, late, lost] = [await paidOrder(player), await paidOrder(player), await paidOrder(player)];
		// The orders were paid in the last minutes of one period.
		expect(await reconcile('PROVIDER', [early.line], -60 * MINUTE_MS, MINUTE_MS)).toEqual([1, []]);
		expect(await reconcile('PROVIDER', [late.line], MINUTE_MS, 60 * MINUTE_MS)).toEqual([
			1,
			[`not-reported:${lost.utr}`],
		]);
		// The first report again names what it named, and finds nothing new.
		expect(await reconcile('PROVIDER', [early.line], -60 * MINUTE_MS, MINUTE_MS)).toEqual([1, []]);
	});

	it('compares the bank’s statement with withdrawals and settlements, in their direction', async () => {
		const player = await signUp(server);
		const asked = {
			amount: 700,
			details: { method: 'UPI', upiId: 'asha@bank' },
			clientRequestId: freshRequestId(),
		} as const;
		const { id } = await server.result('createWithdrawal', asked, player.token);
		const number = id.split('-')[1] ?? '';
		await server.running.funds.decisions.decide({
			kind: 'WITHDRAWAL',
			id: Number(number),
			event: 'approve',
			operator: 'asha',
			reason: '',
		});
		const paid = async () =>
			(await server.running.funds.ledger.find('WITHDRAWAL', Number(number))).data['utr'] as string;
		await expect.poll(paid).toMatch(/^\d{12}$/);
		const settlement = { pool: 'PLAY', reference: 'SETTLED-1', net: 480, fee: 20 };
		await server.send('/operator/api/provider-settlement', {
			method: 'POST',
			body: JSON.stringify(settlement),
			headers: { ...server.operatorHeaders, 'X-Operator': 'asha' },
		});
		const utr = await paid();
		const statement = [`${utr},-700`, 'SETTLED-1,479', '999999999999,50'];
		expect(await reconcile('BANK', statement, -60 * MINUTE_MS, 60 * MINUTE_MS)).toEqual([
			1,
			['bank-only-reported:+999999999999', 'bank-other-amount:+SETTLED-1'],
		]);
	});

	it('refuses a file of another kind, and names the line that it cannot read', async () => {
		const ask = (report: string) => server.operator('reconcile', { pool: 'PLAY', report, from: at(0), to: at(1) });
		expect((await ask('utr,amount\n1,2')).code).toBe('VALIDATION_FAILED');
		expect((await ask('reference,utr,amount\nA,1,2\nA,1,0')).body.error?.details).toMatchObject({ line: 3 });
	});

	it('keeps no report in the journal', async () => {
		const { rows } = await server.database.db.query(
			`select 1 from journal where journal::text like '%999999999999,50%'`,
		);
		expect(rows).toEqual([]);
	});

	it('a trial balance comes to zero, today and before there was anything', async () => {
		const balance = async (day?: string) =>
			(await server.operator<{ balance: number }[]>('trial-balance', { pool: 'PLAY', ...(day ? { day } : {}) })).body
				.result;
		const now = (await balance()) ?? [];
		expect(now.length).toBeGreaterThan(3);
		expect(now.reduce((sum, account) => sum + account.balance * 100, 0)).toBe(0);
		expect(await balance('2020-01-01')).toEqual([]);
		expect(
			await balance(
				new Date()
					.toISOString()
					.slice(0, 10)
					.replace(/^\d{4}/, '2099'),
			),
		).toEqual(now);
	});

	it('a campaign is tried out before it is drawn up, and stopped after', async () => {
		const draft = { id: 'draft', title: 'Draft', kind: 'WELCOME', amount: 100, budget: 150 };
		const tried = await server.operator('campaign-dry-run', { campaign: draft });
		expect(tried.body.result).toMatchObject({ id: 'draft', players: 2, surveyed: 2, cost: 150, budget: 150 });
		const onOffer = () => server.brand.setting.campaigns.map(({ id }) => id);
		expect(onOffer()).not.toContain('draft');
		await server.act('campaign-draw-up', { campaign: draft });
		const player = await signUp(server);
		expect((await server.call('claimBonus', { id: 'draft' }, player.token)).code).toBeNull();
		const listed = await server.operator<object[]>('campaigns', {});
		expect(listed.body.result?.at(-1)).toMatchObject({ id: 'draft', given: { ACTIVE: 100 } });
		await server.act('campaign-stop', { id: 'draft' });
		expect(onOffer()).not.toContain('draft');
	});
});
