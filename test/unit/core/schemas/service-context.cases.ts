import { PaymasterServiceStruct } from '../../../../src/core/schemas/calls';
import { SetChainStruct } from '../../../../src/core/schemas/chain-configuration';
import { parse } from '../../../../src/core/structs/struct';

const RULE = 'must be an object of at most 4096 characters of JSON';
const CHAIN = { chainId: 'eip155:1', rpcUrl: 'https://node.example', bundlerUrl: 'https://bundler.example' };
const url = 'https://paymaster.example';

/** An object nested more deeply than recursion can follow. */
const nested = (): unknown => JSON.parse(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`);

describe('the context of a paymaster service', () => {
  it.each([
    ['a list', []],
    ['text', 'policy'],
    ['a number', 5],
    ['longer than allowed', { policy: 'x'.repeat(4084) }],
    ['nested without end', nested()],
  ])('is rejected with its field and rule: %s', (_, context) => {
    expect(() => parse(PaymasterServiceStruct, { url, context }, 'paymasterService')).toThrow(
      `paymasterService.context: ${RULE}`,
    );
    expect(() => parse(SetChainStruct, { ...CHAIN, paymasterUrl: url, paymasterContext: context }, 'params')).toThrow(
      `params.paymasterContext: ${RULE}`,
    );
  });

  it('is accepted up to the maximum length', () => {
    const context = { policy: 'x'.repeat(4083) };
    expect(parse(PaymasterServiceStruct, { url, context }, 'paymasterService').context).toBe(context);
    expect(parse(SetChainStruct, { ...CHAIN, paymasterContext: context }, 'params').paymasterContext).toBe(context);
  });
});
