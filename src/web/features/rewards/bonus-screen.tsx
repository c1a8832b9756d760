import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { DemoCoins } from '#ui/demo-coins.tsx';
import { FormScreen } from '#ui/form-screen.tsx';
import { gift } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { Loaded } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { minorOf } from '#values/money.ts';
import { SHORTEST_WAGERED } from '#values/wagering.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { formatDateTime, formatMoney, formatPrice } from '#web/format.ts';
import { showNotice } from '#web/store/notices.ts';
import { type Bonus, bonusesQuery } from '#web/store/reward-queries.ts';
import { useSession } from '#web/store/session.ts';
import { REWARD_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './rewards.css';

registerIcons([gift]);

const words = REWARD_TEXTS.bonus;
const SAYS: Readonly<Partial<Record<string, string>>> = words.says;
const OF_FREE_BET: Readonly<Partial<Record<string, string>>> = words.freeBetSays;
const MATCHES_DEPOSIT: ReadonlySet<Bonus['kind']> = new Set(['FIRST_DEPOSIT', 'RELOAD']);

/** The title, the amount, and the campaign's description. */
function Head({ bonus, amount }: { bonus: Bonus; amount: string }): ReactElement {
	return (
		<>
			<div className="reward-head">
				<div>
					<p className="reward-kind">{words.kinds[bonus.kind]}</p>
					<h3>{bonus.title}</h3>
				</div>
				<strong className="reward-sum">{amount}</strong>
			</div>
			{bonus.terms && <p className="text-muted">{bonus.terms}</p>}
		</>
	);
}

/** The remaining condition; empty for none. */
function howTo(bonus: Bonus): string {
	if (bonus.kind === 'FREE_BET') return words.freeBet(formatMoney(bonus.wageringRequired), shortestOdds());
	return isWagered(bonus) ? words.wager(formatMoney(bonus.wageringRequired)) : '';
}

/** As the page writes odds. */
const shortestOdds = (): string => formatPrice(SHORTEST_WAGERED);

const isWagered = ({ kind, wageringRequired }: Bonus): boolean => kind !== 'FREE_BET' && wageringRequired > 0;

function whatCounts({ sportsWeight, casinoWeight }: Bonus): string {
	const counts = words.counts(shortestOdds());
	const sports = sportsWeight === 100 ? [counts] : [words.sportsCount(sportsWeight), counts];
	return [...(sportsWeight > 0 ? sports : []), words.casinoCounts(casinoWeight), words.since].join(' ');
}

function Offer({ bonus }: { bonus: Bonus }): ReactElement {
	const queries = useQueryClient();
	const claiming = useMutation({
		mutationFn: () => call('claimBonus', { id: bonus.id }),
		onSuccess: ({ title }) => showNotice(words.claimed(title), 'success'),
		onSettled: () => queries.invalidateQueries({ queryKey: ['player', 'funds'] }),
	});
	const isClaimable = bonus.note === '';
	return (
		<li className="surface-card">
			<Head bonus={bonus} amount={bonus.amount > 0 ? formatMoney(bonus.amount) : ''} />
			{howTo(bonus) && <p>{howTo(bonus)}</p>}
			{isWagered(bonus) && <p className="text-muted">{whatCounts(bonus)}</p>}
			<div className="reward-foot">
				<p className="text-muted">
					{isClaimable ? bonus.expiresAt && words.until(formatDateTime(bonus.expiresAt)) : bonus.note}
				</p>
				{isClaimable && (
					<Button variant="primary" busy={claiming.isPending} onClick={() => claiming.mutate()}>
						{words.claim}
					</Button>
				)}
			</div>
			{claiming.error && (
				<p role="alert" className="text-loss">
					{messageOf(claiming.error)}
				</p>
			)}
		</li>
	);
}

/** The progress of the wagering, and what ends it early: shown before a player withdraws. */
function Active({ bonus }: { bonus: Bonus }): ReactElement {
	const isFreeBet = bonus.kind === 'FREE_BET';
	const { wageringDone, wageringRequired, expiresAt } = bonus;
	const progress = words.progress(formatMoney(wageringDone), formatMoney(wageringRequired));
	return (
		<li className="surface-card">
			<Head bonus={bonus} amount={formatMoney(bonus.amount)} />
			{isFreeBet && <p>{howTo(bonus)}</p>}
			{!isFreeBet && (
				<div className="reward-progress">
					<p>{progress}</p>
					<progress max={wageringRequired} value={wageringDone} aria-label={bonus.title} aria-valuetext={progress} />
					{expiresAt && (
						<p className="text-muted">
							{words.left(formatMoney(minorOf(wageringRequired - wageringDone)), formatDateTime(expiresAt))}
						</p>
					)}
				</div>
			)}
			{!isFreeBet && <p className="text-muted">{whatCounts(bonus)}</p>}
			{expiresAt && <p className="text-muted">{words.expiry(formatDateTime(expiresAt))}</p>}
			<p className="text-suspended">
				{MATCHES_DEPOSIT.has(bonus.kind) ? `${words.forfeit} ${words.fallen}` : words.forfeit}
			</p>
		</li>
	);
}

function Ended({ bonus }: { bonus: Bonus }): ReactElement {
	return (
		<li className="surface-card" data-ended>
			<div className="reward-head">
				<h3>{bonus.title}</h3>
				<div className="text-right">
					<strong>{formatMoney(bonus.amount)}</strong>
					<p className="reward-state" data-state={bonus.status}>
						{words.states[bonus.status]}
					</p>
				</div>
			</div>
			<p className="text-muted">{(bonus.kind === 'FREE_BET' && OF_FREE_BET[bonus.status]) || SAYS[bonus.status]}</p>
		</li>
	);
}

function Group({ title, children }: { title: string; children: ReactNode[] }): ReactElement | null {
	if (children.length === 0) return null;
	return (
		<section aria-label={title}>
			<h2 className="section-title">{title}</h2>
			<ul className="rewards-list">{children}</ul>
		</section>
	);
}

/** /bonus: claimable bonuses, those being wagered, and past ones. */
export function BonusScreen(): ReactElement {
	const isDemo = useSession(({ user }) => user?.isDemo ?? false);
	return (
		<FormScreen title={words.title}>
			{isDemo && <DemoCoins title={REWARD_TEXTS.demoCoins}>{words.demo}</DemoCoins>}
			<Loaded
				asked={useQuery(bonusesQuery())}
				words={TEXTS.app}
				waiting={<Skeleton className="rewards-waiting" />}
				empty={
					<ScreenState icon="gift" title={words.none}>
						{words.noneHint}
					</ScreenState>
				}
				isEmpty={(bonuses) => bonuses.length === 0}
			>
				{(bonuses) => (
					<>
						<Group title={words.active}>
							{bonuses
								.filter(({ status }) => status === 'ACTIVE')
								.map((bonus) => (
									<Active key={bonus.id} bonus={bonus} />
								))}
						</Group>
						<Group title={words.offers}>
							{bonuses
								.filter(({ status }) => status === 'OFFERED')
								.map((bonus) => (
									<Offer key={bonus.id} bonus={bonus} />
								))}
						</Group>
						<Group title={words.ended}>
							{bonuses
								.filter(({ status }) => status !== 'ACTIVE' && status !== 'OFFERED')
								.map((bonus) => (
									<Ended key={bonus.id} bonus={bonus} />
								))}
						</Group>
					</>
				)}
			</Loaded>
		</FormScreen>
	);
}
