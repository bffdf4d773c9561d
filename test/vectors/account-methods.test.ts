import { InvalidParamsError } from '../../src/core/errors';
import { addressOfPublicKey } from '../../src/core/eth/checksum';
import { fromHex, type Hex, toHex } from '../../src/core/eth/bytes';
import { publicKeyOf, signDigest } from '../../src/core/eth/secp256k1';
import { type EoaMethod } from '../../src/snap/account/methods';
import { signWith } from '../support/local-signer';
import { describeVectors, type Vector } from '../support/vectors';

async function signsExactly({ id, method, privateKey, params, expected }: Vector): Promise<void> {
  expect({ id, result: await signWith(privateKey, method as EoaMethod, params) }).toEqual({ id, result: expected });
}

describe('account methods return exactly the recorded signatures', () => {
  for (const name of ['tx-ethers-eip155', 'tx-ethers-eip2930', 'tx-ethers-eip1559', 'tx-ethereum-tests']) {
    describeVectors(name, signsExactly);
  }
  describeVectors('typed-ethers', signsExactly);
  describeVectors('typed-eip712-reference', signsExactly);
  describeVectors('personal-sign', signsExactly);
});

describe('invalid transactions are rejected, naming a field', () => {
  describeVectors('tx-must-reject', async ({ id, privateKey, params }) => {
    const error: unknown = await signWith(privateKey, 'eth_signTransaction', params).catch((thrown: unknown) => thrown);
    expect({ id, refused: error instanceof InvalidParamsError }).toEqual({ id, refused: true });
    expect((error as InvalidParamsError).field).toMatch(/^transaction\./u);
  });
});

describe('keys', () => {
  describeVectors('ecdsa-rfc6979-digest', ({ id, privateKey, params: [digest], expected }) => {
    const { r, s } = signDigest(fromHex(digest as Hex), fromHex(privateKey));
    expect({ id, signature: toHex(r) + toHex(s).slice(2) }).toEqual({ id, signature: expected });
  });
  describeVectors('private-key-address', ({ id, params: [privateKey], expected }) => {
    expect({ id, address: addressOfPublicKey(publicKeyOf(fromHex(privateKey as Hex))) }).toEqual({
      id,
      address: expected,
    });
  });
});
