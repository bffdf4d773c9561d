import { type AccountDeps } from '../deps';
import { type ContactRepository } from '../contacts/repository';
import { type TokenRepository } from '../../network/tokens/repository';
import { type StorageRepository } from './repository';

/** The dependencies of backup and restore. */
export type BackupDeps = AccountDeps & {
  readonly storage: StorageRepository;
  readonly contacts: ContactRepository;
  readonly tokens: TokenRepository;
};
