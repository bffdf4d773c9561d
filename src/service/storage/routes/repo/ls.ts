import { type Route } from '../../route';
import { refsLocal } from '../refs/local';

/** An alias of `refs/local`. */
export const repoLs: Route = { ...refsLocal, path: 'repo/ls' };
