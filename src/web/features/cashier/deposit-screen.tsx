import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, Suspense, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { Loaded } from '#ui/loaded.tsx';
import { useRefusedFocus } from '#ui/refused-focus.ts';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Minor } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { DEPOSITS } from '#web/currency-sizes.ts';
import { AmountField, amountError } from '#web/features/cashier/amount-field.tsx';
import { ClosedPart, PaymentPage } from '#web/features/cashier/cashier-page.tsx';
import { forgetOrder, keepOrder, keptOrder } from '#web/features/cashier/open-order.ts';
import { formatMoney } from '#web/format.ts';
import { refusedNumber } from '#web/orders/refused-number.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { type GenerateRequest, orderQuery, type PaymentInfo } from '#web/store/funds-queries.ts';
import { useSession } from '#web/store/session.ts';
import { failureText, useSentOnce } from '#web/store/use-sent-once.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import { amountFromText } from '#web/typed-amount.ts';

/** With the rules of references and pictures, which the other way does not need. */
const ReceiptForm = lazyPart(async () => ({
	default: (await import('#web/features/cashier/receipt/receipt-form.tsx')).ReceiptForm,
}));

/** Shown once there is an order. */
const PaymentOrderCard = lazyPart(async () => ({
	default: (await import('#web/features/cashier/payment-order.tsx')).PaymentOrderCard,
}));
const DailyCoins = lazyPart(async () => ({
	default: (await import('#web/features/cashier/daily-coins.tsx')).DailyCoins,
}));

const words = CASHIER_TEXTS.deposit;

function Limits({ limits }: { limits: PaymentInfo['deposit']['limits'] }): ReactElement {
	const { depositFrames } = useBrandRules();
	const periods = depositFrames === 'calendar' ? words.calendarPeriods : words.periods;
	return (
		<>
			{limits.length > 0 && (
				<dl className="cashier-facts" aria-label={words.limits}>
					{limits.map(({ period, limit, left }) => (
						<div key={period}>
							<dt>{periods[period]}</dt>
							<dd>{words.left(formatMoney(left), formatMoney(limit))}</dd>
						</div>
					))}
				</dl>
			)}
			<Link to="/protection" className="inline-flex min-h-11 items-center underline underline-offset-2">
				{words.setLimits}
			</Link>
		</>
	);
}

function DepositForm({
	info,
	onOrdered,
}: {
	info: PaymentInfo['deposit'];
	onOrdered: (request: GenerateRequest) => void;
}): ReactElement {
	const { min, max, limits } = info;
	const [text, setText] = useState('');
	const [error, setError] = useState('');
	const [form, lead] = useRefusedFocus();
	const queries = useQueryClient();
	const generating = useSentOnce(async (amount: Minor, clientRequestId) => {
		const request = { amount, clientRequestId };
		const order = await call('generatePayment', request);
		queries.setQueryData(orderQuery(request).queryKey, order);
		keepOrder(request);
		return request;
	}, onOrdered);
	function refuse(why: string): void {
		setError(why);
		lead();
	}
	return (
		<form
			ref={form}
			noValidate
			className="surface-card"
			onSubmit={(event) => {
				event.preventDefault();
				const amount = amountFromText(text);
				const refused = amountError(text, min, max);
				setError(refused);
				if (refused !== '' || amount === null) return lead();
				if (generating.isPending) return;
				generating.mutate(amount, {
					onError: (failure) => refusedNumber(failure) && refuse(failureText(failure)),
				});
			}}
		>
			<h2>{words.title}</h2>
			<Limits limits={limits} />
			<AmountField
				text={text}
				onText={(next) => {
					setText(next);
					setError('');
				}}
				min={min}
				max={max}
				error={error}
				chips={DEPOSITS.filter((amount) => amount >= min && amount <= max).map((amount) => ({
					amount,
					label: formatMoney(amount),
				}))}
			/>
			{generating.error && !refusedNumber(generating.error) && <p role="alert">{failureText(generating.error)}</p>}
			<Button type="submit" variant="primary" busy={generating.isPending}>
				{words.generate}
			</Button>
		</form>
	);
}

function OpenOrder({
	request,
	isSimulated,
	onAnother,
}: {
	request: GenerateRequest;
	isSimulated: boolean;
	onAnother: () => void;
}): ReactElement {
	const asked = useQuery(orderQuery(request));
	return (
		<Loaded
			asked={asked}
			words={TEXTS.app}
			waiting={<Skeleton className="cashier-waiting" />}
			empty={null}
			isEmpty={() => false}
		>
			{(order) => (
				<Suspense fallback={<Skeleton className="cashier-waiting" />}>
					<PaymentOrderCard order={order} isSimulated={isSimulated} onAnother={onAnother} />
				</Suspense>
			)}
		</Loaded>
	);
}

type Way = 'UPI' | 'RECEIPT';

/** The ways that are open, a tab each. */
function Ways({ info, onOrdered }: { info: PaymentInfo; onOrdered: (request: GenerateRequest) => void }): ReactElement {
	const [chosen, setChosen] = useState<Way | null>(null);
	const { refusal, methods, limits, max, min } = info.deposit;
	if (refusal !== null) return <ClosedPart code={refusal} />;
	const [first] = methods;
	if (!first) return <ScreenState icon="wallet" title={words.none} />;
	if (max < min)
		return (
			<section className="surface-card" aria-label={words.limits}>
				<p>{words.limitReached}</p>
				<Limits limits={limits} />
			</section>
		);
	const way = chosen ?? first;
	const form =
		way === 'UPI' ? (
			<DepositForm info={info.deposit} onOrdered={onOrdered} />
		) : (
			<Suspense fallback={<Skeleton className="cashier-waiting" />}>
				<ReceiptForm info={info} />
			</Suspense>
		);
	if (methods.length === 1) return form;
	return (
		<Tabs
			label={words.ways.label}
			tabs={methods.map((method) => ({ key: method, label: words.ways[method] }))}
			selected={way}
			onSelect={setChosen}
			className="gap-3"
		>
			{form}
		</Tabs>
	);
}

/** The coins of the day, of players of play money. */
function Coins(): ReactElement | null {
	const isPlay = useSession(({ user }) => user?.pool === 'PLAY' && !user.isDemo);
	if (!isPlay) return null;
	return (
		<Suspense fallback={null}>
			<DailyCoins />
		</Suspense>
	);
}

/**
 * What can be paid in, and below it the coins of the day. An order that is being paid has the
 * screen to itself, as its card is taller than the form and would move them.
 */
function Deposit({ info }: { info: PaymentInfo }): ReactElement {
	const [request, setRequest] = useState(keptOrder);
	if (request)
		return (
			<OpenOrder
				request={request}
				isSimulated={info.isSimulated}
				onAnother={() => {
					forgetOrder();
					setRequest(null);
				}}
			/>
		);
	return (
		<>
			<Ways info={info} onOrdered={setRequest} />
			<Coins />
		</>
	);
}

/** /deposit: an order is made, paid and followed; players of play money claim the coins of the day. */
export const DepositScreen = (): ReactElement => (
	<PaymentPage beside={<Coins />}>{(info) => <Deposit info={info} />}</PaymentPage>
);
