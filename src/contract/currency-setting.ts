/**
 * What a brand of another currency begins with: the contract's defaults are amounts of the home currency, and the same
 * numbers would be a hundred times as much money in another one.
 */
import * as v from 'valibot';
import { DomainSetting } from '#contract/domain-setting.ts';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';

type AmountsOf<Part> = { [Field in keyof Part]?: Part[Field] };

/** The fields of a part that are amounts, whole major units, as that currency has them. */
function scaled<Part extends object>(part: Part, fields: readonly (keyof Part)[], currency: Currency): AmountsOf<Part> {
	const { times, over } = CURRENCY_TERMS[currency].limits;
	const inCurrency = (amount: unknown) =>
		typeof amount === 'number' && amount > 0 ? Math.max(1, Math.floor((amount * times) / over)) : amount;
	return Object.fromEntries(fields.map((field) => [field, inCurrency(part[field])])) as AmountsOf<Part>;
}

/** The fields of a new brand's setting that differ from the contract's defaults. */
export function settingOfCurrency(currency: Currency): Partial<DomainSetting> {
	const usual = v.parse(DomainSetting, { domain: 'usual', version: 1 });
	const { locale, stakes } = CURRENCY_TERMS[currency];
	const { playerProtection, funds, significantEvents, referral } = usual;
	return {
		currency,
		locale,
		defaultStakes: stakes.map((stake) => ({ title: String(stake), value: stake })),
		...scaled(usual, ['signUpCoins', 'dailyCoins'], currency),
		playerProtection: {
			...playerProtection,
			...scaled(playerProtection, ['depositLimitDay', 'depositLimitWeek', 'depositLimitMonth'], currency),
		},
		funds: {
			...funds,
			...scaled(
				funds,
				['minDeposit', 'maxDeposit', 'minWithdrawal', 'maxWithdrawal', 'autoApproveUpTo', 'secondApprovalAbove'],
				currency,
			),
		},
		significantEvents: scaled(significantEvents, ['winAbove', 'transferAbove'], currency) as typeof significantEvents,
		referral: { ...referral, ...scaled(referral, ['reward', 'minDeposit', 'minWagered'], currency) },
	};
}
