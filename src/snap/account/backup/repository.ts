import { type StateStore } from '../../wallet/state';
import { type StorageSettings, StorageSettingsStruct } from '../../../core/schemas/storage-settings';
import { type Infer, integer, object, matching } from '../../../core/structs/struct';

/** A CID in text form: base58 (`Qm…`, `z…`) or base32 (`b…`), without a path. */
export const CidStruct = matching(
  'must be a CID in base58 or base32, such as "bafy…" or "Qm…"',
  /^(?:Qm[1-9A-Za-z]{44}|z[1-9A-Za-z]{40,100}|b[a-z2-7]{50,120})$/u,
);

const CountStruct = integer(0);

/** A completed backup: its CID, size in bytes, number of accounts and creation time (seconds since 1970). */
const BackupNoteStruct = object({ cid: CidStruct, size: CountStruct, accounts: CountStruct, createdAt: CountStruct });
export type BackupNote = Infer<typeof BackupNoteStruct>;

/**
 * The configured storage service and the last backup. Unreadable entries count as absent, since both can be created
 * again.
 */
export class StorageRepository {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  /** @returns The settings including the secret. Only `url` and `key` may leave the snap. */
  async settings(): Promise<StorageSettings | undefined> {
    const stored = await this.#store.read('storage');
    return StorageSettingsStruct.is(stored) ? stored : undefined;
  }

  async changeSettings(settings: StorageSettings): Promise<void> {
    await this.#store.write('storage', settings);
  }

  async lastBackup(): Promise<BackupNote | undefined> {
    const stored = await this.#store.read('backup');
    return BackupNoteStruct.is(stored) ? stored : undefined;
  }

  async noteBackup(note: BackupNote): Promise<void> {
    await this.#store.write('backup', note);
  }
}
