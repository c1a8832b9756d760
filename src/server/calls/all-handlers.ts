/** A call without a handler is a type error here. */
import type { CallName } from '#contract/registry.ts';
import { accountHandlers } from '#server/calls/account.ts';
import { activityHandlers } from '#server/calls/activity.ts';
import { apiAccessHandlers } from '#server/calls/api-access.ts';
import { betHandlers } from '#server/calls/bet.ts';
import { bonusHandlers } from '#server/calls/bonus.ts';
import { casinoHandlers } from '#server/calls/casino.ts';
import { coinsHandlers } from '#server/calls/coins.ts';
import { crashHandlers } from '#server/calls/crash.ts';
import { depositWithdrawalHandlers } from '#server/calls/deposit-withdrawal.ts';
import { fairnessHandlers } from '#server/calls/fairness.ts';
import { gameProviderHandlers } from '#server/calls/game-provider.ts';
import type { HandlersOf, Parts } from '#server/calls/handler.ts';
import { identityHandlers } from '#server/calls/identity.ts';
import { imageHandlers } from '#server/calls/image.ts';
import { oddsHandlers } from '#server/calls/odds.ts';
import { orderGroupHandlers } from '#server/calls/order-group.ts';
import { passwordHandlers } from '#server/calls/password.ts';
import { paymentHandlers } from '#server/calls/payment.ts';
import { profitLossHandlers } from '#server/calls/profit-loss.ts';
import { protectionHandlers } from '#server/calls/protection.ts';
import { referralHandlers } from '#server/calls/referral.ts';
import { shownHandlers } from '#server/calls/shown-handlers.ts';
import { supportHandlers } from '#server/calls/support.ts';
import { tableHandlers } from '#server/calls/tables.ts';
import { termsHandlers } from '#server/calls/terms.ts';
import { tokenHandlers } from '#server/calls/token.ts';
import { transactionHandlers } from '#server/calls/transaction.ts';
import { triggerHandlers } from '#server/calls/trigger.ts';
import { userStakeHandlers } from '#server/calls/user-stake.ts';
import { walletProofHandlers } from '#server/calls/wallet-proof.ts';

export const allHandlers = (parts: Parts): HandlersOf<CallName> => ({
	...accountHandlers(parts),
	...passwordHandlers(parts),
	...activityHandlers(parts),
	...apiAccessHandlers(parts),
	...termsHandlers(parts),
	...tokenHandlers(parts),
	...userStakeHandlers(parts),
	...shownHandlers(parts),
	...oddsHandlers(parts),
	...betHandlers(parts),
	...triggerHandlers(parts),
	...orderGroupHandlers(parts),
	...casinoHandlers(parts),
	...crashHandlers(parts),
	...fairnessHandlers(parts),
	...gameProviderHandlers(parts),
	...tableHandlers(parts),
	...profitLossHandlers(parts),
	...transactionHandlers(parts),
	...walletProofHandlers(parts),
	...coinsHandlers(parts),
	...paymentHandlers(parts),
	...depositWithdrawalHandlers(parts),
	...imageHandlers(parts),
	...identityHandlers(parts),
	...protectionHandlers(parts),
	...bonusHandlers(parts),
	...referralHandlers(parts),
	...supportHandlers(parts),
});
