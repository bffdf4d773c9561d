import {
  type Attempt,
  connectCautions,
  connectFailure,
  isOlder,
  versionIn,
} from '../../../src/companion/model/connect-failure';
import { MINIMUM_METAMASK_VERSION } from '../../../src/core/minimum-wallet';

const STABLE = { name: 'MetaMask', isFlask: false, isSimulated: false };
const FLASK = { name: 'MetaMask Flask', isFlask: true, isSimulated: false };

const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  wallet: STABLE,
  version: '99.0.0',
  snapId: 'npm:keystead',
  protocol: 'https:',
  ...change,
});
const LOCAL = 'local:http://localhost:8080';

describe('versionIn', () => {
  it.each([
    ['MetaMask/v13.36.0', '13.36.0'],
    ['MetaMask/v12.17.2-flask.0', '12.17.2'],
    ['MetaMask/v13.36', '13.36'],
    ['Geth/v1.13.0', undefined],
    ['not MetaMask/v13.36.0', undefined],
    ['MetaMask/vX', undefined],
    [null, undefined],
    [13.36, undefined],
  ])('reads %j as %j', (answer, version) => {
    expect(versionIn(answer)).toBe(version);
  });
});

describe('isOlder', () => {
  it.each([
    ['13.9.0', '13.36', true],
    ['12.99.9', '13.36', true],
    ['13.36', '13.36.1', true],
    ['13.36.0', '13.36', false],
    ['13.36.5', '13.36', false],
    ['13.100.0', '13.36', false],
    ['14.0.0', '13.36', false],
  ])('%s than %s: %j', (version, than, older) => {
    expect(isOlder(version, than)).toBe(older);
  });
});

describe('connectFailure', () => {
  const failure = (message: string, change: Partial<Attempt> = {}) =>
    connectFailure(new Error(message), attempt(change));

  it('names the version to update to if MetaMask is too old for the manifest', () => {
    const words =
      'The Snap "npm:keystead" requires platform version "12.0.0" which is greater than the current platform version "11.1.0".';
    for (const wallet of [STABLE, FLASK])
      expect(failure(words, { wallet })).toBe(
        `This ${wallet.name} is too old for Keystead. Update it to version ${MINIMUM_METAMASK_VERSION} or newer, then connect again.`,
      );
  });

  it('says so for any failure of an older version, and keeps what it said', () => {
    expect(failure('Assertion failed.', { version: '12.17.2', wallet: FLASK })).toBe(
      `This MetaMask Flask is too old for Keystead. Update it to version ${MINIMUM_METAMASK_VERSION} or newer, then connect again. (Assertion failed.)`,
    );
    expect(failure('Assertion failed.')).toBe('Assertion failed.');
    expect(failure('Assertion failed.', { version: undefined })).toBe('Assertion failed.');
  });

  it('says that MetaMask needs https and Flask does not', () => {
    const words = 'The origin "http://localhost:8000" is not allowed to invoke the method "keyring_listAccounts".';
    expect(failure(words, { protocol: 'http:' })).toBe(
      'MetaMask lets only https pages manage accounts, and this page has an http address. Use MetaMask Flask, which also allows http.',
    );
    // Neither can be the cause here.
    expect(failure(words, { protocol: 'https:' })).not.toContain('http ');
    expect(failure(words, { protocol: 'http:', wallet: FLASK })).toContain('MetaMask Flask does not let this page');
  });

  it.each([
    'Cannot install version "0.2.0" of snap "npm:keystead": The snap is not on the allowlist.',
    'Fetching local snaps is disabled.',
  ])('leads to Flask from "%s"', (words) => {
    expect(failure(words)).toBe('MetaMask installs only published snaps. Use MetaMask Flask, which installs any snap.');
  });

  it('says which server does not run', () => {
    expect(failure('Failed to fetch', { snapId: LOCAL, wallet: FLASK })).toBe(
      'MetaMask Flask cannot load Keystead from http://localhost:8080. Check that what serves it is running there.',
    );
  });
});

describe('connectCautions', () => {
  it('says nothing of a wallet in which everything works', () => {
    for (const change of [{}, { wallet: FLASK, protocol: 'http:', snapId: LOCAL }, { version: undefined }])
      expect(connectCautions(attempt(change))).toEqual([]);
  });

  it('warns before connecting what fails afterwards', () => {
    const cautions = connectCautions(attempt({ version: '13.26.0', protocol: 'http:', snapId: LOCAL }));
    expect(cautions).toEqual([
      expect.stringContaining(`Version 13.26.0 is too old`),
      expect.stringContaining('only published snaps'),
      expect.stringContaining('only https pages'),
    ]);
    expect(cautions[0]).toContain(MINIMUM_METAMASK_VERSION);
  });

  it('never warns of the simulated wallet', () => {
    const wallet = { ...STABLE, isSimulated: true };
    expect(connectCautions(attempt({ wallet, version: '1.0', protocol: 'http:', snapId: LOCAL }))).toEqual([]);
  });
});
