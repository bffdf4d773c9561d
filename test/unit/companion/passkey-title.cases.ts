import { passkeyTitle } from '../../../src/companion/model/passkey-title';

const signer = `0x${'1a2b'.repeat(10)}` as const;
const made = 1_764_288_000;

describe('what the page calls a passkey', () => {
  it.each([
    [{ signer, title: 'Laptop', made }, 'Passkey “Laptop” of 28 Nov 2025'],
    [{ signer, title: 'Laptop' }, 'Passkey “Laptop”'],
    [{ signer, made }, 'Passkey …1a2b of 28 Nov 2025'],
    [{ signer }, 'Passkey …1a2b'],
    [{ signer, title: 'Phone, blue' }, 'Passkey “Phone blue”'],
  ])('is its name and its day, as far as they are known', (passkey, title) => {
    expect(passkeyTitle(passkey)).toBe(title);
  });
});
