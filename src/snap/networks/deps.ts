import { type Consent } from '../platform/dialogs';
import { type Mutex } from '../../core/mutex';
import { type ChainRepository } from './repository';

/** The dependencies of the network configuration methods. */
export type ChainDeps = {
  readonly chains: ChainRepository;
  readonly consent: Consent;
  /** Held while stored values are read and changed. */
  readonly mutations: Mutex;
  /** The origin of the request: `metamask`, or the origin of a page. */
  readonly origin: string;
};
