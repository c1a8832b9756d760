/** Free coins of the PLAY pool: once at sign-up, and once a day up to a floor. */
import type pg from 'pg';
import { zoneAt } from '#contract/rules-at.ts';
import type { Exchange, WalletRecord } from '#server/exchange/exchange.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { COINS } from '#server/money/funds/machines/coins.ts';
import { openRounds } from '#server/money/funds/open-rounds.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId, WalletId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { isPlayPool, type Pool } from '#values/pools.ts';
import { dayOf, dayStart } from '#values/zoned-calendar.ts';

interface CoinsOptions {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'wallet'>;
	protection: Pick<Protection, 'isBarred' | 'admit'>;
	db: pg.Pool;
	clock: () => number;
}

export interface DailyCoins {
	/** Minor units that a claim would grant now; zero for a player in debt. */
	amount: AnyMinor;
	floor: AnyMinor;
	nextAtMs: number;
}

export class Coins {
	readonly #options: CoinsOptions;

	constructor(options: CoinsOptions) {
		this.#options = options;
	}

	/** Grants a new account its coins, at most once; a barred account gets them when the bar ends. */
	async welcome(playerId: PlayerId, { setting }: Pick<Brand, 'setting'>): Promise<void> {
		const amount = setting.signUpCoins * MINOR_PER_MAJOR;
		if (!isPlayPool(this.#options.exchange.wallet(playerId)?.pool) || amount === 0) return;
		if (this.#options.protection.isBarred(playerId, 'SIGN_UP_COINS')) return;
		await this.#give(playerId, amount, `coins:sign-up:${playerId}`, 'SIGN_UP').catch((error: unknown) => {
			if (!(error instanceof Refused && error.code === 'ALREADY_CLAIMED')) throw error;
		});
	}

	/** The coins that the player may claim. @throws Refused FORBIDDEN outside play money */
	async due(playerId: PlayerId, setting: Brand['setting']): Promise<DailyCoins> {
		const { exchange, db, clock } = this.#options;
		const wallet = exchange.wallet(playerId);
		if (!isPlayPool(wallet?.pool)) throw new Refused('FORBIDDEN');
		const before = walletSum(wallet);
		const inRounds = (await openRounds(db, playerId)).reduce((sum, { stake }) => sum + stake, 0);
		// A round that ended meanwhile is counted in one of the two.
		const held = Math.max(before, walletSum(exchange.wallet(playerId) ?? wallet)) + inRounds;
		const zone = zoneAt(setting, clock());
		const today = dayOf(clock(), zone);
		const { rowCount } = await db.query('select 1 from workflow_claim where name = $1', [claimOf(playerId, today)]);
		const isFetched = rowCount !== 0;
		const floor = setting.dailyCoins * MINOR_PER_MAJOR;
		const tomorrowMs = dayStart(today + 1, zone);
		return {
			// Coins fill an empty purse; they pay no debt.
			amount: isFetched || wallet.cash < 0 ? 0 : Math.max(0, floor - held),
			floor,
			nextAtMs: isFetched ? tomorrowMs : clock(),
		};
	}

	/**
	 * @returns granted minor units; zero when the balance has reached the floor. @throws Refused ALREADY_CLAIMED, FORBIDDEN,
	 * those of Protection.admit
	 */
	async claim(playerId: PlayerId, setting: Brand['setting']): Promise<number> {
		const { ledger, clock, protection } = this.#options;
		return await ledger.turns.take(`coins ${playerId}`, async () => {
			protection.admit(playerId, 'DAILY_COINS');
			const { amount, nextAtMs } = await this.due(playerId, setting);
			if (nextAtMs > clock()) throw new Refused('ALREADY_CLAIMED');
			const today = dayOf(clock(), zoneAt(setting, clock()));
			if (amount > 0) await this.#give(playerId, amount, claimOf(playerId, today), 'DAILY');
			return amount;
		});
	}

	#poolOf(walletId: WalletId): Pool {
		const wallet = this.#options.exchange.wallet(walletId);
		if (!wallet) throw new Refused('UNKNOWN_USER');
		return wallet.pool;
	}

	async #give(walletId: WalletId, amount: AnyMinor, claim: string, reason: string): Promise<void> {
		await this.#options.ledger.begin(
			COINS,
			{ walletId, pool: this.#poolOf(walletId) },
			{ event: 'give', facts: null, amounts: { amount }, actor: 'server', data: { amount, reason }, claims: [claim] },
		);
	}
}

const walletSum = ({ cash, exposure, hold }: WalletRecord): AnyMinor => cash + exposure + hold;

const claimOf = (playerId: PlayerId, day: number): string => `coins:daily:${playerId}:${day}`;
