/** Workflows in a state that waits for a person, in SQL. */
export const WAITING = `(kind = 'PAYMENT' and state = 'REVIEW' or kind = 'DEPOSIT' or kind = 'FINDING'
	or kind = 'WITHDRAWAL' and state in ('REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'UNKNOWN')
	or kind = 'ADJUSTMENT' and state = 'REQUESTED' or kind = 'DISPUTE' and state = 'OPEN')`;
