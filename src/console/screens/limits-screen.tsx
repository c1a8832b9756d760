/** Limits that tighten themselves: the rules, the markets that they hold down, and the proposal of a rule. */
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall, useMe } from '#console/api/queries.ts';
import { amountSaid, majorFromText } from '#console/parts/amount-words.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { money, time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { PreviewedProposal } from '#console/screens/propose-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Field, LongField, SelectField } from '#ui/field.tsx';
import type { Column } from '#ui/table-columns.ts';
import type { Currency } from '#values/currency-codes.ts';
import { currencyOf, POOLS } from '#values/pools.ts';
import { SPORTS } from '#values/sports.ts';

type Rule = ResultOf<'limit-rules'>['rules'][number];
type Tightened = ResultOf<'limit-rules'>['tightened'][number];

const EVERY_MS = 5_000;
const WATCHED = { HOUSE: 'the house’s loss in a market', PLAYER: 'one player’s loss in a market' } as const;

const stepOf = (currency: Currency, { from, maxStake, maxExposure }: Rule['steps'][number]): string =>
	`from ${money(currency, from)}: stake ${money(currency, maxStake)}${
		maxExposure === null ? '' : `, exposure ${money(currency, maxExposure)}`
	}`;

const ruleKey = ({ sport, marketType, brand, pool, watches }: Rule): string =>
	[sport, marketType, brand, pool, watches].join(' ');

const RULE_COLUMNS: readonly Column<Rule>[] = [
	{ head: 'Sport', value: ({ sport }) => sport ?? 'every sport' },
	{ head: 'Steps', value: ({ currency, steps }) => steps.map((step) => stepOf(currency, step)).join('; '), width: 4 },
	{ head: 'Watches', value: ({ watches }) => WATCHED[watches], width: 1.6 },
	{ head: 'Type', value: ({ marketType }) => marketType ?? 'every type', width: 1.2 },
	{ head: 'Pool', value: ({ pool }) => pool, width: 0.7 },
	{ head: 'Players of', value: ({ brand }) => brand ?? 'all brands' },
	{ head: 'Ends below', value: ({ relaxPercent }) => `${relaxPercent} %`, isFigure: true, width: 0.8 },
];

const limits = (currency: Currency, { maxStake, maxExposure }: Tightened['now']): string =>
	`${money(currency, maxStake)}${maxExposure === 0 ? '' : `, exposure ${money(currency, maxExposure)}`}`;

const TIGHTENED_COLUMNS: readonly Column<Tightened>[] = [
	{
		head: 'Market',
		value: ({ market, event }) => `${market} · ${event}`,
		show: ({ market, event, eventId, marketId }) => (
			<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
				{market} · {event}
			</Link>
		),
		width: 2.4,
	},
	{ head: 'Players of', value: ({ brand }) => brand ?? 'all brands', width: 1.2 },
	{ head: 'Stake now', value: ({ currency, now }) => limits(currency, now), isFigure: true, width: 1.4 },
	{ head: 'Stake before', value: ({ currency, base }) => limits(currency, base), isFigure: true, width: 1.4 },
	{ head: 'Steps', value: ({ steps }) => steps, isFigure: true, width: 0.7 },
	{ head: 'By', value: ({ isOverruled }) => (isOverruled ? 'an operator, against the rule' : 'the rules'), width: 1.4 },
	{ head: 'Since', value: ({ at }) => at, show: ({ at }) => time(at), width: 1.6 },
];

export function LimitsScreen(): ReactElement {
	const query = useCall('limit-rules', {}, EVERY_MS);
	const { data: me } = useMe();
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<h1>Limits that tighten themselves</h1>
			{me?.permissions.includes('markets.trade') && (
				<p className="acts">
					<Button onClick={() => setOpen(true)}>Propose a rule …</Button>
				</p>
			)}
			<Loaded query={query}>
				{({ rules, tightened }) => (
					<>
						<h2>Markets held down</h2>
						<RecordTable
							title="Markets held down"
							columns={TIGHTENED_COLUMNS}
							rows={tightened}
							keyOf={({ marketId, brand }) => `${marketId} ${brand}`}
							empty="No rule holds a market down."
							isPlain
						/>
						<h2>Rules</h2>
						<RecordTable
							title="Rules"
							columns={RULE_COLUMNS}
							rows={rules}
							keyOf={ruleKey}
							empty="There is no rule: limits change by hand alone."
							isPlain
						/>
					</>
				)}
			</Loaded>
			{isOpen && (
				<Dialog title="Propose a rule of limits" onClose={() => setOpen(false)}>
					<RuleForm onClose={() => setOpen(false)} />
				</Dialog>
			)}
		</>
	);
}

const SPORT_OPTIONS = [
	{ value: '', text: 'every sport' },
	...SPORTS.map(({ key, name }) => ({ value: key, text: name })),
];
const POOL_OPTIONS = POOLS.map((pool) => ({ value: pool, text: pool }));
const WATCHED_OPTIONS = Object.entries(WATCHED).map(([value, text]) => ({ value, text }));

const linesOf = (text: string): string[] =>
	text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');

/** A comma belongs to an amount. */
const amountsIn = (line: string): string[] => line.split(/[\s;]+/);

/** What is understood of a line, amount by amount. */
const stepSaid = (line: string): string =>
	amountsIn(line)
		.map((text) => amountSaid(text))
		.join(' · ');

/** "1,00,000 5,000 20,000": liability, stake, and perhaps exposure, a step a line. */
const stepsIn = (text: string) =>
	linesOf(text).map((line) => {
		const [from, maxStake, maxExposure] = amountsIn(line).map((text) => majorFromText(text) ?? Number.NaN);
		return { from, maxStake, ...(maxExposure === undefined ? {} : { maxExposure }) };
	});

function RuleForm({ onClose }: { onClose: () => void }): ReactElement {
	const [asked, setAsked] = useState<Record<string, string>>({ pool: 'REAL', watches: 'HOUSE', steps: '' });
	const change = (name: string) => (event: { target: { value: string } }) =>
		setAsked({ ...asked, [name]: event.target.value });
	const { steps = '', relaxPercent = '', ...texts } = asked;
	const currency = currencyOf(POOLS.find((pool) => pool === asked['pool']) ?? 'REAL');
	const input = {
		...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
		...(relaxPercent === '' ? {} : { relaxPercent: Number(relaxPercent) }),
		steps: stepsIn(steps),
	};
	return (
		<>
			<SelectField label="Sport" options={SPORT_OPTIONS} value={asked['sport'] ?? ''} onChange={change('sport')} />
			<Field label="Market type, such as MATCH_ODDS; empty for every type" onChange={change('marketType')} />
			<Field label="Players of a brand; empty for all" onChange={change('brand')} />
			<SelectField label="Pool" options={POOL_OPTIONS} value={asked['pool'] ?? ''} onChange={change('pool')} />
			<SelectField
				label="Watches"
				options={WATCHED_OPTIONS}
				value={asked['watches'] ?? ''}
				onChange={change('watches')}
			/>
			<LongField
				label={`Steps, one a line, in ${currency}: liability, largest stake, largest exposure of a player. None removes the rule.`}
				rows={4}
				value={steps}
				onChange={change('steps')}
			/>
			<output className="flex flex-col text-muted">
				{linesOf(steps).map((line) => (
					<span key={line}>{stepSaid(line)}</span>
				))}
			</output>
			<Field
				label="A step ends below this share of its liability, per cent (80)"
				type="number"
				min="1"
				max="99"
				onChange={change('relaxPercent')}
			/>
			<PreviewedProposal
				key={JSON.stringify(input)}
				act="limit-rule-set"
				input={input}
				show="Show the rule"
				onClose={onClose}
			/>
		</>
	);
}
