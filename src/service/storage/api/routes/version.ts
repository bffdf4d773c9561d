import { bool } from '../options';
import { defineRoute } from '../route';
import { API_VERSION, REPO_VERSION, SYSTEM } from '../../http/version';

export const version = defineRoute({
  path: 'version',
  costs: ['value'],
  needs: [],
  args: [],
  options: { number: bool('n'), commit: bool(), repo: bool(), all: bool() },
  run: async (_service, { reply }) => {
    await reply.value({ Version: API_VERSION, Commit: '', Repo: REPO_VERSION, System: SYSTEM, Golang: '' });
  },
});
