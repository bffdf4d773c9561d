import { CommandError } from '../errors';
import { text } from '../http/options';
import { defineRoute } from '../route';
import { AGENT } from '../version';

export const id = defineRoute({
  path: 'id',
  args: [{ name: 'peerid', required: false, variadic: false }],
  options: { format: text('f'), 'peerid-base': text() },
  text: (id: { ID: string; PublicKey: string; AgentVersion: string }, { format }) =>
    format === undefined
      ? `${JSON.stringify(id, null, '\t')}\n\n`
      : Object.entries({
          '<id>': id.ID,
          '<aver>': id.AgentVersion,
          '<pubkey>': id.PublicKey,
          '<addrs>': '',
          '<protocols>': '',
          '\\n': '\n',
          '\\t': '\t',
        }).reduce((shown, [token, value]) => shown.replaceAll(token, value), format),
  run: ({ identity }, { args: [peer], reply }) => {
    if (peer !== undefined && peer !== identity.id) {
      throw new CommandError('other peers cannot be looked up: this service takes part in no peer-to-peer network');
    }
    reply.value({
      ID: identity.id,
      PublicKey: identity.publicKey,
      Addresses: null,
      AgentVersion: AGENT,
      Protocols: null,
    });
  },
});
