import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { PUSH_KINDS } from '#contract/calls/push.ts';
import { Button } from '#ui/button.tsx';
import { FormScreen } from '#ui/form-screen.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { inOrder, showChanged } from '#web/store/changes.ts';
import { knowsPush, PushRefused, type PushState, pushQuery, subscribePush, unsubscribePush } from '#web/store/push.ts';
import { PUSH_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = PUSH_TEXTS;

function Switch({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
	return (
		<label className="flex min-h-11 items-center justify-between gap-4">
			{label}
			<input
				type="checkbox"
				role="switch"
				aria-checked={on}
				className="switch"
				checked={on}
				onChange={({ target }) => onChange(target.checked)}
			/>
		</label>
	);
}

const refusalOf = (failure: unknown): string => (failure instanceof PushRefused ? words.refused : messageOf(failure));

/** @param isSubscribed as the server has it: the browser keeps its subscription although its login has ended */
function ThisBrowser({ publicKey, isSubscribed = false }: Pick<PushState, 'publicKey' | 'isSubscribed'>): ReactElement {
	const turning = useMutation({
		mutationFn: async (on: boolean) => {
			const state = on ? await subscribePush(publicKey) : await unsubscribePush();
			if (state) await showChanged<PushState>(pushQuery().queryKey, () => state);
		},
	});
	if (!knowsPush()) return <p className="text-muted">{words.unknown}</p>;
	return (
		<>
			<p className="text-muted">{isSubscribed ? words.isOn : words.isOff}</p>
			<p role="alert" className="text-loss">
				{turning.error && refusalOf(turning.error)}
			</p>
			<Button
				variant={isSubscribed ? 'outline' : 'primary'}
				busy={turning.isPending}
				onClick={() => turning.mutate(!isSubscribed)}
			>
				{isSubscribed ? words.turnOff : words.turnOn}
			</Button>
		</>
	);
}

const choosingInOrder = inOrder();

function Choices({ off, atNight }: Pick<PushState, 'off' | 'atNight'>): ReactElement {
	const choosing = useMutation({
		mutationFn: (choice: Pick<PushState, 'off' | 'atNight'>) => choosingInOrder(() => call('setPushChoices', choice)),
		onSuccess: (state) => showChanged<PushState>(pushQuery().queryKey, (held) => ({ ...held, ...state })),
	});
	// A switch moves at once; a refusal moves it back.
	const shown = choosing.isPending ? choosing.variables : { off, atNight };
	return (
		<>
			{PUSH_KINDS.map((kind) => (
				<Switch
					key={kind}
					label={words.kinds[kind]}
					on={!shown.off.includes(kind)}
					onChange={(on) => {
						const others = shown.off.filter((one) => one !== kind);
						choosing.mutate({ ...shown, off: on ? others : [...others, kind] });
					}}
				/>
			))}
			<Switch label={words.atNight} on={shown.atNight} onChange={(on) => choosing.mutate({ ...shown, atNight: on })} />
			<p role="alert" className="text-loss">
				{choosing.error && messageOf(choosing.error)}
			</p>
		</>
	);
}

/** /notifications: whether this browser is sent notifications, and of what. */
export function NotificationsScreen(): ReactElement {
	const asked = useQuery(pushQuery());
	return (
		<FormScreen title={words.title} intro={words.intro}>
			<Loaded
				asked={asked}
				words={TEXTS.app}
				waiting={<Skeleton className="h-40 w-full" />}
				empty={null}
				isEmpty={() => false}
			>
				{({ publicKey, isSubscribed, off, atNight }) => (
					<>
						<section aria-label={words.browser} className="surface-card flex flex-col items-start gap-2">
							<h2 className="font-semibold">{words.browser}</h2>
							<ThisBrowser publicKey={publicKey} {...(isSubscribed === undefined ? {} : { isSubscribed })} />
						</section>
						<section aria-label={words.choices} className="surface-card">
							<h2 className="mb-2 font-semibold">{words.choices}</h2>
							<Choices off={off} atNight={atNight} />
						</section>
					</>
				)}
			</Loaded>
		</FormScreen>
	);
}
