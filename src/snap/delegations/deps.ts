import { type ChainDeps } from '../networks/deps';
import { type DelegateRepository } from './repository';

/** The dependencies of the methods that configure delegates. */
export type DelegateDeps = ChainDeps & { readonly delegates: DelegateRepository };
