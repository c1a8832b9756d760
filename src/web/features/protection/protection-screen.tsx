import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Figures, toneOf } from '#ui/figures.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { FormScreen } from '#ui/form-screen.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { changeProtection } from '#web/features/protection/change-protection.ts';
import { Break, Closing, Exclusion } from '#web/features/protection/leaving.tsx';
import { LimitList } from '#web/features/protection/limit-list.tsx';
import { OwnData } from '#web/features/protection/own-data.tsx';
import { ProveMobile } from '#web/features/protection/prove-mobile.tsx';
import { formatDateTime, formatMoney, formatSigned } from '#web/format.ts';
import { showNotice } from '#web/store/notices.ts';
import { type Protection, protectionQuery } from '#web/store/protection-queries.ts';
import { useSession } from '#web/store/session.ts';
import { useCountdown } from '#web/store/use-countdown.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './protection.css';

const words = PROTECTION_TEXTS;
const MINUTES = [15, 30, 60, 120, 240];

function Standing({ netDeposits, netPosition }: Protection): ReactElement {
	const { label, hint } = words.standing;
	return (
		<div>
			<Figures
				label={label}
				figures={[
					{ name: words.standing.netDeposits, value: formatMoney(netDeposits) },
					{ name: words.standing.netPosition, value: formatSigned(netPosition), tone: toneOf(netPosition) },
				]}
			/>
			<p className="pt-2 text-xs text-muted">{hint}</p>
		</div>
	);
}

/** The bar that keeps the player from betting now, with the actions that remain possible. */
function Bar({ protection }: { protection: Protection }): ReactElement | null {
	const { excludedUntil, timeOutUntil, closedAt, isFrozen } = protection;
	const isExcluded = useCountdown(Date.parse(excludedUntil ?? '') || 0) > 0;
	const hasBreak = useCountdown(Date.parse(timeOutUntil ?? '') || 0) > 0;
	const { bars } = words;
	// In the order in which the server looks at them.
	const bar = [
		isExcluded && bars.excluded(formatDateTime(excludedUntil ?? '')),
		closedAt && bars.closed,
		isFrozen && bars.frozen,
		hasBreak && bars.timeOut(formatDateTime(timeOutUntil ?? '')),
	].find(Boolean);
	if (!bar) return null;
	return (
		<output className="protection-bar">
			<strong className="block">{bar}</strong>
			{bars.stays} <Link to="/withdrawal">{bars.withdraw}</Link>
		</output>
	);
}

function RealityCheckEvery({ minutes }: { minutes: number }): ReactElement {
	const saving = useMutation({
		mutationFn: (realityCheckMinutes: number) => changeProtection(() => call('setLimits', { realityCheckMinutes })),
		onSuccess: () => showNotice(words.check.saved, 'success'),
	});
	const choices = [...new Set([...MINUTES, minutes])].sort((one, other) => one - other);
	return (
		<section className="surface-card" aria-label={words.check.title}>
			<h2>{words.check.title}</h2>
			<p className="text-muted">{words.check.hint}</p>
			<FilterSelect
				label={words.check.label}
				value={String(saving.isPending ? saving.variables : minutes)}
				options={choices.map((choice) => ({ value: String(choice), text: words.check.every(choice) }))}
				onChange={(choice) => saving.mutate(Number(choice))}
			/>
			{saving.error && (
				<p role="alert" className="text-loss">
					{messageOf(saving.error)}
				</p>
			)}
		</section>
	);
}

/** /protection: limits, the reality check, and the ways to stop; one tap from the account menu. */
export function ProtectionScreen(): ReactElement {
	const isDemo = useSession(({ user }) => user?.isDemo ?? false);
	return (
		<FormScreen title={words.title} intro={isDemo ? words.demo : words.intro}>
			<Loaded
				asked={useQuery(protectionQuery())}
				words={TEXTS.app}
				waiting={<Skeleton className="protection-waiting" />}
				empty={null}
				isEmpty={() => false}
			>
				{(protection) => (
					<>
						<Bar protection={protection} />
						<Standing {...protection} />
						{!isDemo && (
							<>
								<ProveMobile protection={protection} />
								<LimitList {...protection} />
								<RealityCheckEvery minutes={protection.realityCheckMinutes} />
								<Break />
								<Exclusion holdsForAll={protection.holdsForAll} />
								<Closing />
							</>
						)}
						<OwnData />
					</>
				)}
			</Loaded>
		</FormScreen>
	);
}
