/** Checks a receipt of an answer in the browser: the house's signed word for a bet, a round or a payment. */
import { type ReactElement, useState } from 'react';
import { checkReceipt, readReceipt, type Statement } from '#public-log/receipt.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { Button } from '#ui/button.tsx';
import { Field, LongField } from '#ui/field.tsx';
import { ProofMark } from '#ui/proof-mark.tsx';
import { serverAddress } from '#web/api/server-address.ts';
import { formatMoment } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.receipts;

type Checked = { statement: Statement; isOfResult: boolean } | { failure: string };

interface Inputs {
	receipt: string;
	/** The answer's result as JSON; empty leaves it unchecked. */
	result: string;
	/** Empty asks the house for it. */
	key: string;
}

async function publishedKey(): Promise<string> {
	const response = await fetch(`${serverAddress()}/public-log/receipts-key`);
	if (!response.ok) throw new Error(`receipts-key: ${response.status}`);
	return (await response.text()).trim();
}

function checked({ receipt, result, key }: Inputs): Checked {
	try {
		const json = result.trim() === '' ? null : JSON.stringify(JSON.parse(result));
		const { statement } = checkReceipt(readReceipt(receipt.trim()), parseVerifierKey(key), json);
		return { statement, isOfResult: json !== null };
	} catch (error) {
		return { failure: (error as Error).message };
	}
}

export function ReceiptProof(): ReactElement {
	const [inputs, setInputs] = useState<Inputs>({ receipt: '', result: '', key: '' });
	const [found, setFound] = useState<Checked | null>(null);
	const set = (part: Partial<Inputs>) => setInputs({ ...inputs, ...part });
	const check = async () => {
		try {
			const key = inputs.key.trim() || (await publishedKey());
			setInputs({ ...inputs, key });
			setFound(checked({ ...inputs, key }));
		} catch (error) {
			setFound({ failure: (error as Error).message });
		}
	};
	return (
		<details className="claims">
			<summary>{words.title}</summary>
			<p>{words.lead}</p>
			<form
				className="verify-form"
				onSubmit={(event) => {
					event.preventDefault();
					void check();
				}}
			>
				<LongField
					label={words.receipt}
					value={inputs.receipt}
					required
					onChange={({ target }) => set({ receipt: target.value })}
				/>
				<LongField
					label={words.result}
					value={inputs.result}
					onChange={({ target }) => set({ result: target.value })}
				/>
				<Field
					label={words.key}
					value={inputs.key}
					hint={words.keyHint}
					autoComplete="off"
					onChange={({ target }) => set({ key: target.value })}
				/>
				<Button type="submit" variant="primary">
					{words.check}
				</Button>
			</form>
			<div aria-live="polite">
				{found && 'failure' in found && <ProofMark isRight={false} text={words.wrong(found.failure)} />}
				{found && 'statement' in found && (
					<>
						<ProofMark isRight text={found.isOfResult ? words.rightWithResult : words.right} />
						<p>
							{words.says(
								found.statement.call,
								found.statement.clientRequestId,
								formatMoment(new Date(found.statement.at).toISOString()),
								found.statement.batch,
							)}
						</p>
					</>
				)}
			</div>
		</details>
	);
}
