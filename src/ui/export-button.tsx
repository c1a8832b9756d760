import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { saveText } from '#ui/save-text.ts';

/** Makes a file of a record and hands it to the browser. */
export function ExportButton({
	label,
	file,
	make,
	onFail,
}: {
	label: string;
	/** The file's name. */
	file: string;
	make: () => Promise<string>;
	onFail: (failure: unknown) => void;
}): ReactElement {
	const [busy, setBusy] = useState(false);
	async function save(): Promise<void> {
		if (busy) return;
		setBusy(true);
		try {
			saveText(file, await make());
		} catch (failure) {
			onFail(failure);
		} finally {
			setBusy(false);
		}
	}
	return (
		<Button variant="outline" busy={busy} onClick={() => void save()}>
			{label}
		</Button>
	);
}
