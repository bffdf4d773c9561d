import { StateError, UnauthorizedError } from '../../../../src/core/errors';
import { assertUnlocked } from '../../../../src/snap/handlers/middleware';

const PAGE = 'http://localhost:8000';

/** A wallet that may be locked, with a given effect of unlocking. */
function wallet(isLocked: boolean, unlock: () => Promise<unknown> = () => Promise.resolve()) {
  return { isLocked: () => Promise.resolve(isLocked), unlock: jest.fn(unlock) };
}

describe('assertUnlocked', () => {
  it('passes every caller while the wallet is unlocked', async () => {
    const open = wallet(false);
    for (const origin of ['metamask', PAGE]) await assertUnlocked(origin, 'keyring_listAccounts', open);
    expect(open.unlock).not.toHaveBeenCalled();
  });

  it('rejects a page without a password prompt', async () => {
    const closed = wallet(true);
    await expect(assertUnlocked(PAGE, 'keyring_listAccounts', closed)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(closed.unlock).not.toHaveBeenCalled();
  });

  it('prompts the user to unlock the wallet for MetaMask', async () => {
    const closed = wallet(true);
    await assertUnlocked('metamask', 'keyring_listAccounts', closed);
    expect(closed.unlock).toHaveBeenCalledTimes(1);
  });

  it('rejects MetaMask, too, if the wallet stays locked', async () => {
    const closed = wallet(true, () => Promise.reject(new StateError('no')));
    await expect(assertUnlocked('metamask', 'keyring_listAccounts', closed)).rejects.toMatchObject({ rpcCode: 4100 });
  });

  it('passes keyring_submitRequest, whose keys the wallet keeps locked', async () => {
    const closed = wallet(true);
    await assertUnlocked('metamask', 'keyring_submitRequest', closed);
    expect(closed.unlock).not.toHaveBeenCalled();
  });

  it('does not mistake a storage failure for a lock', async () => {
    const failing = { isLocked: jest.fn(), unlock: () => Promise.reject(new StateError('newer version')) };
    failing.isLocked.mockResolvedValueOnce(true).mockResolvedValueOnce(false);
    await expect(assertUnlocked('metamask', 'keyring_listAccounts', failing)).rejects.toThrow('newer version');
  });
});
