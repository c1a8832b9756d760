import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { showNotice } from '#web/store/notices.ts';
import { SECURITY_TEXTS } from '#web/texts/more.ts';

const words = SECURITY_TEXTS.elsewhere;

/** Ends the player's log-ins on all other devices. */
export function LogIns(): ReactElement {
	const [isBusy, setBusy] = useState(false);
	async function end(): Promise<void> {
		setBusy(true);
		try {
			showNotice(words.ended((await call('logoutElsewhere', {})).ended), 'success');
		} catch (failure) {
			showNotice(messageOf(failure), 'error');
		} finally {
			setBusy(false);
		}
	}
	return (
		<section className="surface-card factor-card" aria-label={words.title}>
			<h2 className="font-semibold">{words.title}</h2>
			<p className="text-muted">{words.hint}</p>
			<Button variant="outline" busy={isBusy} onClick={() => void end()}>
				{words.end}
			</Button>
		</section>
	);
}
