import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { DemoCoins } from '#ui/demo-coins.tsx';
import { FormScreen } from '#ui/form-screen.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Pager } from '#ui/pager.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { SHORTEST_WAGERED } from '#values/wagering.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { formatDateTime, formatMoney, formatPrice } from '#web/format.ts';
import { useBrand } from '#web/store/brand.ts';
import { showNotice } from '#web/store/notices.ts';
import { type Referral, referralsQuery, referrerCodeQuery } from '#web/store/reward-queries.ts';
import { useSession } from '#web/store/session.ts';
import { RECORD_WORDS, REWARD_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './rewards.css';

const words = REWARD_TEXTS.referral;
const PAGE = 25;

/** The server's link names the brand's host; the page knows under which port and protocol it is reached. */
const ownLink = (link: string): string => `${globalThis.location.origin}/${new URL(link).search}`;

function Invitation({ info }: { info: AnswerOf<'getReferrerCode'> }): ReactElement {
	const { code, reward, minDeposit, minWagered, maturityHours, cap } = info;
	const isDemo = useSession(({ user }) => user?.isDemo ?? false);
	const site = useBrand(({ setting }) => setting?.domainTitle ?? '');
	const field = useRef<HTMLInputElement>(null);
	const link = ownLink(info.link);
	async function copy(): Promise<void> {
		try {
			await navigator.clipboard.writeText(link);
			showNotice(words.copied, 'success');
		} catch {
			field.current?.select();
			showNotice(words.notCopied, 'error');
		}
	}
	/** A player who closes the sheet of apps has changed their mind, which is no error. */
	const share = () =>
		void navigator.share({ title: site, text: words.shareText(site), url: link }).catch(() => undefined);
	if (reward === 0) return <ScreenState icon="user" title={words.closed} />;
	return (
		<section className="surface-card" aria-labelledby="reward">
			<h2 id="reward" className="reward-sum">
				{words.reward(formatMoney(reward))}
			</h2>
			<p className="text-muted">{words.how(formatMoney(minDeposit), formatMoney(minWagered))}</p>
			<p className="text-muted">
				{words.deposits(maturityHours)} {words.counts(formatPrice(SHORTEST_WAGERED))} {words.most(cap)}
			</p>
			{isDemo && <DemoCoins title={REWARD_TEXTS.demoCoins}>{words.demo}</DemoCoins>}
			<label className="referral-link">
				<span>{words.link}</span>
				<input ref={field} readOnly value={link} onFocus={({ target }) => target.select()} />
			</label>
			<p>
				{words.code}: <strong translate="no">{code}</strong>
			</p>
			<div className="reward-acts">
				<Button variant="primary" onClick={() => void copy()}>
					{words.copy}
				</Button>
				{'share' in navigator && (
					<Button variant="outline" onClick={share}>
						{words.share}
					</Button>
				)}
			</div>
		</section>
	);
}

function ClaimButton({ referral }: { referral: Referral }): ReactElement {
	const queries = useQueryClient();
	const claiming = useMutation({
		mutationFn: () => call('claimReferral', { userReferDetailId: referral.id }),
		onSuccess: ({ reward }) => showNotice(words.claimed(formatMoney(reward)), 'success'),
		onSettled: () => queries.invalidateQueries({ queryKey: ['player', 'funds'] }),
	});
	return (
		<>
			<Button
				size="small"
				variant="primary"
				aria-label={words.claimOf(referral.friend)}
				busy={claiming.isPending}
				onClick={() => claiming.mutate()}
			>
				{words.claim}
			</Button>
			{claiming.error && (
				<p role="alert" className="text-loss">
					{messageOf(claiming.error)}
				</p>
			)}
		</>
	);
}

function Friends({ items }: { items: readonly Referral[] }): ReactElement {
	const { columns } = words;
	return (
		<table className="rows">
			<ColumnHeads columns={columns} numbers={['reward']} />
			<tbody>
				{items.map((referral) => (
					<tr key={referral.id}>
						<td data-label={columns.friend}>
							<bdi>{referral.friend}</bdi>
						</td>
						<td data-label={columns.joined}>{formatDateTime(referral.joinedAt)}</td>
						<td data-label={columns.state}>
							<span className="reward-state" data-state={referral.status}>
								{words.states[referral.status]}
							</span>
							{referral.note && <span className="block text-xs text-muted">{referral.note}</span>}
						</td>
						<td data-number data-label={columns.reward}>
							<b>{formatMoney(referral.reward)}</b> {referral.canClaim && <ClaimButton referral={referral} />}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

function FriendsPart(): ReactElement {
	const [skip, setSkip] = useState(0);
	const asked = useQuery(referralsQuery(skip, PAGE));
	return (
		<section aria-label={words.friends}>
			<h2 className="section-title">{words.friends}</h2>
			<Loaded
				asked={asked}
				words={TEXTS.app}
				waiting={<Skeleton className="h-40 w-full" />}
				empty={
					<ScreenState icon="user" title={words.none}>
						{words.noneHint}
					</ScreenState>
				}
				isEmpty={({ totalCount }) => totalCount === 0}
			>
				{({ items }) => <Friends items={items} />}
			</Loaded>
			<Pager skip={skip} size={PAGE} total={asked.data?.totalCount ?? 0} onSkip={setSkip} words={RECORD_WORDS} />
		</section>
	);
}

/** /referral: the player's link and code, and the friends who signed up with them. */
export function ReferralScreen(): ReactElement {
	return (
		<FormScreen title={words.title}>
			<Loaded
				asked={useQuery(referrerCodeQuery())}
				words={TEXTS.app}
				waiting={<Skeleton className="rewards-waiting" />}
				empty={null}
				isEmpty={() => false}
			>
				{(info) => <Invitation info={info} />}
			</Loaded>
			<FriendsPart />
		</FormScreen>
	);
}
