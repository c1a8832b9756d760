/** /proof: the player's browser checks that the wallet is among what the house owes, and keeps the proof. */
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { CheckedWallet, Liabilities, WalletOwner } from '#public-log/wallet-proof.ts';
import { Button } from '#ui/button.tsx';
import { FormScreen } from '#ui/form-screen.tsx';
import { ProofMark } from '#ui/proof-mark.tsx';
import { saveText } from '#ui/save-text.ts';
import { minorOf } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { readLogFile } from '#web/api/public-log-file.ts';
import type { SavedProof } from '#web/features/proof/check-wallet.ts';
import { formatCalendarDay, formatMoney } from '#web/format.ts';
import { useSession } from '#web/store/session.ts';
import { PROOF_TEXTS } from '#web/texts/more.ts';

const words = PROOF_TEXTS;

type Progress = 'checking' | { checked: CheckedWallet; saved: SavedProof } | { failure: string } | null;

/** What the player knows without the answer: the address of the page, and the own name and number. */
function useOwner(): WalletOwner | null {
	const user = useSession((state) => state.user);
	if (!user) return null;
	const { pool, userId, userName, isDemo } = user;
	return { brand: globalThis.location.hostname, pool, player: Number(userId), name: isDemo ? null : userName };
}

const moneyText = (amount: number): string => formatMoney(minorOf(amount));

function Sums({ title, of: { cash, held, bonus } }: { title: string; of: CheckedWallet['money'] }): ReactElement {
	return (
		<section aria-label={title}>
			<h2 className="font-semibold">{title}</h2>
			<dl className="grid grid-cols-3 gap-2 py-2">
				{(
					[
						['cash', cash],
						['held', held],
						['bonus', bonus],
					] as const
				).map(([name, amount]) => (
					<div key={name}>
						<dt className="text-xs text-muted">{words[name]}</dt>
						<dd data-number>{moneyText(amount)}</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

function Totals({ tree }: { tree: Liabilities }): ReactElement {
	return (
		<>
			<Sums title={words.total} of={tree} />
			{tree.shortfall > 0 && <p>{words.shortfall(moneyText(tree.shortfall))}</p>}
			{tree.pots > 0 && <p>{words.pots(moneyText(tree.pots))}</p>}
		</>
	);
}

function Checked({ checked, saved }: { checked: CheckedWallet; saved: SavedProof }): ReactElement {
	const { tree, money, isOwn, isUnderRoot, isLogged } = checked;
	const { isOwn: own, isUnderRoot: underRoot, isLogged: logged } = words.checks;
	const isRight = isOwn && isUnderRoot && isLogged;
	const player = saved.name === null ? `${saved.player}` : `${saved.name} (${saved.player})`;
	return (
		<>
			<div aria-live="polite">
				<ProofMark isRight={isOwn} text={isOwn ? own.right(saved.proof.leaves.length) : own.wrong} />
				<ProofMark isRight={isUnderRoot} text={isUnderRoot ? underRoot.right : underRoot.wrong} />
				<ProofMark isRight={isLogged} text={isLogged ? logged.right : logged.wrong} />
				{!isRight && <p role="alert">{words.wrong}</p>}
			</div>
			<Sums title={words.of(player, saved.brand)} of={money} />
			{tree && <p>{words.asOf(formatCalendarDay(tree.day), poolName(tree.pool))}</p>}
			<p>{words.compare}</p>
			<p>
				<Link to="/account-cash-statement" className="flex min-h-11 items-center underline">
					{words.statement}
				</Link>
			</p>
			{tree && <Totals tree={tree} />}
			<p>
				<Button variant="outline" onClick={() => saveText(words.file(tree?.day ?? ''), JSON.stringify(saved))}>
					{words.save}
				</Button>
			</p>
			<p className="text-muted">{words.key}</p>
			<code className="break-all">{saved.key}</code>
		</>
	);
}

const poolName = (pool: string): string => (words.pools as Readonly<Record<string, string>>)[pool] ?? pool;

function Claims(): ReactElement {
	return (
		<>
			{([words.proven, words.believed, words.revealed] as const).map(({ title, rows }) => (
				<section key={title} className="surface-card" aria-label={title}>
					<h2 className="font-semibold">{title}</h2>
					<ul className="list-disc pl-5">
						{rows.map((row) => (
							<li key={row}>{row}</li>
						))}
					</ul>
				</section>
			))}
		</>
	);
}

export function ProofScreen(): ReactElement {
	const owner = useOwner();
	const [progress, setProgress] = useState<Progress>(null);
	const check = async () => {
		if (!owner) return;
		setProgress('checking');
		try {
			// With the curve of the signatures, which is larger than the rest of the screen.
			const [{ checkWallet }, answer] = await Promise.all([
				import('#web/features/proof/check-wallet.ts'),
				call('getWalletProof', {}),
			]);
			setProgress(await checkWallet(answer, owner, readLogFile));
		} catch (error) {
			setProgress({ failure: messageOf(error) });
		}
	};
	const isBusy = progress === 'checking';
	return (
		<FormScreen title={words.title} intro={words.lead}>
			<section className="surface-card" aria-label={words.check}>
				<Button variant="primary" busy={isBusy} onClick={() => void check()}>
					{isBusy ? words.checking : words.check}
				</Button>
				{progress !== null && typeof progress === 'object' && 'failure' in progress && (
					<p role="alert">{words.failed(progress.failure)}</p>
				)}
				{progress !== null && typeof progress === 'object' && 'checked' in progress && <Checked {...progress} />}
			</section>
			<Claims />
		</FormScreen>
	);
}
