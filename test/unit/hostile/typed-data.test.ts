import { type MessageTypes, SignTypedDataVersion, signTypedData, type TypedMessage } from '@metamask/eth-sig-util';
import { SigningKey, TypedDataEncoder } from 'ethers';

import { KEY } from '../../helpers/hostile/people';
import { signatureInsight, startHostileSuite } from '../../helpers/hostile/suite';
import { TYPED_DATA } from '../../helpers/hostile/typed-data';

const { run } = startHostileSuite();

const dataOf = (params: unknown): Data => {
  const [, data] = params as readonly unknown[];
  return (typeof data === 'string' ? JSON.parse(data) : data) as Data;
};

type Data = TypedMessage<MessageTypes>;

/** eth-sig-util leaves a struct out of the type's text where a member's type has a colon. */
const hasColon = ({ types }: Data): boolean =>
  Object.values(types).some((members) => members.some(({ type }) => type.includes(':')));

/** What eth-sig-util signs, with which MetaMask signs itself; or ethers. */
function signatureOf(data: Data): string {
  if (!hasColon(data))
    return signTypedData({ privateKey: Buffer.from(KEY.slice(2), 'hex'), data, version: SignTypedDataVersion.V4 });
  const { EIP712Domain: _domain, ...types } = data.types;
  return new SigningKey(KEY).sign(TypedDataEncoder.hash(data.domain as never, types as never, data.message)).serialized;
}

describe('eth_signTypedData_v4, at both doors', () => {
  it.each(TYPED_DATA.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    await run(each, {
      method: 'eth_signTypedData_v4',
      expected: (params) => signatureOf(dataOf(params)),
      insight: (params) => signatureInsight('eth_signTypedData_v4', dataOf(params)),
    });
  });
});
