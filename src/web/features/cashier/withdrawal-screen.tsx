import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import { useRefusedFocus } from '#ui/refused-focus.ts';
import { ScreenState } from '#ui/screen-state.tsx';
import type { Minor } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { AmountField, amountError } from '#web/features/cashier/amount-field.tsx';
import { ClosedPart, PaymentPage } from '#web/features/cashier/cashier-page.tsx';
import { TargetFields } from '#web/features/cashier/target-fields.tsx';
import {
	type SavedTarget,
	type Target,
	type TargetField,
	type TypedTarget,
	targetOf,
} from '#web/features/cashier/withdrawal-target.ts';
import { formatMoney, formatNumber } from '#web/format.ts';
import { refusedNumber } from '#web/orders/refused-number.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import type { PaymentInfo } from '#web/store/funds-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { bonusesQuery } from '#web/store/reward-queries.ts';
import { failureText, useSentOnce } from '#web/store/use-sent-once.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';
import { amountFromText } from '#web/typed-amount.ts';

const words = CASHIER_TEXTS.withdrawal;

type WithdrawalInfo = PaymentInfo['withdrawal'];
interface Wanted {
	amount: Minor;
	details: Target;
}

/** The withdrawable amount, and the reasons that block the rest. */
function Available({ info }: { info: WithdrawalInfo }): ReactElement {
	return (
		<section className="surface-card" aria-label={words.available}>
			<dl className="cashier-facts">
				<div>
					<dt>{words.available}</dt>
					<dd className="cashier-sum">{formatMoney(info.max)}</dd>
				</div>
				{info.heldBack.map(({ reason, amount }) => (
					<div key={reason}>
						<dt>
							{words.heldBack}: {words.reasons[reason]}
						</dt>
						<dd>{formatMoney(amount)}</dd>
					</div>
				))}
			</dl>
			<p className="text-muted">{words.leftToday(info.leftToday)}</p>
		</section>
	);
}

/** The cost of a withdrawal besides its amount: bonuses that are not wagered yet. */
function Forfeits(): ReactElement | null {
	const { data: bonuses = [] } = useQuery(bonusesQuery());
	const active = bonuses.filter(({ status }) => status === 'ACTIVE');
	return (
		<>
			{active.map(({ id, title, amount }) => (
				<p key={id} className="cashier-note" data-tone="warning">
					{words.forfeits(title, formatMoney(amount))}
				</p>
			))}
		</>
	);
}

/** The tax that the profile of the brand's jurisdiction has on winnings. */
function Taxed(): ReactElement | null {
	const { taxes } = useBrandRules();
	const tax = taxes.find(({ base }) => base === 'NET_WINNINGS');
	if (!tax) return null;
	return <p className="cashier-note">{words.taxed(formatNumber(tax.rateBp / 100))}</p>;
}

/** As the player knows it: the typed details, or the masked saved ones. */
function nameOf(target: Target, saved: readonly SavedTarget[]): string {
	if (target.method === 'UPI') return `${words.methods.UPI} ${target.upiId}`;
	if (target.method === 'BANK')
		return `${words.methods.BANK} ${target.accountNumber}, ${target.ifsc}, ${target.holder}`;
	const known = saved.find(({ id }) => id === target.id);
	return known ? `${words.methods[known.method]} ${known.masked}` : '';
}

function Confirmation({
	wanted,
	name,
	sending,
	onClose,
}: {
	wanted: Wanted;
	name: string;
	sending: { isPending: boolean; error: Error | null; mutate: (wanted: Wanted) => void };
	onClose: () => void;
}): ReactElement {
	const sum = formatMoney(wanted.amount);
	return (
		<Modal open sheet title={words.confirmTitle} closeLabel={CASHIER_TEXTS.close} onClose={onClose}>
			<dl className="cashier-facts">
				<div>
					<dt>{CASHIER_TEXTS.amount}</dt>
					<dd>{sum}</dd>
				</div>
				<div>
					<dt>{words.to}</dt>
					<dd>{name}</dd>
				</div>
			</dl>
			<p className="py-3 text-muted">{words.confirmText}</p>
			<Forfeits />
			<Taxed />
			{sending.error && !refusedNumber(sending.error) && (
				<p role="alert" className="pb-3 text-loss">
					{failureText(sending.error)}
				</p>
			)}
			<Button variant="primary" className="w-full" busy={sending.isPending} onClick={() => sending.mutate(wanted)}>
				{words.confirm(sum)}
			</Button>
		</Modal>
	);
}

/** The request's id outlives the dialog, so that a reopened dialog can ask again for a lost answer. */
function useWithdrawal() {
	const navigate = useNavigate();
	return useSentOnce(
		(wanted: Wanted, clientRequestId) => call('createWithdrawal', { ...wanted, clientRequestId }),
		({ amount }) => {
			showNotice(words.asked(formatMoney(amount)), 'success');
			void navigate({ to: '/dwrequests' });
		},
	);
}

function WithdrawalForm({ info }: { info: WithdrawalInfo }): ReactElement {
	const { min, max, saved, methods } = info;
	const [text, setText] = useState('');
	const [typed, setTyped] = useState<TypedTarget>({
		choice: saved[0]?.id ?? methods[0] ?? 'UPI',
		upiId: '',
		accountNumber: '',
		ifsc: '',
		holder: '',
	});
	const [errors, setErrors] = useState<Partial<Record<TargetField | 'amount', string>>>({});
	const [wanted, setWanted] = useState<Wanted | null>(null);
	const sending = useWithdrawal();
	const [form, lead] = useRefusedFocus();
	/** An amount that the server refuses is said of its field, behind the dialog. */
	const send = (asked: Wanted) =>
		sending.mutate(asked, {
			onError: (failure) => {
				if (!refusedNumber(failure)) return;
				setErrors({ amount: failureText(failure) });
				setWanted(null);
				lead();
			},
		});
	return (
		<form
			ref={form}
			noValidate
			className="surface-card"
			onSubmit={(event) => {
				event.preventDefault();
				const read = targetOf(typed);
				const amount = amountFromText(text);
				const refused = amountError(text, min, max);
				setErrors({ ...('errors' in read ? read.errors : {}), amount: refused });
				if (refused !== '' || amount === null || !('target' in read)) return lead();
				setWanted({ amount, details: read.target });
			}}
		>
			<h2>{words.title}</h2>
			<AmountField
				text={text}
				onText={(next) => {
					setText(next);
					setErrors({ ...errors, amount: '' });
				}}
				min={min}
				max={max}
				error={errors.amount ?? ''}
				chips={[{ amount: max, label: words.all(formatMoney(max)) }]}
			/>
			<Forfeits />
			<TargetFields typed={typed} onTyped={setTyped} errors={errors} saved={saved} methods={methods} />
			<Button type="submit" variant="primary">
				{words.next}
			</Button>
			{wanted && (
				<Confirmation
					wanted={wanted}
					name={nameOf(wanted.details, saved)}
					sending={{ ...sending, mutate: send }}
					onClose={() => setWanted(null)}
				/>
			)}
		</form>
	);
}

function Withdrawal({ info }: { info: WithdrawalInfo }): ReactElement {
	if (info.refusal !== null) return <ClosedPart code={info.refusal} />;
	return (
		<>
			<Available info={info} />
			{info.max < info.min ? (
				<ScreenState icon="wallet" title={words.tooLittle(formatMoney(info.min))} />
			) : (
				<WithdrawalForm info={info} />
			)}
		</>
	);
}

/** /withdrawal: the withdrawable amount, the target, and a confirmation before anything is held. */
export function WithdrawalScreen(): ReactElement {
	return <PaymentPage>{(info) => <Withdrawal info={info.withdrawal} />}</PaymentPage>;
}
