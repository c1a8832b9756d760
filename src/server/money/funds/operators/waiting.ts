/** SQL: workflows in a state that waits for a person. None of the demo pool does. */
export const WAITING = `workflow.pool <> 'DEMO' and (kind = 'PAYMENT' and state = 'REVIEW' or kind = 'DEPOSIT' or kind = 'FINDING'
	or kind = 'WITHDRAWAL' and state in ('REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'UNKNOWN')
	or kind = 'ADJUSTMENT' and state = 'REQUESTED' or kind = 'DISPUTE' and state = 'OPEN')`;
