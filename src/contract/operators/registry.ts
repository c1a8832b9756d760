/**
 * The operators' calls by name, which is their path. The console and the command line have a door each; calls are
 * grouped by the doors that offer them.
 */
import * as audit from '#contract/operators/audit.ts';
import * as bonuses from '#contract/operators/bonuses.ts';
import * as books from '#contract/operators/books.ts';
import * as brands from '#contract/operators/brands.ts';
import * as cases from '#contract/operators/cases.ts';
import * as casino from '#contract/operators/casino.ts';
import * as documents from '#contract/operators/documents.ts';
import * as events from '#contract/operators/events.ts';
import * as floor from '#contract/operators/floor.ts';
import * as health from '#contract/operators/health.ts';
import * as limitRules from '#contract/operators/limit-rules.ts';
import * as marketBets from '#contract/operators/market-bets.ts';
import * as markets from '#contract/operators/markets.ts';
import * as messages from '#contract/operators/messages.ts';
import * as payments from '#contract/operators/payments.ts';
import * as persons from '#contract/operators/persons.ts';
import * as players from '#contract/operators/players.ts';
import * as postings from '#contract/operators/postings.ts';
import * as proposals from '#contract/operators/proposals.ts';
import * as references from '#contract/operators/references.ts';
import * as replay from '#contract/operators/replay.ts';
import * as reports from '#contract/operators/reports.ts';
import * as resultDesk from '#contract/operators/result-desk.ts';
import * as significant from '#contract/operators/significant-events.ts';
import * as staff from '#contract/operators/staff.ts';
import * as standby from '#contract/operators/standby.ts';
import * as support from '#contract/operators/support.ts';
import * as taxes from '#contract/operators/taxes.ts';
import * as today from '#contract/operators/today.ts';
import * as webhooks from '#contract/operators/webhooks.ts';

/**
 * Only for members of staff: they show or decide a member's own matters, need two persons in any case, or show a
 * frame of the console. The command
 * line's key belongs to no member.
 */
const MEMBER_CALLS = {
	today: today.today,
	preview: proposals.preview,
	propose: proposals.propose,
	confirm: proposals.confirm,
	withdraw: proposals.withdraw,
	proposals: proposals.proposals,
	'case-decide': cases.caseDecide,
	'player-erase': players.playerErase,
	'brand-make-real': brands.brandMakeReal,
	'brand-preview': brands.brandPreview,
	'brand-profile': brands.brandProfile,
	'brand-terms': brands.brandTerms,
} as const;

/** For members of staff and for the command line's key. */
export const SHARED_CALLS = {
	events: markets.events,
	'event-markets': markets.eventMarkets,
	'market-risk': markets.marketRisk,
	'market-bets': marketBets.marketBets,
	'event-add': events.eventAdd,
	'event-show': events.eventShow,
	'event-edit': events.eventEdit,
	'event-open-market': events.eventOpenMarket,
	'event-start': events.eventStart,
	'event-score': events.eventScore,
	'event-end': events.eventEnd,
	'price-market': events.priceMarket,
	suspend: markets.suspend,
	panic: floor.panic,
	'resume-all': floor.resumeAll,
	presses: floor.presses,
	floor: floor.floor,
	'bets-taken': floor.betsTaken,
	'turn-in-play': markets.turnInPlay,
	resume: markets.resume,
	'change-terms': markets.changeTerms,
	'limit-rules': limitRules.limitRules,
	'limit-rule-set': limitRules.limitRuleSet,
	'open-fancy': markets.openFancy,
	'price-fancy': markets.priceFancy,
	'open-bookmaker': markets.openBookmaker,
	'price-bookmaker': markets.priceBookmaker,
	close: markets.close,
	'suspend-runner': markets.suspendRunner,
	'resume-runner': markets.resumeRunner,
	'remove-runner': markets.removeRunner,
	'return-runner': markets.returnRunner,
	'correct-reduction': markets.correctReduction,
	settle: markets.settle,
	resettle: markets.resettle,
	void: markets.voidMarket,
	reopen: markets.reopen,
	'void-bets': markets.voidBets,
	'close-finding': markets.closeFinding,
	'market-replay': replay.marketReplay,
	'market-export': replay.marketExport,
	'result-desk': resultDesk.resultDesk,
	'result-evidence': resultDesk.resultEvidence,
	'staff-list': staff.staffList,
	'staff-add': staff.staffAdd,
	'staff-remove': staff.staffRemove,
	'staff-roles': staff.staffRoles,
	'staff-role': staff.staffRole,
	'staff-factor-reset': staff.staffFactorReset,
	'staff-identity': staff.staffIdentity,
	'staff-player-link': staff.staffPlayerLink,
	'staff-player-unlink': staff.staffPlayerUnlink,
	'staff-sessions': staff.staffSessions,
	'staff-session-end': staff.staffSessionEnd,
	'reference-find': references.referenceFind,
	'player-search': players.playerSearch,
	player: players.player,
	'player-note': players.playerNote,
	'player-tag': players.playerTag,
	'player-logins': players.playerLogins,
	'player-logins-end': players.playerLoginsEnd,
	'player-unlock': players.playerUnlock,
	'player-factors-reset': players.playerFactorsReset,
	'player-limits': players.playerLimits,
	'player-sport': players.playerSport,
	'player-sport-limits': players.playerSportLimits,
	'player-freeze': players.playerFreeze,
	'player-close': players.playerClose,
	related: persons.related,
	'fact-refute': persons.factRefute,
	'bars-on-hints': persons.barsOnHints,
	'bar-on-hint-decide': persons.barOnHintDecide,
	'player-exclude': players.playerExclude,
	'ticket-queue': support.ticketQueue,
	'ticket-show': support.ticketShow,
	'ticket-answer': support.ticketAnswer,
	'ticket-assign': support.ticketAssign,
	'ticket-close': support.ticketClose,
	'ticket-reopen': support.ticketReopen,
	'ticket-open': support.ticketOpen,
	'case-queue': cases.caseQueue,
	'case-rules': cases.caseRules,
	'case-show': cases.caseShow,
	'case-assign': cases.caseAssign,
	'case-note': cases.caseNote,
	'case-export': cases.caseExport,
	'document-queue': documents.documentQueue,
	'document-show': documents.documentShow,
	'document-accept': documents.documentAccept,
	'document-reject': documents.documentReject,
	'payment-queue': payments.paymentQueue,
	'payment-show': payments.paymentShow,
	'payment-receipt': payments.paymentReceipt,
	'payment-preview': payments.paymentPreview,
	'payment-decide': payments.paymentDecide,
	'payment-claim': payments.paymentClaim,
	'payment-release': payments.paymentRelease,
	'payment-take-over': payments.paymentTakeOver,
	adjust: payments.adjust,
	'brand-list': brands.brandList,
	'brand-show': brands.brandShow,
	'real-money-readiness': brands.realMoneyReadiness,
	'brand-set': brands.brandSet,
	'brand-set-guarded': brands.brandSetGuarded,
	'brand-roll-back': brands.brandRollBack,
	'brand-picture': brands.brandPicture,
	'brand-picture-remove': brands.brandPictureRemove,
	'brand-change': brands.brandChange,
	'brand-change-guarded': brands.brandChangeGuarded,
	'brand-versions': brands.brandVersions,
	'brand-differences': brands.brandDifferences,
	'brand-schedule': brands.brandSchedule,
	'brand-schedule-guarded': brands.brandScheduleGuarded,
	'brand-schedule-withdraw': brands.brandScheduleWithdraw,
	'brand-schedules': brands.brandSchedules,
	'brand-add': brands.brandAdd,
	'message-list': messages.messageList,
	'message-retry': messages.messageRetry,
	'webhook-list': webhooks.webhookList,
	'webhook-add': webhooks.webhookAdd,
	'webhook-rotate': webhooks.webhookRotate,
	'webhook-pause': webhooks.webhookPause,
	'webhook-remove': webhooks.webhookRemove,
	'webhook-test': webhooks.webhookTest,
	'webhook-deliveries': webhooks.webhookDeliveries,
	'webhook-replay': webhooks.webhookReplay,
	'casino-games': casino.casinoGames,
	'casino-rounds': casino.casinoRounds,
	'casino-providers': casino.casinoProviders,
	'round-close': casino.roundClose,
	'game-rules': casino.gameRules,
	'game-rule-set': casino.gameRuleSet,
	'game-rule-set-for-all': casino.gameRuleSetForAll,
	campaigns: bonuses.campaigns,
	'campaign-dry-run': bonuses.campaignDryRun,
	'campaign-draw-up': bonuses.campaignDrawUp,
	'campaign-stop': bonuses.campaignStop,
	'report-profit': reports.reportProfit,
	'report-lifetime': reports.reportLifetime,
	'suspicious-matches': reports.suspiciousMatches,
	'trial-balance': reports.trialBalance,
	'day-books': reports.dayBooks,
	'report-taxes': taxes.reportTaxes,
	postings: postings.postings,
	journal: audit.journal,
	'significant-events': significant.significantEvents,
	doctor: health.doctor,
	'note-drill': health.noteDrill,
} as const;

/** Only for the command line's key: acts of one person that need two in the console, and acts on the machine. */
export const KEY_CALLS = {
	markets: markets.markets,
	'open-market': markets.openMarket,
	abandon: markets.abandon,
	stream: markets.stream,
	'create-player': players.createPlayer,
	'verify-identity': players.verifyIdentity,
	outbox: players.outbox,
	'add-money': payments.addMoney,
	'provider-settlement': books.providerSettlement,
	reconcile: books.reconcile,
	'reconcile-games': books.reconcileGames,
	'close-taxes': taxes.closeTaxes,
	'create-client': brands.createClient,
	'staff-password': staff.staffPassword,
	'standby-status': standby.standbyStatus,
	'hand-over': standby.handOver,
} as const;

export const CONSOLE_CALLS = { ...MEMBER_CALLS, ...SHARED_CALLS } as const;
export const OPERATOR_CALLS = { ...CONSOLE_CALLS, ...KEY_CALLS } as const;

export type OperatorCalls = typeof OPERATOR_CALLS;
export type OperatorCallName = keyof OperatorCalls;
export type ConsoleCallName = keyof typeof CONSOLE_CALLS;

/**
 * Calls that had another name in an earlier release. The journal is never rewritten, so a query by name also reads rows
 * with the former name.
 */
const FORMER_NAMES: Readonly<Record<string, OperatorCallName>> = {
	'domain-set': 'brand-set',
	'domain-add': 'brand-add',
	'funds-decide': 'payment-decide',
	adjustment: 'adjust',
	freeze: 'player-freeze',
	'suspend-event': 'panic',
};

/** A call's current and former names, as in the journal's rows. */
export const namesInJournal = (name: string): string[] => [
	name,
	...Object.keys(FORMER_NAMES).filter((former) => FORMER_NAMES[former] === name),
];
