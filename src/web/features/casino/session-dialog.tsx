import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { toneOf } from '#ui/figures.tsx';
import { Modal } from '#ui/modal.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { type Minor, minorOf } from '#values/money.ts';
import { messageOf } from '#web/api/failure.ts';
import { useVisit } from '#web/features/casino/use-round.ts';
import { formatMoney, formatSigned } from '#web/format.ts';
import { type Limit, type Protection, protectionQuery } from '#web/store/protection-queries.ts';
import { useSession } from '#web/store/session.ts';
import { useStay } from '#web/store/use-stay.ts';
import { CASINO_TEXTS, PROTECTION_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.session;
const { check, limits: limitWords } = PROTECTION_TEXTS;
const MINUTE_MS = 60_000;

function Net({ net }: { net: Minor }): ReactElement {
	return <span className={`text-${toneOf(net) ?? 'text'}`}>{formatSigned(net)}</span>;
}

/** The length of the stay, and its result over all games. */
function Stay({ userId, protection }: { userId: string; protection: Protection }): ReactElement {
	const { netPosition } = protection;
	const [stay] = useStay(userId, protection);
	const { net, rounds } = useVisit();
	const minutes = Math.floor((stay.seenAtMs - stay.startedAtMs) / MINUTE_MS);
	return (
		<dl className="session-facts">
			<div>
				<dt>{check.elapsed}</dt>
				<dd>{check.time(Math.floor(minutes / 60), minutes % 60)}</dd>
			</div>
			<div>
				<dt>{check.result}</dt>
				<dd>
					<Net net={minorOf(netPosition - stay.netPosition)} />
				</dd>
			</div>
			<div>
				<dt>{words.casino}</dt>
				<dd>{words.rounds(formatSigned(net), rounds)}</dd>
			</div>
		</dl>
	);
}

const limitText = ({ limit, used }: Limit & { limit: Minor }): string =>
	used === null ? limitWords.is(formatMoney(limit)) : limitWords.used(formatMoney(used), formatMoney(limit));

/** The player's limits, with their use. */
function Limits({ limits }: Protection): ReactElement {
	const isDemo = useSession(({ user }) => user?.isDemo ?? false);
	const set = limits.filter((one): one is Limit & { limit: Minor } => one.limit !== null);
	if (set.length === 0) return <p className="session-none">{isDemo ? PROTECTION_TEXTS.demo : words.noLimits}</p>;
	return (
		<dl className="session-facts">
			{set.map((one) => (
				<div key={one.name}>
					<dt>{limitWords.names[one.name]}</dt>
					<dd>{limitText(one)}</dd>
				</div>
			))}
		</dl>
	);
}

/** The player's session: time, result and limits, and the way to change them. */
export function SessionDialog({ onClose }: { onClose: () => void }): ReactElement {
	const userId = useSession(({ user }) => user?.userId);
	const { data: protection, error } = useQuery(protectionQuery());
	return (
		<Modal open sheet title={words.title} closeLabel={TEXTS.app.close} onClose={onClose}>
			<div className="session">
				{userId !== undefined && protection ? (
					<>
						<Stay key={`${userId} ${protection.netPosition}`} userId={userId} protection={protection} />
						<h3>{limitWords.title}</h3>
						<Limits {...protection} />
					</>
				) : error ? (
					<p role="alert">{messageOf(error)}</p>
				) : (
					<Skeleton className="session-waiting" />
				)}
				<div className="session-links">
					<Link to="/protection" className="button" data-variant="outline">
						{check.limits}
					</Link>
					<Link to="/casino-rounds" className="button" data-variant="outline">
						{CASINO_TEXTS.lobby.rounds}
					</Link>
				</div>
			</div>
		</Modal>
	);
}
