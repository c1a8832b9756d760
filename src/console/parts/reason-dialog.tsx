/** Proposes an act with a reason; another member confirms it. */
import type { ReactElement } from 'react';
import type { InputOf } from '#console/api/operate.ts';
import { useAct } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { OPERATOR_CALLS, type OperatorCallName } from '#contract/operators/registry.ts';

interface ReasonDialogProps {
	title: string;
	act: OperatorCallName;
	/** The input of the act, some of which keep the reason, too. */
	input: (reason: string) => Record<string, unknown>;
	/** What happens besides what the act's summary says. */
	note?: string;
	onClose: () => void;
}

export function ReasonDialog({ title, act, input, note = '', onClose }: ReasonDialogProps): ReactElement {
	const propose = useAct('propose');
	return (
		<Dialog title={title} onClose={onClose}>
			<p>
				{OPERATOR_CALLS[act].summary} {note} Another member confirms it.
			</p>
			<RecordForm
				schema={OPERATOR_CALLS.propose.input}
				fields={{ reason: 'Reason' }}
				fixed={{ act, input: {} }}
				submit="Propose"
				error={propose.error}
				isBusy={propose.isPending}
				onSubmit={({ reason }) => {
					const asked: InputOf<'propose'> = { act, input: input(String(reason)), reason: String(reason) };
					propose.mutate(asked, { onSuccess: onClose });
				}}
			/>
		</Dialog>
	);
}
