/** The page of the console to which the company's log-in sends the browser back: it is registered there. */
export const SIGN_ON_PATH = '/sign-on';
