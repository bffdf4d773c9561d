/** What people open far from their own wallet. One part, because several small ones compress worse. */
export { Lost } from './lost';
export { Practice, PractisedView } from './practice';
export { Recover } from './recover';
