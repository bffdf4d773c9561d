import { keccak256 } from 'viem';

import { NodeClient } from '../../../src/clients/node';
import { sendTransaction } from '../../../src/clients/transactions';
import { wordingOf } from '../../../src/clients/node-wordings';
import { ServiceRefusedError } from '../../../src/core/errors';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { KNOWN, NONCE_USED, ORDINARY, UNDECIDED } from '../../support/wordings';

const RAW = '0x010203';
const HASH = keccak256(RAW);

const rows = (words: typeof KNOWN) => words.map(([software, message, , data]) => ({ software, message, data }));

describe.each([
  ['known', KNOWN],
  ['nonce-used', NONCE_USED],
  ['undecided', UNDECIDED],
  [undefined, ORDINARY],
] as const)('the words of services: %s', (wording, words) => {
  it.each(rows(words))('$software: $message', ({ message, data }) => {
    expect(wordingOf({ message, data })).toBe(wording);
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

  const refusing = (message: string, data?: string) => () => {
    throw new NodeRefusal(message, -32000, data);
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

  it.each(rows([...KNOWN, ...NONCE_USED, ...UNDECIDED, ...ORDINARY]))(
    'is not refused if the node has the transaction, whatever it says ($software: $message)',
    async ({ message, data }) => {
      expect(await send(refusing(message, data), itself)).toBe(true);
      expect(await send(refusing(message, data), itself, false)).toBe(true);
    },
  );

  it.each(rows(KNOWN))('is not refused by $software: $message', async ({ message, data }) => {
    expect(await send(refusing(message, data), none)).toBe(true);
    expect(await send(refusing(message, data), unanswered)).toBe(true);
  });

  it.each(rows(NONCE_USED))(
    'is unclear after $software: $message, if the nonce was free before',
    async ({ message, data }) => {
      expect(await send(refusing(message, data), none)).toBe(false);
      await expect(send(refusing(message, data), none, false)).rejects.toThrow(ServiceRefusedError);
    },
  );

  it.each(rows(UNDECIDED))('is unclear after $software: $message', async ({ message, data }) => {
    expect(await send(refusing(message, data), none)).toBe(false);
  });

  it.each(rows(ORDINARY))('is refused by $software: $message', async ({ message, data }) => {
    await expect(send(refusing(message, data), none)).rejects.toThrow(ServiceRefusedError);
    await expect(send(refusing(message, data), unanswered)).rejects.toThrow(ServiceRefusedError);
    await expect(send(refusing(message, data), () => ({ hash: keccak256('0x') }))).rejects.toThrow(ServiceRefusedError);
  });

  it('is unclear without an answer, unless the node has the transaction', async () => {
    expect(await send(unanswered, none)).toBe(false);
    expect(await send(unanswered, unanswered)).toBe(false);
    expect(await send(unanswered, itself)).toBe(true);
  });
});
