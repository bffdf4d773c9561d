import { linksOf } from '../../dag/codecs';
import { resolveToBlock } from '../../dag/paths';
import { bool } from '../../http/options';
import { arg, defineRoute } from '../../route';
import { DAG_PB } from '../../unixfs/file-builder';
import { decodePb } from '../../unixfs/node';
import { textTable } from '../text-table';
import { type ObjectLink, objectLinks } from './node';

export const objectLinksRoute = defineRoute({
  path: 'object/links',
  cids: 'kept',
  args: [arg('key')],
  options: { headers: bool('v') },
  text: ({ Links = [] }: { Links?: ObjectLink[] }, { headers }) =>
    textTable([
      ...(headers === true ? [['Hash', 'Size', 'Name']] : []),
      ...Links.map(({ Hash, Size, Name }) => [Hash, String(Size), Name]),
    ]),
  run: async (_service, call) => {
    const { args, load, format, reply } = call;
    const cid = await resolveToBlock(args[0] ?? '', load);
    const bytes = await load(cid);
    const Links =
      cid.code === DAG_PB
        ? objectLinks(decodePb(bytes), call)
        : linksOf(cid, bytes).map((link) => ({ Name: '', Hash: format(link.cid), Size: 0 }));
    await reply.value({ Hash: format(cid), ...(Links.length > 0 ? { Links } : {}) });
  },
});
