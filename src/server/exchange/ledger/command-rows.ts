/**
 * The text form of the commands in a batch. Each input is a line of JSON. The commands that come by the thousand are arrays
 * of their fields, the others are objects, and so are bets with terms. The format has a number, which rises with every change of how a line is
 * written: a standby of another version does not guess.
 */
import type { Command } from '#engine/command.ts';
import type { EngineInput } from '#server/exchange/order/engine-input.ts';

/**
 * 2: `cancel-all` and `lapse-all` may name their bets. 3: settlements by steps. 4: bets with terms, and changes of a
 * market's bets by steps. 5: settlements that are taken back by steps. 6: what players choose for bets that meet their own,
 * and triggers. 7: bets that take starting prices. 8: bets that lapse
 * with the volume of their runner. 9: plans, and groups of bets. Lines of the formats before read alike.
 */
export const COMMAND_FORMAT = 9;
const OLDEST_FORMAT = 1;
/** Characters after which a batch's commands continue in another row. A single command may be longer. */
const LONGEST_ROW = 1_000_000;

type Packed = 'place-bet' | 'take-quotes' | 'admit-bet' | 'cancel-bet';
type FieldsOf<Kind extends Packed> = Exclude<keyof Extract<Command, { kind: Kind }>, 'kind' | 'atMs'>;

/** The fields of packed commands in their order. A code is never reused, and a field is never moved. */
const PACKED: { readonly [Kind in Packed]: { code: number; fields: readonly FieldsOf<Kind>[] } } = {
	'place-bet': {
		code: 0,
		fields: [
			'betId',
			'walletId',
			'marketId',
			'runner',
			'side',
			'price',
			'stake',
			'persist',
			'fillOrKill',
			'minFill',
			'marketVersion',
		],
	},
	'take-quotes': { code: 1, fields: ['betId', 'walletId', 'marketId', 'runner', 'side', 'price', 'stake'] },
	'admit-bet': { code: 2, fields: ['betId'] },
	'cancel-bet': { code: 3, fields: ['betId', 'walletId', 'size'] },
};
const KINDS = Object.keys(PACKED) as Packed[];

const layoutOf = (kind: string): { code: number; fields: readonly string[] } | undefined => PACKED[kind as Packed];

function lineOf(input: EngineInput): string {
	const layout = layoutOf(input.kind);
	if (!layout || (input.kind === 'place-bet' && (input.terms || input.onClose || input.takesStart)))
		return JSON.stringify(input);
	const values = input as unknown as Record<string, unknown>;
	let line = `[${layout.code},${values['atMs']}`;
	for (const field of layout.fields) line += `,${values[field] ?? 'null'}`;
	return `${line}]`;
}

function inputOf(line: string): EngineInput {
	const parsed: unknown = JSON.parse(line);
	if (!Array.isArray(parsed)) return parsed as EngineInput;
	const [code, atMs, ...values] = parsed as [number, number, ...unknown[]];
	const kind = KINDS.find((each) => PACKED[each].code === code);
	if (!kind) throw new Error(`a row of commands has the unknown code ${code}`);
	const given = layoutOf(kind)?.fields.flatMap((field, at) => (values[at] === null ? [] : [[field, values[at]]])) ?? [];
	return { kind, atMs, ...Object.fromEntries(given) } as EngineInput;
}

/** The rows of a batch in their order; one at least, so that an idle exchange has rows, too. */
export function encodeCommands(inputs: readonly EngineInput[]): string[] {
	const rows: string[] = [];
	let text = '';
	for (const input of inputs) {
		if (text.length > LONGEST_ROW) {
			rows.push(text);
			text = '';
		}
		text += text === '' ? lineOf(input) : `\n${lineOf(input)}`;
	}
	return [...rows, text];
}

/** @throws Error when the row is of another format */
export function decodeCommands(format: number, rows: readonly string[]): EngineInput[] {
	if (format < OLDEST_FORMAT || format > COMMAND_FORMAT) {
		throw new Error(
			`The commands are in format ${format}; this version reads formats ${OLDEST_FORMAT} to ${COMMAND_FORMAT}.`,
		);
	}
	return rows.flatMap((row) => (row === '' ? [] : row.split('\n').map(inputOf)));
}
