/** The words of notifications. They name no amount: a locked screen shows them to anyone. */
import type { PushKind } from '#contract/calls/push.ts';
import type { Language } from '#values/languages.ts';

export const PUSH_WORDS: Readonly<Record<Language, Readonly<Record<PushKind, string>>>> = {
	en: {
		MATCHED: 'Your bet is matched',
		SETTLED: 'A market of yours is settled',
		WITHDRAWAL_PAID: 'Your withdrawal is paid',
		CASH_OUT: 'Your cash-out target is reached',
		GOAL: 'Goal!',
	},
	hi: {
		MATCHED: 'आपकी बेट मैच हो गई',
		SETTLED: 'आपका एक मार्केट सेटल हो गया',
		WITHDRAWAL_PAID: 'आपकी निकासी का भुगतान हो गया',
		CASH_OUT: 'आपका कैश-आउट लक्ष्य पूरा हुआ',
		GOAL: 'गोल!',
	},
	bn: {
		MATCHED: 'আপনার বাজি ম্যাচ হয়েছে',
		SETTLED: 'আপনার একটি মার্কেট সেটল হয়েছে',
		WITHDRAWAL_PAID: 'আপনার উত্তোলনের টাকা দেওয়া হয়েছে',
		CASH_OUT: 'আপনার ক্যাশ আউটের লক্ষ্যে পৌঁছেছে',
		GOAL: 'গোল!',
	},
};
