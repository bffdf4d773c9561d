import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type ChainDeps } from './deps';

/**
 * `keystead_getChains`: the configured networks. It changes nothing, so it needs no consent. URLs may contain API keys,
 * so only origins that may change the configuration may read it.
 */
export const getChains = (_params: unknown, { chains }: ChainDeps): Promise<ChainConfiguration[]> => chains.list();
