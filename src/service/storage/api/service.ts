import { type StoredContent } from '../content/stored-content';
import { type Identity } from './identity';

/** What the commands work on. */
export type StorageService = StoredContent & {
  readonly identity: Identity;
  /** Whether the tenant may use commands that affect everyone's blocks (`block/rm`, `repo/gc`, `repo/stat`). */
  readonly isOperator: (tenant: string) => boolean | Promise<boolean>;
};
