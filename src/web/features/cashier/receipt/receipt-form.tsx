import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useRef, useState } from 'react';
import { Utr } from '#contract/calls/deposit-withdrawal.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { rule } from '#ui/form-check.ts';
import { useRefusedFocus } from '#ui/refused-focus.ts';
import type { Minor } from '#values/money.ts';
import { amountIn, utrIn } from '#values/receipt-text.ts';
import { call } from '#web/api/client.ts';
import { AmountField, amountError } from '#web/features/cashier/amount-field.tsx';
import { type Picture, PictureField } from '#web/features/cashier/receipt/picture-field.tsx';
import { base64Of } from '#web/features/cashier/receipt/picture-file.ts';
import { type Reading, useReading } from '#web/features/cashier/receipt/use-reading.ts';
import { formatMoney } from '#web/format.ts';
import { refusedNumber } from '#web/orders/refused-number.ts';
import type { PaymentInfo } from '#web/store/funds-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';
import { failureText, useSentOnce } from '#web/store/use-sent-once.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';
import { amountFromText } from '#web/typed-amount.ts';
import './receipt.css';

const words = CASHIER_TEXTS.receipt;
const checkUtr = rule(Utr);

interface Sent {
	amount: Minor;
	utr: string;
	picture: Picture;
}

/** Stores the picture once, even if the form is sent repeatedly, and reports the transfer. */
function useReport() {
	const navigate = useNavigate();
	const queries = useQueryClient();
	const stored = useRef<{ file: File; imageRef: string } | null>(null);
	return useSentOnce(
		async ({ amount, utr, picture: { file } }: Sent, clientRequestId) => {
			const step = stepsOfLogin();
			if (stored.current?.file !== file) {
				const image = await base64Of(file);
				const { imageRef } = await step(() => call('storeImage', { image }));
				stored.current = { file, imageRef };
			}
			const { imageRef } = stored.current;
			return await step(() => call('createDeposit', { amount, utr, imageRef, clientRequestId }));
		},
		({ amount, status }) => {
			if (status === 'DUPLICATE') showNotice(words.duplicate, 'error');
			else showNotice(words.sent(formatMoney(amount)), 'success');
			void queries.invalidateQueries({ queryKey: ['player', 'funds'] });
			void navigate({ to: '/dwrequests' });
		},
	);
}

/** The state of OCR, and its findings. It confirms an amount and never proposes one. */
function Found({ reading, amount }: { reading: Reading; amount: Minor | null }): ReactElement | null {
	if (reading.state === 'none') return null;
	if (reading.state === 'reading')
		return (
			<div className="receipt-found">
				<p>{words.reading}</p>
				<progress max={1} value={reading.progress} aria-label={words.reading} />
			</div>
		);
	if (reading.state === 'unread') return <p className="receipt-found">{words.unread}</p>;
	if (reading.state === 'slow') return <p className="receipt-found">{words.slow}</p>;
	return (
		<output className="receipt-found">
			<span>{utrIn(reading.lines) ? words.utrFound : words.utrNotFound}</span>
			{amount !== null && <span>{words.amounts[amountIn(reading.lines, amount)](formatMoney(amount))}</span>}
		</output>
	);
}

/** The payee, shown before the receipt is requested. */
function Payee({ payee }: Pick<PaymentInfo, 'payee'>): ReactElement {
	return (
		<dl className="cashier-facts">
			<div>
				<dt>{CASHIER_TEXTS.order.payee}</dt>
				<dd>{payee.name}</dd>
			</div>
			<div>
				<dt>{CASHIER_TEXTS.order.upiId}</dt>
				<dd translate="no">{payee.upiId}</dd>
			</div>
		</dl>
	);
}

/** A transfer that the player made, reported with its receipt. The reader fills in the reference until it is typed. */
export function ReceiptForm({ info }: { info: PaymentInfo }): ReactElement {
	const { min, max } = info.deposit;
	const [text, setText] = useState('');
	const [typedUtr, setTypedUtr] = useState<string | null>(null);
	const [picture, setPicture] = useState<Picture | null>(null);
	const [errors, setErrors] = useState({ amount: '', utr: '', picture: '' });
	const reading = useReading(picture?.file ?? null);
	const reporting = useReport();
	const [form, lead] = useRefusedFocus();
	const utr = typedUtr ?? (reading.state === 'read' ? (utrIn(reading.lines) ?? '') : '');
	const amount = amountFromText(text);
	function send(): void {
		const wrong = checkUtr(utr);
		const found = {
			amount: amountError(text, min, max),
			utr: wrong === true ? '' : wrong,
			picture: picture ? '' : words.noPicture,
		};
		setErrors(found);
		const isRight = Object.values(found).every((error) => error === '');
		if (!isRight || !picture || amount === null) return lead();
		if (reporting.isPending) return;
		reporting.mutate(
			{ amount, utr, picture },
			{
				onError: (failure) => {
					if (!refusedNumber(failure)) return;
					setErrors({ ...found, amount: failureText(failure) });
					lead();
				},
			},
		);
	}
	return (
		<form
			ref={form}
			noValidate
			className="surface-card"
			onSubmit={(event) => {
				event.preventDefault();
				send();
			}}
		>
			<h2>{words.title}</h2>
			<p className="text-muted">{info.isSimulated ? words.howSimulated : words.how}</p>
			<Payee payee={info.payee} />
			<AmountField
				text={text}
				onText={(next) => {
					setText(next);
					setErrors({ ...errors, amount: '' });
				}}
				min={min}
				max={max}
				error={errors.amount}
				chips={[]}
			/>
			<PictureField
				picture={picture}
				error={errors.picture}
				onPicture={(next) => {
					setPicture(next);
					setErrors({ ...errors, picture: '' });
				}}
			/>
			<Found reading={reading} amount={amount} />
			<Field
				label={words.utr}
				hint={words.utrHint}
				value={utr}
				inputMode="text"
				autoComplete="off"
				autoCapitalize="characters"
				spellCheck={false}
				error={errors.utr}
				onChange={({ target }) => {
					setTypedUtr(target.value);
					setErrors({ ...errors, utr: '' });
				}}
			/>
			{reporting.error && !refusedNumber(reporting.error) && <p role="alert">{failureText(reporting.error)}</p>}
			<Button type="submit" variant="primary" busy={reporting.isPending}>
				{words.send}
			</Button>
		</form>
	);
}
