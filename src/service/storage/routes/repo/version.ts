import { bool } from '../../http/options';
import { defineRoute } from '../../route';
import { REPO_VERSION } from '../../version';

export const repoVersion = defineRoute({
  path: 'repo/version',
  args: [],
  options: { quiet: bool('q') },
  text: ({ Version }: { Version: string }, { quiet }) =>
    `${quiet === true ? '' : 'ipfs repo version '}fs-repo@${Version}\n`,
  run: async (_service, { reply }) => {
    await reply.value({ Version: REPO_VERSION });
  },
});
