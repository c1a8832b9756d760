/** SQL: workflows in a state that needs an operator. Of the demo pool, only operators' own requests. */
export const WAITING = `(workflow.pool not like 'DEMO%' or kind = 'ADJUSTMENT') and (kind = 'PAYMENT' and state = 'REVIEW' or kind = 'DEPOSIT' or kind = 'FINDING'
	or kind = 'WITHDRAWAL' and state in ('REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'UNKNOWN')
	or kind = 'ADJUSTMENT' and state = 'REQUESTED' or kind = 'DISPUTE' and state = 'OPEN')`;
