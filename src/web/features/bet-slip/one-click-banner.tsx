import type { ReactElement } from 'react';
import { OneClickLine } from '#web/orders/one-click-line.tsx';
import { SLIP_WORDS } from '#web/texts/more.ts';

/** Beside the slip, and on lists whose prices bet at once, too. */
export const OneClickBanner = (): ReactElement => <OneClickLine said={SLIP_WORDS.oneClickOn} />;
