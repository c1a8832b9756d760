/** A picture of a brand: as it is, another one, or the site's own. A picture is shown as soon as it is uploaded. */
import { type ReactElement, useState } from 'react';
import { useAct } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Problem } from '#console/parts/loaded.tsx';
import type { SettingField } from '#console/parts/setting-fields.ts';
import { PICTURE_SIDES, type PictureField } from '#contract/brand-picture.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { formatOf, LARGEST_PICTURE_BYTES, PICTURE_TYPES } from '#values/picture.ts';

interface PictureDialogProps {
	host: string;
	field: SettingField;
	picture: PictureField;
	/** The path on the brand's site; empty for none. */
	path: string;
	onClose: () => void;
}

/** The file as base64. @throws Error with a sentence */
async function base64Of(file: File): Promise<string> {
	if (file.size > LARGEST_PICTURE_BYTES) throw new Error('A picture has at most five megabytes.');
	const bytes = new Uint8Array(await file.arrayBuffer());
	if (formatOf(bytes) === null) throw new Error('A picture is a JPEG, PNG or WebP.');
	return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

export function PictureDialog({ host, field, picture, path, onClose }: PictureDialogProps): ReactElement {
	const upload = useAct('brand-picture');
	const remove = useAct('brand-picture-remove');
	const [problem, setProblem] = useState<Error | null>(null);
	const send = (file: File | undefined) => {
		if (!file) return;
		setProblem(null);
		base64Of(file).then(
			(image) => upload.mutate({ host, field: picture, image }, { onSuccess: onClose }),
			(error: Error) => setProblem(error),
		);
	};
	return (
		<Dialog title={field.label} onClose={onClose}>
			<p>{field.help}</p>
			<p className="text-muted">Now: {path === '' ? 'none' : path}.</p>
			<Field
				label="A JPEG, PNG or WebP of at most 5 MB"
				type="file"
				accept={PICTURE_TYPES.join(',')}
				hint={`It is kept at no more than ${PICTURE_SIDES[picture]} pixels a side, and shown at once.`}
				disabled={upload.isPending}
				onChange={({ target }) => send(target.files?.[0])}
			/>
			<Problem error={problem ?? upload.error ?? remove.error} />
			<p className="acts">
				<Button busy={remove.isPending} onClick={() => remove.mutate({ host, field: picture }, { onSuccess: onClose })}>
					Use the site’s own
				</Button>
			</p>
		</Dialog>
	);
}
