// Node globals that the simulation uses and a browser lacks.
export { Buffer } from 'buffer/';
export { default as process } from 'process/browser.js';
