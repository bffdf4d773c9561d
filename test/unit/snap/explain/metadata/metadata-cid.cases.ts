import { type Hex } from '../../../../../src/core/eth/bytes';
import { metadataCid } from '../../../../../src/snap/explain/metadata/metadata-cid';

const HASH = '122079281f0385b5a3bc17584cc2fbc0488cdc9326384bd95a53915d61d7c057a123';
const IPFS = `64697066735822${HASH}`;
const SOLC = '64736f6c634300081c';

/** Code that ends with a CBOR map and its length. */
const code = (cbor: string, length = cbor.length / 2): Hex =>
  `0x6080604052${cbor}${length.toString(16).padStart(4, '0')}`;

describe('the CID at the end of a contract', () => {
  it.each<[string, Hex]>([
    ['with the version of the compiler', code(`a2${IPFS}${SOLC}`)],
    ['alone', code(`a1${IPFS}`)],
    ['behind a mark of experimental code', code(`a36c6578706572696d656e74616cf5${IPFS}${SOLC}`)],
    ['behind a version that is a text', code(`a264736f6c636b302e382e31382d74657374${IPFS}`)],
    ['in upper case', `0x${code(`a2${IPFS}${SOLC}`).slice(2).toUpperCase()}`],
  ])('is read %s', (_name, runtime) => {
    expect(metadataCid(runtime)).toBe('QmWVbXN3STTdiQpgcWvTWNMfxkvUeEZtbW4EDiVqa2Ywqc');
  });

  it.each<[string, Hex]>([
    ['no code', '0x'],
    ['code of one byte', '0x00'],
    ['a delegation (EIP-7702)', `0xef0100${'11'.repeat(20)}`],
    ['a length beyond the code', code(`a2${IPFS}${SOLC}`, 60_000)],
    ['a length of zero', code('', 0)],
    ['a map of Swarm', code(`a165627a7a72305820${'11'.repeat(32)}`)],
    ['a hash of another kind', code(`a1646970667358221620${'11'.repeat(32)}`)],
    ['a map that is cut', code(`a2${IPFS}`.slice(0, 40))],
    ['a map of maps', code(`a16469706673a0`)],
    ['no map', code(`82${IPFS}${SOLC}`)],
  ])('is not found in %s', (_name, runtime) => {
    expect(metadataCid(runtime)).toBeUndefined();
  });
});
