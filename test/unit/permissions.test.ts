import { KeyringRpcMethod } from '@metamask/keyring-api';

import { UnauthorizedError } from '../../src/errors';
import { assertMayCall } from '../../src/permissions';

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
      assertMayCall(PAGE, 'keyring_nothing', [PAGE]);
    }).toThrow(UnauthorizedError);
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
