import { type ReactElement, useEffect, useRef, useState } from 'react';
import { submitDocument } from '#contract/calls/identity.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { rule } from '#ui/form-check.ts';
import { DOCUMENT_KINDS, type DocumentKind, MOST_DOCUMENT_PICTURES } from '#values/identity-documents.ts';
import { call } from '#web/api/client.ts';
import { type Picture, PictureField } from '#web/features/cashier/receipt/picture-field.tsx';
import { base64Of } from '#web/features/cashier/receipt/picture-file.ts';
import type { Identity } from '#web/store/funds-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';
import { failureText, useSentOnce } from '#web/store/use-sent-once.ts';
import { IDENTITY_TEXTS } from '#web/texts/more.ts';
import '#web/features/cashier/receipt/receipt.css';

const words = IDENTITY_TEXTS;
const checkNumber = rule(submitDocument.request.entries.number);

interface Sent {
	kind: DocumentKind;
	number: string;
	pictures: readonly Picture[];
}

/** Stores each picture once, even if the form is sent repeatedly, and sends the document. */
function useSending(onSent: (identity: Identity) => void) {
	const stored = useRef(new WeakMap<File, string>());
	return useSentOnce(
		async ({ kind, number, pictures }: Sent, clientRequestId) => {
			const step = stepsOfLogin();
			const refOf = async ({ file }: Picture): Promise<string> => {
				const known = stored.current.get(file);
				if (known !== undefined) return known;
				const image = await base64Of(file);
				const { imageRef } = await step(() => call('storeImage', { image }));
				stored.current.set(file, imageRef);
				return imageRef;
			};
			const imageRefs: string[] = [];
			// One at a time: all together would be too large for a request on a slow phone.
			for (const picture of pictures) imageRefs.push(await refOf(picture));
			return await step(() => call('submitDocument', { kind, number, imageRefs, clientRequestId }));
		},
		(identity) => {
			showNotice(words.sent, 'success');
			onSent(identity);
		},
	);
}

/** The pictures that are added, each with its preview, and the field for the next one. */
function Pictures({
	pictures,
	error,
	onPictures,
}: {
	pictures: readonly Picture[];
	error: string;
	onPictures: (pictures: readonly Picture[]) => void;
}): ReactElement {
	const shown = useRef(pictures);
	useEffect(() => {
		shown.current = pictures;
	}, [pictures]);
	useEffect(
		() => () => {
			for (const { url } of shown.current) URL.revokeObjectURL(url);
		},
		[],
	);
	return (
		<>
			{pictures.map((picture, at) => (
				<div key={picture.url} className="receipt-preview">
					<img src={picture.url} alt={words.picture(at + 1)} />
					<Button
						size="small"
						variant="outline"
						onClick={() => {
							URL.revokeObjectURL(picture.url);
							onPictures(pictures.filter((other) => other !== picture));
						}}
					>
						{words.remove(at + 1)}
					</Button>
				</div>
			))}
			{pictures.length < MOST_DOCUMENT_PICTURES && (
				<PictureField
					legend={words.pictures}
					picture={null}
					error={error}
					onPicture={(picture) => picture && onPictures([...pictures, picture])}
				/>
			)}
		</>
	);
}

/** A document with its kind, its number and pictures of it. */
export function DocumentForm({ onSent }: { onSent: (identity: Identity) => void }): ReactElement {
	const [kind, setKind] = useState<DocumentKind>('PASSPORT');
	const [number, setNumber] = useState('');
	const [pictures, setPictures] = useState<readonly Picture[]>([]);
	const [errors, setErrors] = useState({ number: '', pictures: '' });
	const sending = useSending(onSent);
	function send(): void {
		const wrong = checkNumber(number);
		const found = { number: wrong === true ? '' : wrong, pictures: pictures.length > 0 ? '' : words.noPicture };
		setErrors(found);
		if (found.number === '' && found.pictures === '' && !sending.isPending) sending.mutate({ kind, number, pictures });
	}
	return (
		<form
			noValidate
			className="surface-card"
			onSubmit={(event) => {
				event.preventDefault();
				send();
			}}
		>
			<FilterSelect
				label={words.kind}
				value={kind}
				options={DOCUMENT_KINDS.map((value) => ({ value, text: words.kinds[value] }))}
				onChange={setKind}
			/>
			<Field
				label={words.number}
				hint={words.numberHint}
				value={number}
				autoComplete="off"
				autoCapitalize="characters"
				spellCheck={false}
				error={errors.number}
				onChange={({ target }) => {
					setNumber(target.value);
					setErrors({ ...errors, number: '' });
				}}
			/>
			<Pictures
				pictures={pictures}
				error={errors.pictures}
				onPictures={(next) => {
					setPictures(next);
					setErrors({ ...errors, pictures: '' });
				}}
			/>
			{sending.error && (
				<p role="alert" className="text-loss">
					{failureText(sending.error)}
				</p>
			)}
			<Button type="submit" variant="primary" busy={sending.isPending}>
				{words.send}
			</Button>
		</form>
	);
}
