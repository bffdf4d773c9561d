import { concatBytes, fromHex, type Hex } from '../../eth/bytes';
import { keccak256 } from '../../eth/keccak';

/**
 * What hashing leaves of the creation code of the ERC-1967 proxy that each SimpleAccountFactory deploys, as it
 * stands in the factory's own bytecode (`type(ERC1967Proxy).creationCode`; @account-abstraction/contracts
 * 0.6.0, 0.7.0, 0.8.0). The code itself, from which this is told again by the tests, is four times as large.
 */
export type ProxyCode = {
  /** The state of Keccak-f[1600] after the whole blocks of the code: 200 bytes. */
  readonly state: Hex;
  /** What comes behind them: less than 136 bytes. */
  readonly rest: Hex;
};

/** keccak256 of the creation code and its constructor's arguments: what CREATE2 hashes, without asking a node. */
export function initCodeHashOf({ state, rest }: ProxyCode, constructorArguments: Uint8Array): Uint8Array {
  const words = new DataView(fromHex(state).buffer);
  const start = Int32Array.from({ length: 50 }, (_word, index) => words.getInt32(4 * index, true));
  return keccak256(concatBytes(fromHex(rest), constructorArguments), start);
}

export const PROXY_06: ProxyCode = {
  state:
    '0x7bef0360d48891fb811ce246e01a8381c3dbeabd648e86d9a3b723676ec47ad76333f33a5cb13ff2a1b446b9aab13e9c2d3848f9245d5db360202ea2c3daf18c9ce9cf0e657df7379b433668d82e3bdaf1c917d6f50620e27a2ad44606f83f27bda278725ed27c26baecb0ab445bca8b2b66760be376a9140892eae0a7ab4e9715e97a830faff1b698f2de8392c1b7fc9c7f4c2d64c337898eb94eecfeabedb55c60d829de5e4cefd3b1c67da010c9b0a8f377702404abf95de735081845ae10240b697154a9aa29',
  rest: '0xd78ab6a31213989661cff2d7d05fc9b9c38b1a848e8249e2e398659a9eb7e364736f6c634300080f0033416464726573733a206c6f772d6c6576656c2064656c65676174652063616c6c206661696c6564',
};

export const PROXY_07: ProxyCode = {
  state:
    '0xc38883209486c8a2f400d23b0f7e494cf3655b6c9e9613afcbd4b25b97e2a29f2adc2b8a649db262cc188df1feeb1c443d21ca34fcc32b7eccfc79253adaf98b815da76f52f920431f314a30986ca83bfb7045c5568aaf272e8afd2db6239905a4f9c3b2b54a690ad78d20b301bfdcfde55d6974796d1264af8b5a0385c0511007e37384cfaec277a1f215689ea821e3c3d63266b1f7f3dc60fc96c49f95ae1c54935803e6138236de07230a41e487f2c440569a23828516dd371da1c6c539f271267a5e13e5f5c5',
  rest: '0x565b905090565b3660008037600080366000845af43d6000803e808015607c573d6000f35b3d6000fdfea2646970667358221220d7f23a80daebb5531c9e4a18d87e812fca112e5df7e56433218edcc12bbe415d64736f6c63430008170033',
};

export const PROXY_08: ProxyCode = {
  state:
    '0xb630e0d9f663145e7cbe541e3ac15cd94323884e360d3a9f7936444819de925bc701f281a51243552ee30ac7323eb6590c7562900751410ace3243da72fd50daa7375518ad63de455dae73b08cd9d84034ade152d4776d23317436ba6ab89cec4f58ffbcaf248bab4f17f0491374aad8454b7c207c81ad40c801fa9cded16def634c7cfba07b2e2f8462d3cb185c157c6bbb1257e853ae627153876b46f624cef931ad6b248f53c92e3dd7700307220196014fe27e4b064c7e1e90a6501bf8bd3468b0489ae1dd92',
  rest: '0x',
};
