import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { toneOf } from '#ui/figures.tsx';
import { Modal } from '#ui/modal.tsx';
import { type Minor, minorOf } from '#values/money.ts';
import { formatMoney, formatSigned } from '#web/format.ts';
import { confirmReminder, type Stay } from '#web/store/play-time.ts';
import { type Protection, protectionQuery } from '#web/store/protection-queries.ts';
import { useSession } from '#web/store/session.ts';
import { useStay } from '#web/store/use-stay.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';
import './protection.css';

const words = PROTECTION_TEXTS.check;
const MINUTE_MS = 60_000;
/** Settled bets ask immediately; rounds of the casino are already visible by then. */
const ASK_EVERY_MS = 5 * MINUTE_MS;

interface ReminderProps {
	stay: Stay;
	/** Won less lost, and staked, since the stay began. */
	net: Minor;
	staked: Minor;
	onGoOn: () => void;
}

function Reminder({ stay, net, staked, onGoOn }: ReminderProps): ReactElement {
	const navigate = useNavigate();
	const minutes = Math.floor((stay.seenAtMs - stay.startedAtMs) / MINUTE_MS);
	return (
		<Modal open title={words.dialog} closeLabel={words.goOn} onClose={onGoOn}>
			<div className="reality-check flex flex-col gap-4">
				<dl>
					<div>
						<dt>{words.elapsed}</dt>
						<dd>{words.time(Math.floor(minutes / 60), minutes % 60)}</dd>
					</div>
					<div>
						<dt>{words.staked}</dt>
						<dd>{formatMoney(staked)}</dd>
					</div>
					<div>
						<dt>{words.result}</dt>
						<dd className={`text-${toneOf(net) ?? 'text'}`}>{formatSigned(net)}</dd>
					</div>
				</dl>
				<div className="flex flex-col gap-2">
					<Button variant="primary" onClick={onGoOn}>
						{words.goOn}
					</Button>
					<Link to="/protection" className="button" data-variant="outline" onClick={onGoOn}>
						{words.limits}
					</Link>
					<Button variant="ghost" onClick={() => void navigate({ to: '/Auth/Logout' })}>
						{words.logOut}
					</Button>
				</div>
			</div>
		</Modal>
	);
}

/** The stay, checked periodically while the page is visible. */
function Watch({ userId, protection }: { userId: string; protection: Protection }): ReactElement | null {
	const { netPosition, staked, realityCheckMinutes } = protection;
	const [stay, setStay] = useStay(userId, protection);
	if (stay.seenAtMs - stay.remindedAtMs < realityCheckMinutes * MINUTE_MS) return null;
	const net = minorOf(netPosition - stay.netPosition);
	return (
		<Reminder
			stay={stay}
			net={net}
			staked={minorOf(staked - stay.staked)}
			onGoOn={() => setStay(confirmReminder(stay))}
		/>
	);
}

/** Tells the player periodically the length of the stay and its result. */
export function RealityCheck(): ReactElement | null {
	const userId = useSession(({ user }) => user?.userId);
	const { data: protection } = useQuery({ ...protectionQuery(), refetchInterval: ASK_EVERY_MS });
	if (userId === undefined || !protection) return null;
	return <Watch key={userId} userId={userId} protection={protection} />;
}
