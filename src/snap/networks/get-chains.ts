import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type ChainDeps } from './deps';

/**
 * `keystead_getChains`: the chains that are set up. It changes nothing, so nobody is asked; URLs may hold
 * keys, so only those who may change them may read them.
 */
export const getChains = (_params: unknown, { chains }: ChainDeps): Promise<ChainConfiguration[]> => chains.list();
