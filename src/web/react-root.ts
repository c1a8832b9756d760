/** React's renderer, run with React's own file and not with the site's (vite.config.ts): it alone is a task of its own. */
export { createRoot } from 'react-dom/client';
