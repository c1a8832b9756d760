import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { majorFromMinor } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { saidWords } from '#web/orders/amount-words.ts';
import { showNotice } from '#web/store/notices.ts';
import { usePresets } from '#web/store/presets.ts';
import { keepStakes, type Preset } from '#web/store/session.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';
import { amountFromText } from '#web/typed-amount.ts';

const words = ACCOUNT_TEXTS.settings;
const MOST = 12;

interface Draft {
	id: number;
	title: string;
	value: string;
}

/** The typed rows as presets, or null when one of them is no preset. */
function presetsOf(drafts: readonly Draft[]): Preset[] | null {
	const presets = drafts.flatMap(({ title, value }) => {
		const name = title.trim();
		const amount = amountFromText(value);
		return name !== '' && name.length <= 12 && amount !== null && amount > 0 ? [{ title: name, value: amount }] : [];
	});
	return presets.length > 0 && presets.length === drafts.length ? presets : null;
}

function useDrafts() {
	const stakes = usePresets();
	const [drafts, setDrafts] = useState<Draft[]>(() =>
		stakes.map(({ title, value }, id) => ({ id, title, value: String(majorFromMinor(value)) })),
	);
	const change = (id: number, changes: Partial<Draft>) =>
		setDrafts((held) => held.map((draft) => (draft.id === id ? { ...draft, ...changes } : draft)));
	const remove = (id: number) => setDrafts((held) => held.filter((draft) => draft.id !== id));
	const add = () =>
		setDrafts((held) => [...held, { id: Math.max(0, ...held.map(({ id }) => id)) + 1, title: '', value: '' }]);
	return { drafts, change, remove, add };
}

/** The chips of the bet slip, edited as a list and saved as one. */
export function StakeButtons(): ReactElement {
	const { drafts, change, remove, add } = useDrafts();
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string | null>(null);
	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		const presets = presetsOf(drafts);
		setProblem(presets ? null : words.badStakes);
		if (!presets || busy) return;
		setBusy(true);
		try {
			keepStakes((await call('addUserStake', { stakes: presets })).stakes);
			showNotice(words.saved, 'success');
		} catch (failure) {
			setProblem(messageOf(failure));
		} finally {
			setBusy(false);
		}
	}
	return (
		<form
			noValidate
			aria-label={words.stakes}
			onSubmit={(event) => void save(event)}
			className="rounded-lg border border-line bg-surface-1 p-4"
		>
			<p className="mb-3 text-muted">{words.stakesHint}</p>
			<p aria-hidden="true" className="mb-1 flex gap-2 text-xs text-muted">
				<span className="w-28 flex-none">{words.name}</span>
				{words.value}
			</p>
			<ul className="flex flex-col gap-2">
				{drafts.map(({ id, title, value }) => (
					<li key={id} className="flex flex-wrap items-center gap-x-2">
						<div className="field-box w-28 flex-none">
							<input
								aria-label={words.name}
								maxLength={12}
								value={title}
								onChange={(event) => change(id, { title: event.target.value })}
							/>
						</div>
						<div className="field-box min-w-0 flex-1">
							<input
								aria-label={words.value}
								inputMode="decimal"
								value={value}
								onChange={(event) => change(id, { value: event.target.value })}
							/>
						</div>
						<button type="button" className="icon-button" aria-label={words.remove(title)} onClick={() => remove(id)}>
							<Icon solid>xmark</Icon>
						</button>
						<p className="w-full pl-30 text-xs text-muted empty:hidden">{saidWords(value)}</p>
					</li>
				))}
			</ul>
			<p role="alert" className="min-h-6 pt-1 text-xs text-loss">
				{problem}
			</p>
			<div className="flex gap-2">
				<Button disabled={drafts.length >= MOST} onClick={add}>
					{words.add}
				</Button>
				<Button type="submit" variant="primary" busy={busy}>
					{words.save}
				</Button>
			</div>
		</form>
	);
}
