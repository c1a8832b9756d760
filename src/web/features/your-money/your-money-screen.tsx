/**
 * "Your money": the player's balance, and its origin. This file: the screen; the rows behind a figure are beside it.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { Figures, toneOf } from '#ui/figures.tsx';
import { Icon } from '#ui/icon.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { type Minor, minorOf } from '#values/money.ts';
import type { MoneySummary } from '#web/api/answers.ts';
import { ANY_TIME, boundsOf } from '#web/date-range.ts';
import { type FigureFilter, FigureRows } from '#web/features/your-money/figure-rows.tsx';
import { formatMoney, formatSigned } from '#web/format.ts';
import { brandZone } from '#web/store/brand-zone.ts';
import { openDialog } from '#web/store/dialogs.ts';
import { moneyQuery } from '#web/store/record-queries.ts';
import { RECORD_WORDS, SCREEN_TEXTS } from '#web/texts/more.ts';
import { sportName } from '#web/texts/sport-name.ts';
import './your-money.css';

const words = SCREEN_TEXTS.money;

type Period = keyof typeof words.periods;
type Standing = MoneySummary['before'];

const PERIODS = Object.entries(words.periods) as [Period, string][];

const sum = (amounts: readonly Minor[]): Minor => minorOf(amounts.reduce((total, amount) => total + amount, 0));
const inAll = ({ balance, held }: Standing): Minor => minorOf(balance + held);

function Amount({ value }: { value: Minor }): ReactElement {
	return (
		<span className="money-amount" data-tone={toneOf(value)}>
			{formatSigned(value)}
		</span>
	);
}

/** The current balances; each opens its parts. */
function Now({ after, bonus }: MoneySummary): ReactElement {
	return (
		<>
			<Figures
				label={words.now}
				figures={[
					{ name: words.total, value: formatMoney(inAll(after)) },
					{
						name: words.free,
						value: (
							<Link to="/account-cash-statement" className="money-open">
								{formatMoney(after.balance)}
							</Link>
						),
					},
					{
						name: words.held,
						value: (
							<button
								type="button"
								aria-haspopup="dialog"
								className="money-open"
								onClick={() => openDialog('heldMoney')}
							>
								{formatMoney(after.held)}
							</button>
						),
					},
				]}
			/>
			{bonus > 0 && <p className="text-muted">{words.bonus(formatMoney(bonus))}</p>}
		</>
	);
}

/** A figure that opens its rows. */
function Figure({
	name,
	about,
	amount,
	filter,
}: {
	name: string;
	about?: string;
	amount: Minor;
	filter: FigureFilter;
}): ReactElement {
	const [open, setOpen] = useState(false);
	const id = useId();
	return (
		<li>
			<button
				type="button"
				className="money-line"
				aria-expanded={open}
				aria-controls={open ? id : undefined}
				onClick={() => setOpen(!open)}
			>
				<Icon solid size="xs" className="money-caret text-muted">
					chevron-right
				</Icon>
				<span className="min-w-0 flex-1">
					<bdi>{name}</bdi>
					{about && <span className="block text-xs text-muted">{about}</span>}
				</span>
				<Amount value={amount} />
			</button>
			{open && (
				<div id={id} className="money-rows">
					<FigureRows filter={filter} />
				</div>
			)}
		</li>
	);
}

function Group({ title, amount, children }: { title: string; amount: Minor; children: ReactNode }): ReactElement {
	return (
		<section aria-label={title}>
			<h3 className="money-head">
				<span className="flex-1">{title}</span>
				<Amount value={amount} />
			</h3>
			<ul>{children}</ul>
		</section>
	);
}

/** Wins and losses, where there are any. */
function resultWords({ credited, debited }: { credited: Minor; debited: Minor }): string[] {
	return [
		...(credited > 0 ? [words.won(formatMoney(credited))] : []),
		...(debited > 0 ? [words.lost(formatMoney(debited))] : []),
	];
}

function Standing({ name, standing }: { name: string; standing: Standing }): ReactElement {
	return (
		<p className="money-standing">
			<span className="flex-1">
				{name}
				<span className="block text-xs font-normal text-muted">
					{words.standing(formatMoney(standing.balance), formatMoney(standing.held))}
				</span>
			</span>
			<span>{formatMoney(inAll(standing))}</span>
		</p>
	);
}

/** The earlier balance, all figures by their source, and their total. */
function Story({ summary, bounds }: { summary: MoneySummary; bounds: ReturnType<typeof boundsOf> }): ReactElement {
	const { before, after, sports, casino, others } = summary;
	return (
		<section aria-labelledby="how-it-came" className="money-story">
			<h2 id="how-it-came" className="unseen">
				{words.came}
			</h2>
			<Standing name={words.before} standing={before} />
			{sports.length > 0 && (
				<Group title={words.sports} amount={sum(sports.map(({ net }) => net))}>
					{sports.map(({ sportId, count, commission, net, ...results }) => (
						<Figure
							key={sportId}
							name={sportName(sportId)}
							about={[
								words.markets(count),
								...resultWords(results),
								...(commission === 0 ? [] : [words.commission(formatMoney(commission))]),
							].join(' · ')}
							amount={net}
							filter={{ ...bounds, category: 'SPORTS', sportId: String(sportId) }}
						/>
					))}
				</Group>
			)}
			{casino.length > 0 && (
				<Group title={words.casino} amount={sum(casino.map(({ net }) => net))}>
					{casino.map(({ game, name, count, net, ...results }) => (
						<Figure
							key={game}
							name={name}
							about={[words.rounds(count), ...resultWords(results)].join(' · ')}
							amount={net}
							filter={{ ...bounds, category: 'CASINO', game }}
						/>
					))}
				</Group>
			)}
			{others.length > 0 && (
				<Group title={words.others} amount={sum(others.map(({ amount }) => amount))}>
					{others.map(({ category, amount }) => (
						<Figure key={category} name={words.categories[category]} amount={amount} filter={{ ...bounds, category }} />
					))}
				</Group>
			)}
			{sports.length + casino.length + others.length === 0 && <p className="money-nothing">{words.nothing}</p>}
			<Standing name={words.after} standing={after} />
		</section>
	);
}

function Periods({ period, onPeriod }: { period: Period; onPeriod: (period: Period) => void }): ReactElement {
	return (
		<fieldset className="money-periods" aria-label={words.period}>
			{PERIODS.map(([key, text]) => (
				<button key={key} type="button" aria-pressed={key === period} onClick={() => onPeriod(key)}>
					{text}
				</button>
			))}
		</fieldset>
	);
}

/**
 * /your-money: the free and the held balance, and the changes that led to them, over a period that the player chooses.
 */
export function YourMoneyScreen(): ReactElement {
	const [period, setPeriod] = useState<Period>('ALL');
	const bounds = boundsOf({ ...ANY_TIME, period }, brandZone());
	return (
		<div className="screen money-screen">
			<h1 className="screen-title">{words.title}</h1>
			<Periods period={period} onPeriod={setPeriod} />
			<Loaded
				asked={useQuery(moneyQuery(bounds))}
				words={RECORD_WORDS}
				waiting={<Skeleton className="h-96 w-full" />}
				isEmpty={() => false}
				empty={null}
			>
				{(summary) => (
					<div className="flex flex-col gap-4">
						<Now {...summary} />
						<Story key={period} summary={summary} bounds={bounds} />
						<p className="text-xs text-muted">{words.hint}</p>
					</div>
				)}
			</Loaded>
		</div>
	);
}
