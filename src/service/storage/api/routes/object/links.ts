import { linksOf } from '../../../content/codecs';
import { resolveToBlock } from '../../../content/paths';
import { bool } from '../../options';
import { arg, defineRoute, loadForAnswer, READS_A_VALUE } from '../../route';
import { DAG_PB } from '../../../content/unixfs/file-builder';
import { decodePb } from '../../../content/unixfs/node';
import { MEMORY_TIMES, objectLinks } from './node';

export const objectLinksRoute = defineRoute({
  path: 'object/links',
  ...READS_A_VALUE,
  cids: 'kept',
  args: [arg('key')],
  options: { headers: bool('v') },
  run: async (_service, call) => {
    const { args, load, format, reply } = call;
    const cid = await resolveToBlock(args[0] ?? '', load);
    const bytes = await loadForAnswer(cid, call, MEMORY_TIMES);
    const Links =
      cid.code === DAG_PB
        ? objectLinks(decodePb(bytes), call)
        : linksOf(cid, bytes).map((link) => ({ Name: '', Hash: format(link.cid), Size: 0 }));
    await reply.value({ Hash: format(cid), ...(Links.length > 0 ? { Links } : {}) });
  },
});
