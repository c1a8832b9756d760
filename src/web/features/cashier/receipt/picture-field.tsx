import { type ReactElement, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import { PICTURE_TYPES } from '#values/picture.ts';
import { faultOf, type PictureFault } from '#web/features/cashier/receipt/picture-file.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';

const words = CASHIER_TEXTS.receipt;

/** A file that is taken, with its address within the page. */
export interface Picture {
	file: File;
	url: string;
}

/** Looks at a chosen file; the address of one that is refused is given back. */
async function pictureOf(file: File): Promise<Picture | PictureFault> {
	const url = URL.createObjectURL(file);
	const fault = await faultOf(file, url);
	if (!fault) return { file, url };
	URL.revokeObjectURL(url);
	return fault;
}

/** A file input that covers its box, so that the box takes presses and dropped files without a script. */
function FileBox({
	text,
	camera,
	onFile,
}: {
	text: string;
	camera?: boolean;
	onFile: (file: File) => void;
}): ReactElement {
	return (
		<span className="file-box">
			<span aria-hidden="true">{text}</span>
			<input
				type="file"
				accept={PICTURE_TYPES.join(',')}
				aria-label={text}
				{...(camera ? { capture: 'environment' } : {})}
				onChange={({ target }) => {
					const [file] = target.files ?? [];
					if (file) onFile(file);
					// The same file can be chosen again.
					target.value = '';
				}}
			/>
		</span>
	);
}

/** Drop, paste, choose or photograph a receipt; then its preview. */
export function PictureField({
	legend = words.picture,
	picture,
	error,
	onPicture,
}: {
	legend?: string;
	picture: Picture | null;
	/** Said when the form is sent without a picture. */
	error: string;
	onPicture: (picture: Picture | null) => void;
}): ReactElement {
	const [fault, setFault] = useState<PictureFault | null>(null);
	const hasCamera = useMediaQuery('(pointer: coarse)');
	const take = async (file: File) => {
		const chosen = await pictureOf(file);
		setFault(typeof chosen === 'string' ? chosen : null);
		onPicture(typeof chosen === 'string' ? null : chosen);
	};
	useEffect(() => {
		const onPaste = ({ clipboardData }: ClipboardEvent) => {
			const [file] = clipboardData?.files ?? [];
			if (file) void take(file);
		};
		document.addEventListener('paste', onPaste);
		return () => document.removeEventListener('paste', onPaste);
	});
	useEffect(() => {
		if (!picture) return;
		return () => URL.revokeObjectURL(picture.url);
	}, [picture]);
	return (
		<fieldset className="receipt-picture">
			<legend>{legend}</legend>
			{picture ? (
				<div className="receipt-preview">
					<img src={picture.url} alt={words.preview} />
					<Button size="small" variant="outline" onClick={() => onPicture(null)}>
						{words.another}
					</Button>
				</div>
			) : (
				<>
					<FileBox text={hasCamera ? words.choose : words.drop} onFile={(file) => void take(file)} />
					{hasCamera && <FileBox camera text={words.photo} onFile={(file) => void take(file)} />}
				</>
			)}
			<p role="alert" className={fault || error ? 'text-xs text-loss' : 'text-xs text-muted'}>
				{fault ? words.faults[fault] : error || words.kinds}
			</p>
		</fieldset>
	);
}
