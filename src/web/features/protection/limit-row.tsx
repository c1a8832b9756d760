import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { type Minor, majorFromMinor } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import type { RequestOf } from '#web/api/units.ts';
import { changeProtection } from '#web/features/protection/change-protection.ts';
import { formatDateTime, formatMoney } from '#web/format.ts';
import { askedWords, understoodWords } from '#web/orders/amount-words.ts';
import { showNotice } from '#web/store/notices.ts';
import type { Limit, Protection } from '#web/store/protection-queries.ts';
import { useCountdown } from '#web/store/use-countdown.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';
import { amountFromText } from '#web/typed-amount.ts';

const words = PROTECTION_TEXTS.limits;

type Frames = Protection['depositFrames'];
/** What a limit is called, by the frames in which deposits count. */
const nameOf = (name: Limit['name'], frames: Frames): string => {
	const names: Record<string, string> = { ...words.names, ...(frames === 'calendar' ? words.calendarNames : {}) };
	return names[name] ?? '';
};

/** A raise takes effect one day after the request, if the player confirms it. */
function Raise({
	name,
	frames,
	raise,
}: {
	name: Limit['name'];
	frames: Frames;
	raise: NonNullable<Limit['raise']>;
}): ReactElement {
	const isDue = useCountdown(Date.parse(raise.confirmableFrom)) === 0;
	const confirming = useMutation({
		mutationFn: () => changeProtection(() => call('confirmLimit', { name })),
		onSuccess: () => showNotice(words.confirmed(nameOf(name, frames)), 'success'),
	});
	const { amount } = raise;
	const when = formatDateTime(raise.confirmableFrom);
	const waits = amount === null ? words.removal(when) : words.raise(formatMoney(amount), when);
	const due = amount === null ? words.removalDue : words.due(formatMoney(amount));
	return (
		<div className="limit-raise">
			<p className="text-suspended">{isDue ? due : waits}</p>
			{isDue && (
				<Button
					size="small"
					variant="outline"
					aria-label={words.confirmOf(nameOf(name, frames))}
					busy={confirming.isPending}
					onClick={() => confirming.mutate()}
				>
					{words.confirm}
				</Button>
			)}
			{confirming.error && (
				<p role="alert" className="text-loss">
					{messageOf(confirming.error)}
				</p>
			)}
		</div>
	);
}

/** The outcome of the request: in effect, or pending. */
function noticeOf({ limits, depositFrames: frames }: Protection, name: Limit['name'], wanted: Minor | null): string {
	const now = limits.find((limit) => limit.name === name);
	if (now?.limit === wanted && wanted !== null) return words.lowered(nameOf(name, frames), formatMoney(wanted));
	return now?.raise ? words.waits(formatDateTime(now.raise.confirmableFrom)) : words.none;
}

function LimitForm({ limit, frames, onClose }: { limit: Limit; frames: Frames; onClose: () => void }): ReactElement {
	const { name } = limit;
	const [text, setText] = useState(limit.limit === null ? '' : String(majorFromMinor(limit.limit)));
	const [error, setError] = useState('');
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => field.current?.focus(), []);
	const saving = useMutation({
		mutationFn: (wanted: Minor | null) =>
			changeProtection(() => call('setLimits', { [name]: wanted } as RequestOf<'setLimits'>)),
		onSuccess: (protection, wanted) => {
			showNotice(noticeOf(protection, name, wanted), 'success');
			onClose();
		},
	});
	return (
		<form
			noValidate
			className="limit-form"
			aria-label={words.change(nameOf(name, frames))}
			onSubmit={(event) => {
				event.preventDefault();
				const wanted = amountFromText(text);
				const isLimit = wanted !== null && wanted > 0;
				setError(isLimit ? '' : (askedWords(text) ?? words.notAmount));
				if (isLimit && !saving.isPending) saving.mutate(wanted);
			}}
		>
			<Field
				label={words.newLimit}
				value={text}
				inputMode="decimal"
				autoComplete="off"
				hint={understoodWords(text)}
				ref={field}
				error={error}
				onChange={({ target }) => setText(target.value)}
			/>
			{saving.error && (
				<p role="alert" className="text-loss">
					{messageOf(saving.error)}
				</p>
			)}
			<div className="protection-acts">
				<Button type="submit" variant="primary" busy={saving.isPending}>
					{words.save}
				</Button>
				{limit.limit !== null && (
					<Button variant="outline" busy={saving.isPending} onClick={() => saving.mutate(null)}>
						{words.remove}
					</Button>
				)}
				<Button variant="ghost" onClick={onClose}>
					{words.cancel}
				</Button>
			</div>
		</form>
	);
}

/** One limit: its value, its use, a pending raise, and the form to change it. */
export function LimitRow({ limit, frames }: { limit: Limit; frames: Frames }): ReactElement {
	const [isOpen, setOpen] = useState(false);
	const { name, used, raise } = limit;
	const most = limit.limit;
	const title = nameOf(name, frames);
	const limited =
		most !== null && (used === null ? words.is(formatMoney(most)) : words.used(formatMoney(used), formatMoney(most)));
	return (
		<li className="limit-row">
			<div className="limit-head">
				<div className="min-w-0 flex-1">
					<p className="font-semibold">{title}</p>
					<p className="text-muted">{limited || words.none}</p>
				</div>
				{!isOpen && (
					<Button size="small" variant="outline" aria-label={words.change(title)} onClick={() => setOpen(true)}>
						{words.changeShort}
					</Button>
				)}
			</div>
			{most !== null && used !== null && <meter min={0} max={most} value={Math.min(used, most)} aria-label={title} />}
			{raise && <Raise name={name} frames={frames} raise={raise} />}
			{isOpen && <LimitForm limit={limit} frames={frames} onClose={() => setOpen(false)} />}
		</li>
	);
}
