import { encodeFunctionResult, type Hex, pad, parseAbi } from 'viem';

import { type NodeClient } from '../../../src/companion/model/node';
import { powersOf, readSafe } from '../../../src/companion/model/safe';
import { MODULE_4337, SINGLETON } from '../../../src/core/safe/contracts';
import { type RecoveryModule } from '../../../src/core/safe/recovery/modules';
import { answersOf, answerTo, GUARDED, MODULE, MODULE_CODE, party, SAFE } from '../../support/recovery-node';

const ABI = parseAbi(['function VERSION() view returns (string)']);
const VERSION = encodeFunctionResult({ abi: ABI, functionName: 'VERSION', result: '1.4.1' });
/** A Delay modifier of the version that accepts forged signatures. */
const WEAK = '0x363d3d373d3d3d363d734a97e65188a950dd4b0f21f9b5434daee0bbf9f55af43d82803e903d91602b57fd5bf3';

/** A node with a Safe that has these modules, at addresses with this code. */
const nodeWith = (modules: readonly Hex[], codes: Readonly<Record<string, Hex>> = {}): NodeClient =>
  ({
    request: ({ method, params }: { method: string; params: readonly unknown[] }) => {
      const [first, second] = params as [string | { data: Hex }, Hex];
      if (method === 'eth_getStorageAt')
        return Promise.resolve(second.endsWith('4') ? pad('0x1') : second.endsWith('0') ? pad(SINGLETON) : pad('0x0'));
      if (method === 'eth_getCode') return Promise.resolve(codes[String(first).toLowerCase()] ?? '0x1234');
      const { data } = first as { data: Hex };
      if (data === '0xdcafac09') return Promise.resolve(pad('0x15180'));
      if (data === '0xffa1ad74') return Promise.resolve(VERSION);
      return Promise.resolve(answerTo(data, answersOf({ ...GUARDED, modules: [...modules] })));
    },
  }) as unknown as NodeClient;

async function powerOf(module: Hex, codes: Readonly<Record<string, Hex>>, known: readonly RecoveryModule[] = [MODULE]) {
  const safe = await readSafe(nodeWith([MODULE_4337, module], codes), SAFE, known);
  return powersOf(safe!).filter(({ label }) => label === 'Module')[1]!;
}

describe('the modules of a Safe', () => {
  const [at] = GUARDED.modules as [Hex];

  it.each<[string, Hex, Readonly<Record<string, Hex>>, readonly RecoveryModule[]]>([
    ['a foreign module', party('7'), {}, [MODULE]],
    ['other code at the address of a recovery module', at, { [at]: '0x6002' }, [MODULE]],
    ['no code at the address of a recovery module', at, { [at]: '0x' }, [MODULE]],
    ['the code of a recovery module at an address of another', party('7'), { [party('7')]: MODULE_CODE }, [MODULE]],
    ['a recovery module that is on no list', at, { [at]: MODULE_CODE }, []],
  ])('are not relied on for recovery: %s', async (_what, address, codes, known) => {
    const { meaning, isUnknown } = await powerOf(address, codes, known);
    expect(meaning).toContain('Keystead does not know this module. It can do anything with the account');
    expect(isUnknown).toBe(true);
  });

  it('include the one of the guardians, with its delay', async () => {
    const { meaning, isUnknown } = await powerOf(at, { [at]: MODULE_CODE });
    expect(meaning).toContain('Social Recovery Module 0.1.0: the guardians of the account can replace its owners');
    expect(meaning).toContain('after a delay of 1 day');
    expect(isUnknown).toBe(false);
  });

  it('include a Delay modifier, with a warning of the version that accepts forged signatures', async () => {
    const { meaning, isUnknown } = await powerOf(party('8'), { [party('8')]: WEAK });
    expect(meaning).toContain('accepts forged signatures');
    expect(isUnknown).toBe(true);
  });
});
