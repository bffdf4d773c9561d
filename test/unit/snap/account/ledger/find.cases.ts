import { NodeClient } from '../../../../../src/clients/node';
import { type Hex } from '../../../../../src/core/eth/bytes';
import { type Found } from '../../../../../src/core/ledger/found';
import { findPermissions } from '../../../../../src/snap/account/ledger/find';
import { LedgerRepository } from '../../../../../src/snap/account/ledger/repository';
import { PermissionsScreen } from '../../../../../src/snap/screens/insights-home/permissions';
import { type LocalServer, reply, serveJsonRpc } from '../../../../support/json-rpc-server';
import { memoryStore } from '../../../../support/memory-store';
import { flat } from '../../../../support/screen-text';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const BLOCK = { number: '0x9', hash: `0x${'01'.repeat(32)}`, timestamp: '0x1', transactions: [] };
const ANSWERS: Readonly<Record<string, unknown>> = {
  eth_getLogs: [],
  eth_getBlockByNumber: BLOCK,
  eth_getCode: '0x',
};

describe('a search for permissions', () => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await serveJsonRpc(({ id, method }, response) => {
      reply(response, { id, result: ANSWERS[method] });
    });
  });
  afterAll(() => server.stop());

  it('keeps nothing of a node that gives no event to look for: a later node would vouch for its empty answers', async () => {
    const ledger = new LedgerRepository(memoryStore());
    const found = await findPermissions(ACCOUNT, 'eip155:1', 0, {
      ledger,
      library: { knownTokens: () => Promise.resolve({}) },
      nodeOf: () => new NodeClient({ url: server.url }),
    });
    expect(found.searched).toEqual([{ from: 0n, to: 9n }]);
    expect(found.canary.kind).toBe('none');
    expect(await ledger.scanOf(ACCOUNT, 'eip155:1')).toBeUndefined();
  });

  const NOTHING = 'nothing gives a permission that still holds';
  const screen = (more: Partial<Found>): string => {
    const found: Found = {
      node: 'the node of your wallet',
      searched: [{ from: 0n, to: 9n }],
      refusal: undefined,
      requestsLeft: 0,
      canary: { kind: 'found', blocks: [7n] },
      permissions: [],
      from: 0,
      unread: 0,
      leftOut: 0,
      tokens: {},
      ...more,
    };
    return flat(PermissionsScreen({ account: ACCOUNT, chainId: 'eip155:1', found }));
  };

  it.each<[string, Partial<Found>]>([
    ['contracts did not say what they allow', { unread: 1 }],
    ['permissions were not looked at', { leftOut: 1 }],
    ['the node hides events', { canary: { kind: 'missing', block: 7n, transaction: `0x${'cd'.repeat(32)}` } }],
  ])('does not say that nothing gives a permission if %s', (_why, more) => {
    expect(screen({})).toContain(NOTHING);
    expect(screen(more)).not.toContain(NOTHING);
    expect(screen(more)).toContain('No permission was found that still holds.');
  });
});
