import { keccak256 } from 'viem';

import { NodeClient } from '../../../src/clients/node';
import { sendTransaction } from '../../../src/clients/transactions';
import { wordingOf } from '../../../src/clients/node-wordings';
import { ServiceRefusedError } from '../../../src/core/errors';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../helpers/simulated-node';
import { KNOWN, NONCE_USED, ORDINARY, UNDECIDED } from '../../helpers/wordings';

const RAW = '0x010203';
const HASH = keccak256(RAW);

describe('the words of nodes', () => {
  it.each([...KNOWN.map((one) => [...one, 'known']), ...NONCE_USED.map((one) => [...one, 'nonce-used'])])(
    '%s: %s',
    (_node, message, wording) => {
      expect(wordingOf(message!)).toBe(wording);
    },
  );
  it.each(UNDECIDED)('%s: %s (undecided)', (_node, message) => {
    expect(wordingOf(message)).toBe('undecided');
  });
  it.each(ORDINARY)('%s: %s (refused)', (_node, message) => {
    expect(wordingOf(message)).toBeUndefined();
  });
});

describe('sendTransaction', () => {
  let server: SimulatedNode;
  let node: NodeClient;
  beforeAll(async () => {
    server = await startSimulatedNode();
    node = new NodeClient({ url: server.url });
  });
  afterAll(() => server.stop());

  const refusing = (message: string) => () => {
    throw new NodeRefusal(message, -32000);
  };
  const unanswered = () => {
    throw new NoAnswer();
  };
  const send = (sending: () => unknown, byHash: () => unknown, isNext = true) => {
    server.answers.eth_sendRawTransaction = sending;
    server.answers.eth_getTransactionByHash = byHash;
    return sendTransaction(node, RAW, HASH, isNext);
  };
  const none = () => null;
  const itself = () => ({ hash: HASH });

  it.each([...KNOWN, ...NONCE_USED, ...UNDECIDED, ...ORDINARY])(
    'is not refused if the node has the transaction, whatever it says (%s: %s)',
    async (_node, message) => {
      expect(await send(refusing(message), itself)).toBe(true);
      expect(await send(refusing(message), itself, false)).toBe(true);
    },
  );

  it.each(KNOWN)('is not refused by %s: %s', async (_node, message) => {
    expect(await send(refusing(message), none)).toBe(true);
    expect(await send(refusing(message), unanswered)).toBe(true);
  });

  it.each(NONCE_USED)('is unclear after %s: %s, if the nonce was free before', async (_node, message) => {
    expect(await send(refusing(message), none)).toBe(false);
    await expect(send(refusing(message), none, false)).rejects.toThrow(ServiceRefusedError);
  });

  it.each(UNDECIDED)('is unclear after %s: %s', async (_node, message) => {
    expect(await send(refusing(message), none)).toBe(false);
  });

  it.each(ORDINARY)('is refused by %s: %s', async (_node, message) => {
    await expect(send(refusing(message), none)).rejects.toThrow(ServiceRefusedError);
    await expect(send(refusing(message), unanswered)).rejects.toThrow(ServiceRefusedError);
    await expect(send(refusing(message), () => ({ hash: keccak256('0x') }))).rejects.toThrow(ServiceRefusedError);
  });

  it('is unclear without an answer, unless the node has the transaction', async () => {
    expect(await send(unanswered, none)).toBe(false);
    expect(await send(unanswered, unanswered)).toBe(false);
    expect(await send(unanswered, itself)).toBe(true);
  });
});
