import { bool } from '../http/options';
import { defineRoute } from '../route';
import { API_VERSION, REPO_VERSION, SYSTEM } from '../version';

export const version = defineRoute({
  path: 'version',
  args: [],
  options: { number: bool('n'), commit: bool(), repo: bool(), all: bool() },
  text: ({ Version, Repo, System, Golang }: Record<'Version' | 'Repo' | 'System' | 'Golang', string>, options) => {
    if (options.all === true) {
      return `Kubo version: ${Version}\nRepo version: ${Repo}\nSystem version: ${System}\nGolang version: ${Golang}\n`;
    }
    if (options.repo === true) return `${Repo}\n`;
    return options.number === true ? `${Version}\n` : `ipfs version ${Version}\n`;
  },
  run: async (_service, { reply }) => {
    await reply.value({ Version: API_VERSION, Commit: '', Repo: REPO_VERSION, System: SYSTEM, Golang: '' });
  },
});
