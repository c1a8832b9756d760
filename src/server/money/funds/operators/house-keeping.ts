/** Money that operators exchange with the outside: adjustments and the provider's settlements. */
import type { REASON_CODES } from '#contract/operators/fields.ts';
import type { FundsLedger, Happened } from '#server/money/funds/funds-ledger.ts';
import { ADJUSTMENT } from '#server/money/funds/machines/adjustment.ts';
import { PROVIDER_SETTLEMENT } from '#server/money/funds/machines/provider-settlement.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

type ReasonCode = (typeof REASON_CODES)[number];

export class HouseKeeping {
	readonly #ledger: FundsLedger;

	constructor({ ledger }: { ledger: FundsLedger }) {
		this.#ledger = ledger;
	}

	/** Another person approves it. @param amount minor units; a negative amount debits the player */
	async requestAdjustment(
		owner: { walletId: WalletId; pool: Pool },
		amount: AnyMinor,
		{ operator, reasonCode, reason }: { operator: string; reasonCode: ReasonCode; reason: string },
	): Promise<Happened> {
		if (operator === 'unnamed') throw new Refused('UNNAMED_OPERATOR');
		const isCredit = amount > 0;
		const data = { amount: Math.abs(amount), isCredit, reasonCode, reason, requestedBy: operator };
		const facts = { isCredit, isBonus: reasonCode === 'BONUS' };
		const happening = { event: 'request', facts, amounts: {}, actor: operator, data };
		return await this.#ledger.begin(ADJUSTMENT, owner, happening);
	}

	/** The provider has paid its debt, less its fee. @throws Refused ALREADY_CLAIMED for a known reference */
	async settleProvider(
		pool: Pool,
		{ reference, net, fee }: { reference: string; net: AnyMinor; fee: number },
		operator: string,
	): Promise<Happened> {
		if (operator === 'unnamed') throw new Refused('UNNAMED_OPERATOR');
		return await this.#ledger.begin(
			PROVIDER_SETTLEMENT,
			{ walletId: 0, pool },
			{
				event: 'settle',
				facts: null,
				amounts: { net, fee },
				actor: operator,
				data: { reference, net, fee },
				claims: [`provider-settlement:${reference}`],
			},
		);
	}
}
