/**
 * Rounds that a provider left open: an alert for operators after a while, and an automatic end after two weeks. The
 * alert is a finding in the payment queue, which closes when its round ends.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { readableWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import { isOfProvider, type ProviderRound } from '#server/money/casino/providers/provider-rounds.ts';
import type { ProviderWallet } from '#server/money/casino/providers/provider-wallet.ts';
import { GIVEN_UP_MS } from '#server/money/casino/providers/round-terms.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { FINDING } from '#server/money/funds/machines/finding.ts';
import { Refused } from '#values/error-catalogue.ts';

const EVERY_MS = 60_000;
const ALARM = 'round-open';

interface StaleRoundsOptions {
	db: pg.Pool;
	wallet: Pick<ProviderWallet, 'close'>;
	ledger: Pick<FundsLedger, 'report' | 'happen'>;
	/** How long a round may be open before operators are alerted. */
	roundAlarmMs: number;
	log: Logger;
}

export class StaleRounds {
	readonly #options: StaleRoundsOptions;
	#timer: NodeJS.Timeout | null = null;

	constructor(options: StaleRoundsOptions) {
		this.#options = options;
	}

	start(): void {
		const { log } = this.#options;
		const check = () =>
			void this.check(Date.now()).catch((error: unknown) =>
				log.warn({ err: error }, 'open rounds of providers could not be looked at'),
			);
		this.#timer = setInterval(check, EVERY_MS).unref();
	}

	stop(): void {
		if (this.#timer) clearInterval(this.#timer);
	}

	/** Called by the timer, and by tests. */
	async check(nowMs: number): Promise<void> {
		const { db, log, roundAlarmMs } = this.#options;
		const alarms = await this.#alarms();
		const open = await readableWorkflows(db, log, {
			kind: 'CASINO',
			where: `is_open and data->>'provider' is not null and opened_at < $1`,
			values: [nowMs - roundAlarmMs],
		});
		for (const round of open.filter(isOfProvider)) {
			if (round.openedAtMs < nowMs - GIVEN_UP_MS) await this.#giveUp(round);
			else if (!alarms.has(round.id)) await this.#raise(round);
		}
		await this.#end(alarms);
	}

	/** The open alerts, by the id of their round. */
	async #alarms(): Promise<Map<number, Workflow<'FINDING'>>> {
		const { db, log } = this.#options;
		const where = `is_open and data->>'name' like '${ALARM}:%'`;
		const findings = await readableWorkflows(db, log, { kind: 'FINDING', where });
		return new Map(findings.map((finding) => [Number(finding.data.name.slice(ALARM.length + 1)), finding]));
	}

	async #raise(round: ProviderRound): Promise<void> {
		const { provider, game, providerRound, stake } = round.data;
		const about = { provider, game, providerRound, roundId: String(round.id), amount: stake };
		await this.#options.ledger.report(`${ALARM}:${round.id}`, round, about);
	}

	async #giveUp({ id }: ProviderRound): Promise<void> {
		try {
			await this.#options.wallet.close(id, { actor: 'server', reason: 'The provider has not ended it for two weeks.' });
		} catch (error) {
			// The provider ended it meanwhile.
			if (!(error instanceof Refused && error.code === 'WRONG_STATE')) throw error;
		}
	}

	/** Closes the alerts of rounds that have ended. */
	async #end(alarms: ReadonlyMap<number, Workflow<'FINDING'>>): Promise<void> {
		const { db, ledger, log } = this.#options;
		const rounds = await readableWorkflows(db, log, {
			kind: 'CASINO',
			where: 'id = any($1)',
			values: [[...alarms.keys()]],
		});
		for (const { id } of rounds.filter(({ isOpen }) => !isOpen)) {
			const data = { reason: 'The round has ended.', decidedBy: 'server' };
			const matched = { event: 'match', facts: null, amounts: {}, actor: 'server', data };
			await ledger.happen(FINDING, alarms.get(id) as Workflow, matched).catch((error: unknown) => {
				// An operator decided it meanwhile.
				if (!(error instanceof Refused && error.code === 'WRONG_STATE')) throw error;
			});
		}
	}
}
