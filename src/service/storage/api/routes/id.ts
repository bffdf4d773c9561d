import { base58btc } from 'multiformats/bases/base58';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { cidFormat, parseCid } from '../../content/cids';
import { CommandError } from '../../errors';
import { text } from '../options';
import { defineRoute } from '../route';
import { AGENT } from '../../http/version';

const LIBP2P_KEY = 0x72;

/** Parses a peer ID: a base58 multihash or the CID of a key. @throws CommandError for anything else. */
function parsePeerId(text: string): CID {
  try {
    return /^(Qm|1)/.test(text)
      ? CID.createV1(LIBP2P_KEY, Digest.decode(base58btc.decode(`z${text}`)))
      : CID.createV1(LIBP2P_KEY, parseCid(text).multihash);
  } catch {
    throw new CommandError('invalid peer id');
  }
}

/** @throws CommandError if this service does not know the base. */
const peerIdText = (peer: CID, base: string): string =>
  base === 'b58mh' || base === 'v0'
    ? base58btc.encode(peer.multihash.bytes).slice(1)
    : cidFormat({ base, upgrade: true })(peer);

export const id = defineRoute({
  path: 'id',
  costs: ['value'],
  needs: [],
  args: [{ name: 'peerid', required: false, variadic: false }],
  options: { format: text('f'), 'peerid-base': text() },
  run: async ({ identity }, { args: [peer], options, reply }) => {
    const own = parsePeerId(identity.id);
    if (peer !== undefined && !parsePeerId(peer).equals(own)) {
      throw new CommandError('other peers cannot be looked up: this service is not part of a peer-to-peer network');
    }
    await reply.value({
      ID: peerIdText(own, options['peerid-base'] ?? 'b58mh'),
      PublicKey: identity.publicKey,
      Addresses: null,
      AgentVersion: AGENT,
      Protocols: null,
    });
  },
});
