import { KeyringRpcMethod } from '@metamask/keyring-api';

import { ProviderError, UnauthorizedError } from '../../../../src/core/errors';
import { SITE_READS } from '../../../../src/core/methods/node-reads';
import { SITE_METHODS } from '../../../../src/core/methods/sites';
import { assertSiteMayCall, assertMayCall, isManaging } from '../../../../src/snap/handlers/middleware';

const PAGE = 'http://localhost:8000';

describe('assertMayCall', () => {
  it('lets MetaMask call everything', () => {
    for (const method of Object.values(KeyringRpcMethod))
      expect(() => {
        assertMayCall('metamask', method, []);
      }).not.toThrow();
  });

  it('lets a companion page manage accounts, but not sign', () => {
    expect(() => {
      assertMayCall(PAGE, 'keyring_createAccount', [PAGE]);
    }).not.toThrow();
    expect(() => {
      assertMayCall(PAGE, 'keyring_exportAccount', [PAGE]);
    }).not.toThrow();
    expect(() => {
      assertMayCall(PAGE, 'keyring_submitRequest', [PAGE]);
    }).toThrow(UnauthorizedError);
    expect(() => {
      assertMayCall(PAGE, 'keyring_setSelectedAccounts', [PAGE]);
    }).toThrow(UnauthorizedError);
    expect(() => {
      assertMayCall(PAGE, 'keyring_nothing', [PAGE]);
    }).toThrow(UnauthorizedError);
  });

  it('lets a companion page set the storage up, back up and restore', () => {
    for (const method of ['keystead_setStorage', 'keystead_getStorage', 'keystead_backUp', 'keystead_restore'])
      expect(() => {
        assertMayCall(PAGE, method, [PAGE]);
      }).not.toThrow();
  });

  it.each([
    '',
    'null',
    'http://localhost:8000/',
    'http://localhost:80',
    'https://localhost:8000',
    'http://localhost:8000.evil.example',
    'METAMASK',
    ' metamask',
  ])('lets "%s" do nothing', (origin) => {
    expect(() => {
      assertMayCall(origin, 'keyring_listAccounts', [PAGE]);
    }).toThrow(UnauthorizedError);
  });
});

describe('assertSiteMayCall', () => {
  it('lets any web page call every RPC handler method', () => {
    for (const method of [...Object.keys(SITE_METHODS), ...SITE_READS])
      expect(() => {
        assertSiteMayCall('https://dapp.example', method);
      }).not.toThrow();
  });

  it('lets no page call a keyring method', () => {
    for (const method of [...Object.values(KeyringRpcMethod), 'keyring_'])
      expect(() => {
        assertSiteMayCall('https://dapp.example', method);
      }).toThrow(UnauthorizedError);
  });

  it('rejects any other method', () => {
    for (const method of ['eth_sign', 'hasOwnProperty', '', 'ETH_ACCOUNTS', 'keystead_setStorage'])
      expect(() => {
        assertSiteMayCall('https://dapp.example', method);
      }).toThrow(ProviderError);
  });

  it.each(['metamask', 'npm:@example/snap', 'local:http://localhost:8080', 'null', 'https://dapp.example/'])(
    'lets "%s" do nothing',
    (origin) => {
      for (const method of [...Object.keys(SITE_METHODS), ...SITE_READS])
        expect(() => {
          assertSiteMayCall(origin, method);
        }).toThrow(UnauthorizedError);
    },
  );
});

describe('isManaging', () => {
  const COMPANION = 'http://localhost:8000';
  const isManaged = (origin: string, method: string) => isManaging(origin, method, [COMPANION]);

  it.each([
    'keyring_exportAccount',
    'keyring_submitRequest',
    'keyring_discoverAccounts',
    'personal_sign',
    'constructor',
    '__proto__',
  ])('does not include %s, which uses the keyring handler or none', (method) => {
    expect(isManaged(COMPANION, method)).toBe(false);
  });

  it.each(['https://dapp.example', 'metamask', 'http://localhost:80000'])('is nothing of %s', (origin) => {
    expect(isManaged(origin, 'keystead_backUp')).toBe(false);
  });

  it.each(['keystead_backUp', 'keystead_discoverAccounts'])('includes %s of a companion page', (method) => {
    expect(isManaged(COMPANION, method)).toBe(true);
  });
});
