/** docs/WEBHOOKS.md lists the kinds of events as the contract has them. `--update` writes the table. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '#contract/webhook-events.ts';
import { aligned } from '../../tools/markdown-table.ts';

const FILE = `${import.meta.dirname}/../../docs/WEBHOOKS.md`;
const TABLE = /(<!-- table: events -->\n)[\s\S]*?(<!-- end -->)/;

it('WEBHOOKS.md has every kind of event with its sentence and its fields', async () => {
	const rows = Object.entries(WEBHOOK_EVENTS).map(([kind, { summary, data }]) => [
		`\`${kind}\``,
		summary,
		Object.keys(data.entries)
			.map((field) => `\`${field}\``)
			.join(', '),
	]);
	const table = aligned([['kind', 'when', 'data'], ...rows]);
	const text = readFileSync(FILE, 'utf8').replace(
		TABLE,
		(_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`,
	);
	await expect(text).toMatchFileSnapshot(FILE);
});
