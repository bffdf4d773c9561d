import { type AddAccountDeps } from '../accounts/deps';
import { type Ask, type Consent } from '../platform/dialogs';
import { type Mutex } from '../platform/mutex';
import { type StorageRepository } from './repository';

/** What the methods of the storage settings work with. */
export type StorageDeps = {
  readonly storage: StorageRepository;
  readonly consent: Consent;
  /** Every change of what is stored holds it, and only while it reads and writes. */
  readonly mutations: Mutex;
  /** Who asks: `metamask`, or the origin of a page. */
  readonly origin: string;
};

/** What backup and restore work with. */
export type BackupDeps = AddAccountDeps & StorageDeps & { readonly ask: Ask; readonly now: () => bigint };
