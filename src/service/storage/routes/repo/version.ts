import { bool } from '../../http/options';
import { defineRoute } from '../../route';
import { REPO_VERSION } from '../../version';

export const repoVersion = defineRoute({
  path: 'repo/version',
  args: [],
  options: { quiet: bool('q') },
  run: (_service, { reply }) => {
    reply.value({ Version: REPO_VERSION });
  },
});
