import { type Route } from '../../route';
import { refsLocal } from '../refs/local';

/** The other name of `refs/local`. */
export const repoLs: Route = { ...refsLocal, path: 'repo/ls' };
