import { type ReactElement, useState } from 'react';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import { useLogo } from '#web/store/look.ts';
import { keepWelcomeSeen } from '#web/store/welcome.ts';
import { SCREEN_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './welcome.css';

/** The brand's welcome, in the transparent variant of the modal. */
export function WelcomeModal({ setting }: { setting: DomainSetting }): ReactElement | null {
	const [open, setOpen] = useState(true);
	const logo = useLogo();
	const { welcome } = setting;
	function close(): void {
		keepWelcomeSeen(setting);
		setOpen(false);
	}
	if (!welcome) return null;
	return (
		<Modal open={open} bare title={welcome.title} closeLabel={TEXTS.app.close} onClose={close}>
			<div className="welcome">
				<img src={logo} alt="" className="h-8 w-auto" />
				<p aria-hidden="true" className="text-lg font-bold">
					{welcome.title}
				</p>
				<p className="text-muted">{welcome.text}</p>
				<Button variant="primary" onClick={close}>
					{SCREEN_TEXTS.welcome.start}
				</Button>
			</div>
		</Modal>
	);
}
