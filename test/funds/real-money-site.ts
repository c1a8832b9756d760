/** A server with players of real money, beside the payment studio: everything between them goes over HTTP. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { CALLS, type CallName } from '#contract/registry.ts';
import type { TransferKind } from '#engine/effect.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { HyperswitchIds } from '#server/money/funds/payments/hyperswitch/ids.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { Config } from '#server/process/config.ts';
import { PaymentStudio } from '#studio/payments/payment-studio.ts';
import type { Payment, Payout, Refund } from '#studio/payments/switch-books.ts';
import type { FreshDatabase } from '../support/database.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

const API_KEY = 'the api key of the studio';
const WEBHOOK_KEY = 'the key that signs webhooks of the studio';
const ORDER_TAG = 'test';
const ids = new HyperswitchIds(ORDER_TAG);
const RULES = {
	'realMoney.licence': 'LIC-1',
	'realMoney.countries': '["GB"]',
	'realMoney.identity': 'OPERATOR',
	'realMoney.location': 'PROXY',
	'funds.turnover': '0',
	'funds.withdrawalsPerDay': '100',
};
/** The poller looks again soon, and orders stay open while a test looks. */
const PAYMENTS = { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} };
const FROM_GB = { 'X-Forwarded-For': '203.0.113.7', 'X-Country': 'GB' };

export class RealMoneySite {
	readonly studio: PaymentStudio;
	readonly #changes: Partial<Config>;
	server: TestServer;

	private constructor(studio: PaymentStudio, server: TestServer, changes: Partial<Config>) {
		this.studio = studio;
		this.server = server;
		this.#changes = changes;
	}

	static async open(changes: Partial<Config> = {}): Promise<RealMoneySite> {
		const studio = new PaymentStudio({ apiKey: API_KEY, target: null, actsAfterMs: null, retryMs: [50, 200, 1_000] });
		const hyperswitch = {
			url: await studio.listen(),
			apiKey: API_KEY,
			webhookKeys: ['an older key, which is still taken for a while', WEBHOOK_KEY],
			orderTag: ORDER_TAG,
			profileId: '',
		};
		const configured = { trustedProxies: ['127.0.0.1', '::1'], payments: PAYMENTS, hyperswitch, ...changes };
		const site = new RealMoneySite(studio, await TestServer.start(undefined, configured), configured);
		site.#connect();
		for (const [field, value] of Object.entries(RULES))
			await site.server.act('brand-set', { host: 'localhost', field, value });
		return site;
	}

	/** Resolves while no restart is under way. */
	isBack: Promise<void> = Promise.resolve();

	/** The studio goes on while the server is away. */
	async restart(): Promise<void> {
		this.isBack = this.#startAnew();
		await this.isBack;
	}

	async #startAnew(): Promise<void> {
		const database: FreshDatabase = this.server.database;
		await this.server.stop();
		this.server = await TestServer.start(database, this.#changes);
		this.#connect();
	}

	#connect(): void {
		this.studio.target = { url: `${this.server.url}/api/Payment/Webhook/Hyperswitch`, key: WEBHOOK_KEY };
	}

	/** A verified player of real money, who has none yet. */
	async player(): Promise<Player> {
		const userName = `real-${randomBytes(6).toString('hex')}`;
		const password = randomBytes(12).toString('base64url');
		const { players } = this.server.running;
		const { playerId } = await players.createPlayer({ userName, password, brand: { host: 'localhost', pool: 'REAL' } });
		await this.server.act('verify-identity', { userName, host: 'localhost', age: 30 });
		const login = { userNameOrEmailAddress: userName, password };
		const { accessToken, refreshToken } = await this.server.result('authenticate', login);
		return { token: accessToken, refreshToken, userId: playerId };
	}

	/** A call from an allowed country. */
	async call(name: CallName, input: object, { token }: Player): Promise<Record<string, unknown>> {
		const { body } = await this.server.send<Record<string, unknown>>(`/${CALLS[name].path}`, {
			method: 'POST',
			body: JSON.stringify(input),
			headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...FROM_GB },
		});
		if (!body.success || !body.result) throw new Error(`${name}: ${JSON.stringify(body.error)}`);
		return body.result;
	}

	async order(player: Player, rupees = 500): Promise<{ id: number; link: string }> {
		const asked = { amount: rupees, clientRequestId: freshRequestId() };
		const { orderId, upiLink } = await this.call('generatePayment', asked, player);
		return { id: Number(orderId), link: String(upiLink) };
	}

	/** A withdrawal that an operator approves. */
	async withdrawal(player: Player, rupees = 200): Promise<number> {
		const details = { method: 'UPI', upiId: 'asha@bank' };
		const asked = { amount: rupees, details, clientRequestId: freshRequestId() };
		const id = Number(String((await this.call('createWithdrawal', asked, player))['id']).replace('WITHDRAWAL-', ''));
		await this.decide('WITHDRAWAL', id, 'approve');
		return id;
	}

	async decide(kind: TransferKind, id: number, event: string, operator = 'asha'): Promise<string> {
		const decision = { kind, id, event, operator, reason: 'looked at' };
		return (await this.server.running.funds.decisions.decide(decision)).state;
	}

	/** As the studio has it. */
	payment(orderId: number): Payment {
		return this.studio.books.payment(ids.ofPayment(referenceOf('BLP', orderId)));
	}

	payout(withdrawalId: number): Payout {
		return this.studio.books.payout(ids.ofPayout(referenceOf('BLW', withdrawalId)));
	}

	refund(orderId: number, attempt = 1): Refund {
		return this.studio.books.refund(ids.ofRefund(referenceOf('BLP', orderId), attempt));
	}

	find<Kind extends TransferKind>(kind: Kind, id: number): Promise<Workflow<Kind>> {
		return this.server.running.funds.ledger.find(kind, id);
	}

	async becomes(kind: TransferKind, id: number, state: string): Promise<void> {
		await expect.poll(async () => (await this.find(kind, id)).state, { interval: 10 }).toBe(state);
	}

	/** The names of the findings, without those of a kind. */
	async findings(): Promise<string[]> {
		const { rows } = await this.server.database.db.query<{ name: string }>(
			`select data ->> 'name' as name from workflow where kind = 'FINDING' order by id`,
		);
		return rows.map(({ name }) => name);
	}

	cash(player: Player): number {
		return this.server.money(player)[0];
	}

	async close(): Promise<void> {
		await this.server.dispose();
		await this.studio.stop();
	}
}
