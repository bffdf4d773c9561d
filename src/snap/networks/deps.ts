import { type Consent } from '../platform/dialogs';
import { type Mutex } from '../platform/mutex';
import { type ChainRepository } from './repository';

/** What the chain configuration's methods work with. */
export type ChainDeps = {
  readonly chains: ChainRepository;
  readonly consent: Consent;
  /** Every change of what is stored holds it, and only while it reads and writes. */
  readonly mutations: Mutex;
  /** Who asks: `metamask`, or the origin of a page. */
  readonly origin: string;
};
