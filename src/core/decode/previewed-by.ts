import { type PreviewedBy } from './explanation';
import { type ChainConfiguration } from '../schemas/chain-configuration';

/** @returns How screens name the node of a network: the host alone, since the rest of the URL may be a key. */
export const previewedBy = ({ rpcUrl, nodeFrom }: Pick<ChainConfiguration, 'rpcUrl' | 'nodeFrom'>): PreviewedBy => ({
  name: new URL(rpcUrl).host,
  ...(nodeFrom !== undefined && { addedBy: nodeFrom }),
});
