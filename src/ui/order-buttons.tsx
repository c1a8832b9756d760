import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';

interface OrderWords {
	edit: string;
	cancel: string;
	/** Read out loud: which bet it is. */
	editLabel: string;
	cancelLabel: string;
}

/** The two actions on an unmatched bet. */
export function OrderButtons({
	words,
	editing,
	onEdit,
	cancelling,
	onCancel,
}: {
	words: OrderWords;
	editing: boolean;
	/** Null for one that can only be cancelled. */
	onEdit: (() => void) | null;
	cancelling: boolean;
	onCancel: () => void;
}): ReactElement {
	return (
		<>
			{onEdit && (
				<Button size="small" aria-expanded={editing} aria-label={words.editLabel} onClick={onEdit}>
					{words.edit}
				</Button>
			)}
			<Button size="small" variant="danger" busy={cancelling} aria-label={words.cancelLabel} onClick={onCancel}>
				{words.cancel}
			</Button>
		</>
	);
}
