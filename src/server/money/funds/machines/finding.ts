import { machine } from '#server/money/funds/machine.ts';

/** Findings for operators; a finding posts nothing itself. */
export const FINDING = machine<unknown, never>({
	kind: 'FINDING',
	title: 'Finding',
	open: ['OPEN'],
	rows: [
		{ from: [], event: 'find', to: 'OPEN', by: 'server or reconciliation, once per name' },
		{ from: ['OPEN'], event: 'propose', to: null, by: 'the first of two operators' },
		{ from: ['OPEN'], event: 'match', to: 'MATCHED', by: 'operator, with a reason' },
		{ from: ['OPEN'], event: 'credit', to: 'CREDITED', by: 'operator, with a reason and the order that was credited' },
		{ from: ['OPEN'], event: 'write-off', to: 'WRITTEN_OFF', by: 'two operators, with a reason' },
	],
});
