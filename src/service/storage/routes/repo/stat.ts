import { RequestError } from '../../errors';
import { bool } from '../../http/options';
import { defineRoute } from '../../route';
import { REPO_VERSION } from '../../version';
import { humanSize } from '../human-size';
import { textTable } from '../text-table';

type RepoStat = {
  readonly RepoSize: number;
  readonly StorageMax: number;
  readonly NumObjects: number;
  readonly RepoPath: string;
  readonly Version: string;
};

export const repoStat = defineRoute({
  path: 'repo/stat',
  args: [],
  options: { 'size-only': bool(), human: bool('H') },
  text: ({ NumObjects, RepoSize, StorageMax, RepoPath, Version }: RepoStat, options) => {
    const shownSize = options.human === true ? humanSize : String;
    const sizes = { RepoSize: shownSize(RepoSize), StorageMax: shownSize(StorageMax) };
    const shown = options['size-only'] === true ? sizes : { NumObjects, ...sizes, RepoPath, Version };
    return textTable(Object.entries(shown).map(([name, value]) => [`${name}:`, String(value)]));
  },
  run: async ({ store, isOperator }, { options, tenant, reply }) => {
    if (!(await isOperator(tenant)))
      throw new RequestError(
        403,
        '403 - Forbidden: only operators may see what all keys store (see storage.operators)',
      );
    const { storedBytes, blocks } = await store.stat();
    // The store's path on the server is private; Kubo reports it as RepoPath.
    const size = { RepoSize: storedBytes, StorageMax: 0 };
    const RepoPath = '';
    await reply.value(
      options['size-only'] === true
        ? { ...size, NumObjects: 0, RepoPath, Version: '' }
        : { ...size, NumObjects: blocks, RepoPath, Version: `fs-repo@${REPO_VERSION}` },
    );
  },
});
