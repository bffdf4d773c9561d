import { bool } from '../http/options';
import { defineRoute } from '../route';
import { API_VERSION, REPO_VERSION, SYSTEM } from '../version';

export const version = defineRoute({
  path: 'version',
  args: [],
  options: { number: bool('n'), commit: bool(), repo: bool(), all: bool() },
  text: ({ Version }: { Version: string }) => `ipfs version ${Version}\n`,
  run: (_service, { reply }) => {
    reply.value({ Version: API_VERSION, Commit: '', Repo: REPO_VERSION, System: SYSTEM, Golang: '' });
  },
});
