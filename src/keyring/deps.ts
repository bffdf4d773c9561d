import { type Mutex } from 'async-mutex';

import { type PreparedLedger } from '../chains/ledger';
import { type ChainRepository } from '../chains/repository';
import { type ChainReader } from '../platform/chain';
import { type Consent } from '../platform/dialogs';
import { type Entropy } from '../platform/entropy';
import { type AccountEvents } from '../platform/events';
import { type AccountRepository } from './repository';

/** What the keyring's operations work with. `context.ts` makes it. */
export type KeyringDeps = {
  readonly accounts: AccountRepository;
  readonly entropy: Entropy;
  readonly events: AccountEvents;
  readonly consent: Consent;
  readonly chain: ChainReader;
  /** The chains that were set up for smart accounts. */
  readonly chains: ChainRepository;
  readonly prepared: PreparedLedger;
  /** Every change of the accounts holds it: one mutation at a time. */
  readonly mutations: Mutex;
  /** The accounts that are being deleted: the wallet, told of a deletion, asks for it once more before it answers. */
  readonly deleting: Set<string>;
};

/** The same, for one caller. */
export type CallerDeps = KeyringDeps & {
  /** Who asks: `metamask`, or the origin of a page. */
  readonly origin: string;
};
