import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';

/** What is on and must not be overlooked, with its switch. */
export function WarningLine({ text, off, onOff }: { text: string; off: string; onOff: () => void }): ReactElement {
	return (
		<output className="warning-line">
			<Icon solid>triangle-exclamation</Icon>
			<b className="min-w-0 flex-1">{text}</b>
			<Button size="small" onClick={onOff}>
				{off}
			</Button>
		</output>
	);
}
