import { type NodeClient } from '../clients/node';

/** What a preview needs of a node: any request, its chain id, and a URL that tells it from other nodes. */
export type PreviewNode = Pick<NodeClient, 'ask' | 'chainId' | 'url'>;
