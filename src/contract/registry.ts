/** All calls by name; the types of the server's handlers and the site's client follow from this list. */
import * as account from '#contract/calls/account.ts';
import * as activity from '#contract/calls/activity.ts';
import * as apiAccess from '#contract/calls/api-access.ts';
import * as bet from '#contract/calls/bet.ts';
import * as bonus from '#contract/calls/bonus.ts';
import * as casino from '#contract/calls/casino.ts';
import * as coins from '#contract/calls/coins.ts';
import * as contact from '#contract/calls/contact.ts';
import * as crash from '#contract/calls/crash.ts';
import * as depositWithdrawal from '#contract/calls/deposit-withdrawal.ts';
import * as event from '#contract/calls/event.ts';
import * as factors from '#contract/calls/factors.ts';
import * as fairness from '#contract/calls/fairness.ts';
import * as gameProvider from '#contract/calls/game-provider.ts';
import * as identity from '#contract/calls/identity.ts';
import * as image from '#contract/calls/image.ts';
import * as market from '#contract/calls/market.ts';
import * as odds from '#contract/calls/odds.ts';
import * as payment from '#contract/calls/payment.ts';
import * as profitLoss from '#contract/calls/profit-loss.ts';
import * as protection from '#contract/calls/protection.ts';
import * as push from '#contract/calls/push.ts';
import * as referral from '#contract/calls/referral.ts';
import * as score from '#contract/calls/score.ts';
import * as setting from '#contract/calls/setting.ts';
import * as support from '#contract/calls/support.ts';
import * as tables from '#contract/calls/tables.ts';
import * as terms from '#contract/calls/terms.ts';
import * as token from '#contract/calls/token.ts';
import * as transaction from '#contract/calls/transaction.ts';
import * as trigger from '#contract/calls/trigger.ts';
import * as userStake from '#contract/calls/user-stake.ts';
import * as walletProof from '#contract/calls/wallet-proof.ts';

export const CALLS = {
	getTerms: terms.getTerms,
	acceptTerms: terms.acceptTerms,
	authenticate: account.authenticate,
	getPush: push.getPush,
	subscribePush: push.subscribePush,
	unsubscribePush: push.unsubscribePush,
	setPushChoices: push.setPushChoices,
	getFactors: factors.getFactors,
	beginPasskeyLogin: factors.beginPasskeyLogin,
	authenticateWithPasskey: factors.authenticateWithPasskey,
	beginAddingPasskey: factors.beginAddingPasskey,
	addPasskey: factors.addPasskey,
	renamePasskey: factors.renamePasskey,
	removePasskey: factors.removePasskey,
	beginAuthenticator: factors.beginAuthenticator,
	addAuthenticator: factors.addAuthenticator,
	removeAuthenticator: factors.removeAuthenticator,
	confirmPassword: account.confirmPassword,
	sendUnlockCode: account.sendUnlockCode,
	unlockAccount: account.unlockAccount,
	getContact: contact.getContact,
	setMailAddress: contact.setMailAddress,
	proveMailAddress: contact.proveMailAddress,
	removeMailAddress: contact.removeMailAddress,
	setMailNotices: contact.setMailNotices,
	sendResetCode: contact.sendResetCode,
	resetPassword: contact.resetPassword,
	loginAsDemoUser: account.loginAsDemoUser,
	refreshToken: account.refreshToken,
	logout: account.logout,
	logoutElsewhere: account.logoutElsewhere,
	getUserInfo: account.getUserInfo,
	register: account.register,
	verificationUser: account.verificationUser,
	resendVerificationCode: account.resendVerificationCode,
	getAccessTokenValidateTime: account.getAccessTokenValidateTime,
	getUserLoginAttempts: account.getUserLoginAttempts,
	changePassword: account.changePassword,
	getActivity: activity.getActivity,
	getConfirmedActivity: activity.getConfirmedActivity,
	getApiAccess: apiAccess.getApiAccess,
	createApiKey: apiAccess.createApiKey,
	revokeApiKey: apiAccess.revokeApiKey,
	createAuthorizationCode: account.createAuthorizationCode,
	exchangeToken: token.exchangeToken,
	getSettingExpiry: setting.getSettingExpiry,
	getSetting: setting.getSetting,
	setLanguage: account.setLanguage,
	setPreferences: account.setPreferences,
	addUserStake: userStake.addUserStake,
	treeSportWithEvent: event.treeSportWithEvent,
	getBySportName: event.getBySportName,
	closest: event.closest,
	getSportsFeed: event.getSportsFeed,
	getMarketsByEventId: market.getMarketsByEventId,
	getUserOddsV2: odds.getUserOddsV2,
	getUserOdds: odds.getUserOdds,
	getPriceHistory: odds.getPriceHistory,
	getLadder: odds.getLadder,
	getUserLimits: odds.getUserLimits,
	placeBetV2: bet.placeBetV2,
	placeOnClose: bet.placeOnClose,
	replaceBet: bet.replaceBet,
	cancelBet: bet.cancelBet,
	cancelAll: bet.cancelAll,
	getSelfMatch: bet.getSelfMatch,
	setSelfMatch: bet.setSelfMatch,
	getOrderGroups: bet.getOrderGroups,
	setOrderGroup: bet.setOrderGroup,
	placeTrigger: trigger.placeTrigger,
	placePlan: trigger.placePlan,
	cancelTrigger: trigger.cancelTrigger,
	getTriggers: trigger.getTriggers,
	cashOutQuote: bet.cashOutQuote,
	cashOut: bet.cashOut,
	getCashOutTarget: bet.getCashOutTarget,
	setCashOutTarget: bet.setCashOutTarget,
	getUserOpenBets: bet.getUserOpenBets,
	getUserExpectedProfitLoss: bet.getUserExpectedProfitLoss,
	getUserBetHistory: bet.getUserBetHistory,
	getUserProfitLoss: profitLoss.getUserProfitLoss,
	getTransactionHistory: transaction.getTransactionHistory,
	getTransactionDetail: transaction.getTransactionDetail,
	getMoneySummary: transaction.getMoneySummary,
	getWalletProof: walletProof.getWalletProof,
	getCasinoGames: casino.getCasinoGames,
	playRound: casino.playRound,
	actInRound: casino.actInRound,
	getGameMarks: casino.getGameMarks,
	markGame: casino.markGame,
	getOpenRounds: casino.getOpenRounds,
	getRounds: casino.getRounds,
	getRound: casino.getRound,
	getSeeds: casino.getSeeds,
	rotateSeeds: casino.rotateSeeds,
	casinoLogin: gameProvider.casinoLogin,
	casinoToken: gameProvider.casinoToken,
	getGameUrl: gameProvider.getGameUrl,
	getFairness: fairness.getFairness,
	getCrash: crash.getCrash,
	placeCrashBet: crash.placeCrashBet,
	cancelCrashBet: crash.cancelCrashBet,
	cashOutCrash: crash.cashOutCrash,
	getCrashRound: crash.getCrashRound,
	getTable: tables.getTable,
	placeTableBet: tables.placeTableBet,
	cancelTableBet: tables.cancelTableBet,
	getTableRound: tables.getTableRound,
	getDailyCoins: coins.getDailyCoins,
	claimDailyCoins: coins.claimDailyCoins,
	getPaymentInfo: payment.getPaymentInfo,
	generatePayment: payment.generatePayment,
	checkPayment: payment.checkPayment,
	createRequestForDepositWithdrawal: depositWithdrawal.createRequestForDepositWithdrawal,
	createDeposit: depositWithdrawal.createDeposit,
	createWithdrawal: depositWithdrawal.createWithdrawal,
	cancelWithdrawal: depositWithdrawal.cancelWithdrawal,
	playerRequests: depositWithdrawal.playerRequests,
	getDepositWithdrawals: depositWithdrawal.getDepositWithdrawals,
	getUserWithdrawalHistory: depositWithdrawal.getUserWithdrawalHistory,
	storeImage: image.storeImage,
	getImage: image.getImage,
	readReceipt: image.readReceipt,
	getIdentity: identity.getIdentity,
	submitDocument: identity.submitDocument,
	getProtection: protection.getProtection,
	setLimits: protection.setLimits,
	confirmLimit: protection.confirmLimit,
	takeTimeOut: protection.takeTimeOut,
	excludeSelf: protection.excludeSelf,
	closeAccount: protection.closeAccount,
	sendMobileCode: protection.sendMobileCode,
	proveMobile: protection.proveMobile,
	getHeldMoney: protection.getHeldMoney,
	exportData: protection.exportData,
	getBonuses: bonus.getBonuses,
	claimBonus: bonus.claimBonus,
	getReferrerCode: referral.getReferrerCode,
	getReferralDetails: referral.getReferralDetails,
	claimReferral: referral.claimReferral,
	getInbox: support.getInbox,
	getTicket: support.getTicket,
	readTicket: support.readTicket,
	openTicket: support.openTicket,
	writeTicket: support.writeTicket,
	getScoreCard: score.getScoreCard,
	getVideoLink: score.getVideoLink,
	getTvStream: score.getTvStream,
	getScoreSession: score.getScoreSession,
} as const;

export type Calls = typeof CALLS;
export type CallName = keyof Calls;
