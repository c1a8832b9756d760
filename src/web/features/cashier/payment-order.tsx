import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { minutesAndSeconds } from '#ui/duration-text.ts';
import { Icon } from '#ui/icon.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import { messageOf } from '#web/api/failure.ts';
import { forgetOrder } from '#web/features/cashier/open-order.ts';
import { formatMoney } from '#web/format.ts';
import { useHub } from '#web/live/hub.ts';
import { orderStatusQuery, type PaymentOrder } from '#web/store/funds-queries.ts';
import { useCountdown } from '#web/store/use-countdown.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';

const words = CASHIER_TEXTS.order;
/** The server asks the provider at most once in three seconds. */
const FALLBACK_MS = 5000;

type Status = PaymentOrder['status'];
const TONES: Partial<Record<Status, 'good' | 'bad'>> = {
	SUCCESS: 'good',
	CREDITED: 'good',
	WON: 'good',
	FAILED: 'bad',
	EXPIRED: 'bad',
	LOST: 'bad',
};
const MARKS = { good: 'circle-check', bad: 'triangle-exclamation', open: 'clock-rotate-left' } as const;
const isWaiting = (status: Status): boolean => status === 'CREATED' || status === 'PENDING';
const isMissed = (status: Status): boolean => status === 'FAILED' || status === 'EXPIRED';

/** The picture stands on a light ground in both themes, because scanners want dark on light. */
function QrCode({ order }: { order: PaymentOrder }): ReactElement {
	return (
		<img
			className="light qr-code"
			src={`data:image/svg+xml,${encodeURIComponent(order.qr)}`}
			alt={words.qr(formatMoney(order.amount))}
		/>
	);
}

/** How to pay: the code on a desktop, a link to the payment app on a phone. */
function Ways({ order, isSimulated }: { order: PaymentOrder; isSimulated: boolean }): ReactElement {
	const isPhone = useMediaQuery('(pointer: coarse)');
	const seconds = useCountdown(Date.parse(order.expiresAt));
	return (
		<>
			{isPhone ? (
				<>
					<a className="button" data-variant="primary" href={order.upiLink}>
						{words.open}
					</a>
					<details className="qr-fold">
						<summary>{words.showQr}</summary>
						<QrCode order={order} />
					</details>
				</>
			) : (
				<>
					<QrCode order={order} />
					{!isSimulated && <p>{words.scan}</p>}
				</>
			)}
			{isSimulated && <p className="text-suspended">{words.doNotPay}</p>}
			<dl className="cashier-facts">
				<div>
					<dt>{words.payee}</dt>
					<dd>{order.payee.name}</dd>
				</div>
				<div>
					<dt>{words.upiId}</dt>
					<dd>{order.payee.upiId}</dd>
				</div>
				<div>
					<dt>{words.timeLeft}</dt>
					<dd>
						<span role="timer">{minutesAndSeconds(seconds)}</span>
					</dd>
				</div>
			</dl>
		</>
	);
}

/**
 * How to pay, until the order is at its end: then a mark stands in the middle of that place. What is below stays where it
 * is, as the order ends by itself.
 */
function WaysUntilEnd({ end, ways }: { end: ReactNode; ways: ReactElement }): ReactElement {
	return (
		<div className="order-place">
			<div data-over={end ? true : undefined}>{ways}</div>
			{end && <div className="order-end">{end}</div>}
		</div>
	);
}

/** An order from the code to its end. The hub reports its changes; without the hub the page polls. */
export function PaymentOrderCard({
	order,
	isSimulated,
	onAnother,
}: {
	order: PaymentOrder;
	isSimulated: boolean;
	onAnother: () => void;
}): ReactElement {
	const isLive = useHub(({ state }) => state === 'Connected');
	const asked = useQuery({
		...orderStatusQuery(order.orderId),
		refetchInterval: ({ state }) => (!isLive && isWaiting(state.data?.status ?? order.status) ? FALLBACK_MS : false),
	});
	const status = asked.data?.status ?? order.status;
	const [wasMissed, setMissed] = useState(false);
	if (!wasMissed && isMissed(status)) setMissed(true);
	useEffect(() => {
		if (!isWaiting(status)) forgetOrder();
	}, [status]);
	const waits = isWaiting(status);
	const [hasWays] = useState(waits && order.upiLink !== '');
	const reference = asked.data?.utr && (
		<p className="text-muted">
			{words.reference} {asked.data.utr}
		</p>
	);
	const live = isLive ? words.waiting : words.offline;
	return (
		<section className="surface-card" aria-labelledby="order-title">
			<h2 id="order-title">{words.title(formatMoney(order.amount))}</h2>
			<output className="order-state" data-tone={TONES[status]}>
				<strong>{words.states[status]}</strong>
				<span>{waits ? live : wasMissed && status === 'SUCCESS' ? words.late : words.says[status]}</span>
			</output>
			{hasWays ? (
				<WaysUntilEnd
					ways={<Ways order={order} isSimulated={isSimulated} />}
					end={
						!waits && (
							<>
								<Icon solid size="2xl">
									{MARKS[TONES[status] ?? 'open']}
								</Icon>
								{reference}
							</>
						)
					}
				/>
			) : (
				reference
			)}
			{asked.error && <p role="alert">{messageOf(asked.error)}</p>}
			<div className="cashier-acts">
				<Button variant={waits ? 'ghost' : 'primary'} onClick={onAnother}>
					{CASHIER_TEXTS.deposit.another}
				</Button>
				{/* Goes by itself: nothing comes into its place under a finger. */}
				{waits && (
					<Button variant="outline" busy={asked.isFetching} onClick={() => void asked.refetch()}>
						{words.check}
					</Button>
				)}
			</div>
		</section>
	);
}
