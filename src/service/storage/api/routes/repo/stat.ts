import { mustBeOperator } from '../../operators';
import { bool } from '../../options';
import { defineRoute } from '../../route';
import { REPO_VERSION } from '../../../http/version';

export const repoStat = defineRoute({
  path: 'repo/stat',
  costs: ['collection', 'value'],
  needs: ['read'],
  args: [],
  options: { 'size-only': bool(), human: bool('H') },
  run: async (service, { options, tenant, reply }) => {
    await mustBeOperator(service, tenant, 'see what all keys store');
    const { blockBytes, blocks } = await service.store.stat();
    // The store's path on the server is private; Kubo reports it as RepoPath.
    const size = { RepoSize: blockBytes, StorageMax: 0 };
    const RepoPath = '';
    await reply.value(
      options['size-only'] === true
        ? { ...size, NumObjects: 0, RepoPath, Version: '' }
        : { ...size, NumObjects: blocks, RepoPath, Version: `fs-repo@${REPO_VERSION}` },
    );
  },
});
