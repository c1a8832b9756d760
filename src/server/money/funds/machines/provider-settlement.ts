import { machine } from '#server/money/funds/machine.ts';

export const PROVIDER_SETTLEMENT = machine<null, 'net' | 'fee'>({
	kind: 'PROVIDER_SETTLEMENT',
	title: 'Provider settlement',
	open: [],
	rows: [
		{
			from: [],
			event: 'settle',
			to: 'SETTLED',
			by: 'operator, by the provider’s report; once per reference',
			moves: [
				{ debit: 'bank', credit: 'gateway', amount: 'net' },
				{ debit: 'payment_cost', credit: 'gateway', amount: 'fee' },
			],
		},
	],
});
