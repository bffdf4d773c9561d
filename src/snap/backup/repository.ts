import { type StateStore } from '../platform/state';
import { CidStruct } from '../../core/schemas/cid';
import { type StorageSettings, StorageSettingsStruct } from '../../core/schemas/storage-settings';
import { type Infer, integer, object } from '../../core/schemas/struct';

const CountStruct = integer(0);

/** A backup that was made: where it is found again, its bytes, how many accounts it holds, and when (seconds since 1970). */
const BackupNoteStruct = object({ cid: CidStruct, size: CountStruct, accounts: CountStruct, createdAt: CountStruct });
export type BackupNote = Infer<typeof BackupNoteStruct>;

/** The storage service that is set up, and the last backup. What cannot be read counts as not there: both can be made anew. */
export class StorageRepository {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  /** @returns With the secret; nothing of this may leave the snap but url and key. */
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
