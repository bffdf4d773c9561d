import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { type Hex, parseEther, recoverAddress, recoverMessageAddress } from 'viem';

import { ACCOUNT_VERSIONS, type AccountVersion, ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../../src/core/erc4337/hash';
import { KINDS } from '../../../src/core/kinds';
import { toHex } from '../../../src/core/eth/bytes';
import { toUserOperation } from '../../../src/core/schemas/user-operation';
import { describeWithPeers } from '../../support/chain/peers';
import {
  CHAIN,
  installSmartWallet,
  must,
  operationOf,
  type SmartWallet,
  type WireOperation,
} from '../../support/chain/smart-wallet';
import { sharedWorld } from '../../support/chain/shared-world';
import { type World } from '../../support/chain/world';

const TO: Hex = `0x${'77'.repeat(20)}`;
const INTENT = { to: TO, value: '0x1', data: '0x' } as const;
const OTHER: Hex = `0x${'ab'.repeat(20)}`;
const power = (exponent: bigint): Hex => `0x${(2n ** exponent).toString(16)}`;

describeWithPeers('what must not be prepared or signed', () => {
  let world: World;
  let wallet: SmartWallet;
  const accounts = {} as Record<AccountVersion, KeyringAccount>;
  const prepared = {} as Record<AccountVersion, WireOperation>;

  beforeAll(async () => {
    world = await sharedWorld();
    wallet = await installSmartWallet(world);
    must(await wallet.setChain());
    for (const version of ACCOUNT_VERSIONS) {
      const account = await wallet.createSmart(version, 0);
      await world.chain.setBalance({ address: account.address as Hex, value: parseEther('1') });
      accounts[version] = account;
      prepared[version] = operationOf(account.address, must(await wallet.prepare(account, [INTENT])));
    }
  });

  const refusalOf = async (
    version: AccountVersion,
    method: string,
    params: unknown[],
    scope = CHAIN,
  ): Promise<string> => {
    // No dialog is answered: a request that showed one would not come back.
    const { result, error } = await wallet.ask(accounts[version], method, params, scope);
    expect(result).toBeUndefined();
    return error?.message ?? '';
  };

  describe.each(ACCOUNT_VERSIONS)('at entry point %s', (version) => {
    const changed = (change: Partial<WireOperation>): WireOperation => ({ ...prepared[version], ...change });

    it('signs what was prepared, with and without the entry point, whoever pays the fees', async () => {
      const { owner } = accounts[version].options as { owner: Hex };
      for (const [operation, entryPoint] of [
        [changed({})],
        [changed({}), ENTRY_POINTS[version]],
        [changed({ maxFeePerGas: '0x77359400', signature: '0x' }), ENTRY_POINTS[version].toLowerCase()],
      ] as const) {
        const signature = must(await wallet.sign(accounts[version], operation, entryPoint));
        const hash = toHex(userOperationHash(toUserOperation(operation), wallet.placeOf(version)));
        const signer =
          version === '0.8' || version === '0.9'
            ? await recoverAddress({ hash, signature })
            : await recoverMessageAddress({ message: { raw: hash }, signature });
        expect(signer).toBe(owner);
      }
    });

    it.each<[string, Partial<WireOperation>, string]>([
      ['a foreign sender', { sender: OTHER }, 'userOperation.sender: must be the address of the account'],
      [
        'a foreign factory',
        { initCode: `0x${'ab'.repeat(60)}` },
        "userOperation.initCode: must be 0x, or this account's own",
      ],
      [
        'an initCode of 19 bytes',
        { initCode: `0x${'ab'.repeat(19)}` },
        'userOperation.initCode: must be 0x, or start with the 20-byte address',
      ],
      [
        'an initCode of 1 byte',
        { initCode: '0x12' },
        'userOperation.initCode: must be 0x, or start with the 20-byte address',
      ],
      [
        "EIP-7702's marker",
        { initCode: `0x7702${'00'.repeat(18)}` },
        "userOperation.initCode: must be 0x, or this account's own",
      ],
      [
        'no initCode any more',
        { initCode: '0x' },
        'userOperation.initCode: must not change after the operation was prepared',
      ],
      ['other call data', { callData: '0xb61d27f6' }, 'userOperation.callData: must not change after'],
      ['another nonce', { nonce: '0x5' }, 'userOperation.nonce: must not change after'],
      ['another callGasLimit', { callGasLimit: '0x1' }, 'userOperation.callGasLimit: must not change after'],
      [
        'another verificationGasLimit',
        { verificationGasLimit: '0x1' },
        'userOperation.verificationGasLimit: must not change after',
      ],
      [
        'another preVerificationGas',
        { preVerificationGas: '0xffffff' },
        'userOperation.preVerificationGas: must not change after',
      ],
      [
        'a paymaster of its own',
        { paymasterAndData: `0x${'ab'.repeat(20)}${'00'.repeat(40)}` },
        'userOperation.paymasterAndData: must not change after',
      ],
      [
        'a paymasterAndData of 19 bytes',
        { paymasterAndData: `0x${'ab'.repeat(19)}` },
        'userOperation.paymasterAndData: must be 0x, or start with',
      ],
      [
        'callGasLimit of 2^128',
        { callGasLimit: power(128n) },
        'userOperation.callGasLimit: must be a hex quantity without leading zeros, at most 2^120-1',
      ],
      [
        'verificationGasLimit of 2^120',
        { verificationGasLimit: power(120n) },
        'userOperation.verificationGasLimit: must be a hex quantity',
      ],
      [
        'preVerificationGas of 2^120',
        { preVerificationGas: power(120n) },
        'userOperation.preVerificationGas: must be a hex quantity',
      ],
      ['maxFeePerGas of 2^120', { maxFeePerGas: power(120n) }, 'userOperation.maxFeePerGas: must be a hex quantity'],
      [
        'a priority fee above the maximum',
        { maxPriorityFeePerGas: power(100n) },
        'userOperation.maxPriorityFeePerGas: must not be above maxFeePerGas',
      ],
      [
        'a nonce with leading zeros',
        { nonce: '0x00' },
        'userOperation.nonce: must be a hex quantity without leading zeros',
      ],
      ['half a byte of call data', { callData: '0xabc' }, 'userOperation.callData: must be bytes'],
    ])('refuses %s', async (_name, change, sentence) => {
      expect(await refusalOf(version, 'eth_signUserOperation', [changed(change)])).toContain(sentence);
    });

    it('refuses an entry point off the list, and that of another version', async () => {
      for (const entryPoint of [
        OTHER,
        ...ACCOUNT_VERSIONS.filter((other) => other !== version).map((other) => ENTRY_POINTS[other]),
      ])
        expect(await refusalOf(version, 'eth_signUserOperation', [changed({}), entryPoint])).toContain(
          `entryPoint: must be ${ENTRY_POINTS[version]}, the entry point ${version} of this account on this network`,
        );
      expect(await refusalOf(version, 'eth_signUserOperation', [changed({}), '0x12'])).toMatch(
        /^entryPoint: must be an address/u,
      );
    });

    it('refuses an operation with a field missing, and one with a field too many', async () => {
      const { nonce: _nonce, ...without } = changed({});
      expect(await refusalOf(version, 'eth_signUserOperation', [without])).toBe('userOperation.nonce: is missing');
      const more = { ...changed({}), factory: OTHER };
      expect(await refusalOf(version, 'eth_signUserOperation', [more])).toBe(
        'userOperation.factory: is not a known field',
      );
      expect(await refusalOf(version, 'eth_signUserOperation', [])).toBe('userOperation: is missing');
    });

    it('refuses to patch for a foreign sender', async () => {
      expect(await refusalOf(version, 'eth_patchUserOperation', [changed({ sender: OTHER })])).toContain(
        'userOperation.sender',
      );
    });

    it.each<[string, unknown[], string]>([
      ['no intents', [], 'intents: must'],
      [
        'an intent without a recipient',
        [{ value: '0x0', data: '0x6000' }],
        'intents[0].to: must be an address: a SimpleAccount cannot create contracts',
      ],
      [
        'a contract creation',
        [INTENT, { to: null, value: '0x0', data: '0x6000' }],
        'intents[1].to: must be an address: a SimpleAccount cannot create contracts',
      ],
      [
        "MetaMask's form of one",
        [{ to: `0x${'00'.repeat(20)}`, value: '0x0', data: '0x6000' }],
        'intents[0].to: must not be the zero address in a call with data',
      ],
      ['a value above 2^256', [{ ...INTENT, value: power(256n) }], 'intents[0].value: must be a hex quantity'],
      ['a gas limit of its own', [{ ...INTENT, gas: '0x1' }], 'intents[0].gas: is not a known field'],
      ['a list in the list', [[INTENT]], 'intents[0]'],
    ])('refuses to prepare %s', async (_name, intents, sentence) => {
      expect(await refusalOf(version, 'eth_prepareUserOperation', intents)).toContain(sentence);
    });

    it('decodes what it prepared, and nothing else', async () => {
      const { result } = await wallet.ask<Json>(
        accounts[version],
        'eth_decodeUserOperationCallData',
        [prepared[version].callData],
        '',
      );
      expect(result).toEqual([INTENT]);
      expect(await refusalOf(version, 'eth_decodeUserOperationCallData', ['0xdeadbeef'])).toBe(
        `callData: must be call data that eth_prepareUserOperation creates for a SimpleAccount ${version}`,
      );
    });

    it('does not offer to sign messages, which its contract could not verify', async () => {
      expect(accounts[version].methods).toEqual([
        'eth_prepareUserOperation',
        'eth_patchUserOperation',
        'eth_signUserOperation',
      ]);
      expect(await refusalOf(version, 'personal_sign', ['0x00', accounts[version].address])).toContain(
        `a SimpleAccount ${version} cannot verify message signatures (ERC-1271)`,
      );
    });

    it('has the address that its factory computes', async () => {
      const kind = KINDS[`simple-account-${version}`];
      const { owner } = accounts[version].options as { owner: Hex };
      const getAddress = [
        {
          type: 'function',
          name: 'getAddress',
          stateMutability: 'view',
          inputs: [{ type: 'address' }, { type: 'uint256' }],
          outputs: [{ type: 'address' }],
        },
      ] as const;
      for (const salt of [0n, 1n, 2n ** 256n - 1n])
        expect(
          await world.chain.readContract({
            address: kind.factory,
            abi: getAddress,
            functionName: 'getAddress',
            args: [owner, salt],
          }),
        ).toBe(kind.address({ factory: kind.factory, owner, salt }));
    });
  });

  it.each(['0.7', '0.8'] as const)(
    'refuses a paymasterAndData of 51 bytes, and gas limits in it past 2^120, at %s',
    async (version) => {
      const sign = (paymasterAndData: Hex) =>
        refusalOf(version, 'eth_signUserOperation', [{ ...prepared[version], paymasterAndData }]);
      expect(await sign(`0x${'ab'.repeat(51)}`)).toContain(
        'userOperation.paymasterAndData: must be 0x, or at least 52 bytes',
      );
      expect(await sign(`0x${'ff'.repeat(60)}`)).toContain(
        'userOperation.paymasterAndData: must contain gas limits of at most 2^120-1',
      );
    },
  );

  it('refuses value in a batch at 0.6, and takes it at 0.7', async () => {
    expect(await refusalOf('0.6', 'eth_prepareUserOperation', [{ ...INTENT, value: '0x0' }, INTENT])).toContain(
      'intents[1].value: must be 0x0: a SimpleAccount 0.6 cannot send value in a batch',
    );
    const { result } = await wallet.prepare(accounts['0.7'], [INTENT, INTENT]);
    expect(result?.callData).toMatch(/^0x47e1da2a/u);
  });

  it("refuses a chain that is not set up, one that is not the account's, and nonsense", async () => {
    expect(await refusalOf('0.7', 'eth_prepareUserOperation', [INTENT], 'eip155:1')).toBe(
      "scope: must be one of the account's chains: eip155:31337",
    );
    expect(await refusalOf('0.7', 'eth_prepareUserOperation', [INTENT], 'solana:1')).toContain(
      'scope: must be an EVM chain',
    );
    const options = { type: 'eip155:erc4337', chainId: 'eip155:10' };
    const elsewhere = must(
      await wallet.call<KeyringAccount>('keyring_createAccount', { options: { ...options, index: 50 } }),
    );
    const { error } = await wallet.prepare(elsewhere, [INTENT], 'eip155:10');
    expect(error?.message).toBe('scope: must be a network that is set up in Keystead; eip155:10 is not');
  });

  it('takes a request without a scope as one for the only chain of the account', async () => {
    expect((await wallet.prepare(accounts['0.8'], [INTENT], '')).result).toMatchObject({ nonce: '0x0' });
  });

  it('signs an operation that was made elsewhere, after it said so', async () => {
    const fresh = await wallet.createSmart('0.7', 9);
    const operation = { ...prepared['0.7'], sender: fresh.address as Hex, initCode: '0x' as const };
    const request = wallet.submit(fresh.id, 'eth_signUserOperation', [operation] as unknown as Json, CHAIN);
    const screen = await request.getInterface();
    const text = JSON.stringify(screen.content);
    expect(text).toContain('Keystead did not prepare this operation');
    expect(text).toContain('The account cannot pay for this operation. It needs 0.00');
    await screen.cancel();
    expect((await request).response).toMatchObject({ error: { code: 4001 } });
  });

  it('shows every call, who pays and the most it can cost, before it signs', async () => {
    const account = accounts['0.7'];
    // addDeposit() of the account itself.
    const intents = [INTENT, { to: account.address as Hex, value: '0x0', data: '0x4a58db19' }] as const;
    const operation = operationOf(account.address, must(await wallet.prepare(account, [...intents])));
    const request = wallet.submit(account.id, 'eth_signUserOperation', [operation] as unknown as Json, CHAIN);
    const screen = await request.getInterface();
    const text = JSON.stringify(screen.content).toLowerCase();
    for (const part of [
      TO,
      '1  send funds',
      '2  unknown call',
      'the account itself. it can change who owns the account',
      'fee payer',
      'network fee',
      'simpleaccount 0.7, deployed by this operation',
    ])
      expect(text).toContain(part);
    await screen.ok();
    expect((await request).response).toMatchObject({ result: { pending: false } });
  });
});
