import { CommandError } from '../../../errors';
import { bool, text } from '../../options';
import { arg, defineRoute, READS_A_VALUE } from '../../route';
import { loadNode, objectLinks } from './node';

const DATA_FORMS = new Map<string, (data: Uint8Array) => string>([
  ['base64', (data) => Buffer.from(data).toString('base64')],
  ['text', (data) => Buffer.from(data).toString('utf8')],
]);

export const objectGet = defineRoute({
  path: 'object/get',
  ...READS_A_VALUE,
  cids: 'kept',
  args: [arg('key')],
  options: { 'data-encoding': text(), headers: bool('v') },
  encodings: ['protobuf'],
  run: async (_service, call) => {
    const { args, options, reply } = call;
    const write = DATA_FORMS.get(options['data-encoding'] ?? 'base64');
    if (write === undefined) throw new CommandError('unknown data field encoding');
    const { node, bytes } = await loadNode(args[0] ?? '', call);
    await reply.value(
      reply.encoding === 'protobuf'
        ? bytes
        : { Links: objectLinks(node, call), Data: write(node.Data ?? new Uint8Array(0)) },
    );
  },
});
