/** React's renderer, in a file with React and separate from the site's (vite.config.ts): it takes a task of its own. */
export { createRoot } from 'react-dom/client';
