// What the simulation takes from Node where a browser has none.
export { Buffer } from 'buffer/';
export { default as process } from 'process/browser.js';
