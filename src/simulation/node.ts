import { type NodeClient } from '../clients/node';

/** The part of a node that a preview needs: any request, its chain id, and a URL that tells it from other nodes. */
export type PreviewNode = Pick<NodeClient, 'ask' | 'chainId' | 'url'>;

/** Milliseconds that a screen waits for a node. */
export const TIME_LIMIT = 2_500;
