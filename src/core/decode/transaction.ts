import { type Transaction } from '../eth/transaction';
import { counted } from '../eth/units';
import { freshBudget, readCall, type Scene } from './calls';
import { conclude } from './conclusion';
import { Findings } from './dangers';
import { address, byteCount, checkSpelling, dataBody, dynamicFeeLines, text } from './lines';
import { type Explanation, type Line, type Section, type Viewpoint } from './types';
import { gwei, nativeAmount } from './units';

/** A screen shows no more addresses. */
const MAX_ACCESS_LIST = 20;

/**
 * What a transaction does, regardless of its fee.
 *
 * @example
 * ```ts
 * const action: Action = { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x', chainId: 1n };
 * ```
 */
export type Action = Pick<Transaction, 'to' | 'value' | 'data' | 'chainId'>;

type Decoded = { readonly title: string; readonly sections: readonly Section[] };

function creation({ value, data }: Action, scene: Scene): Decoded {
  const { findings, view } = scene;
  if (value > 0n)
    findings.danger(
      'value-to-creation',
      () =>
        `This sends ${nativeAmount(value, scene)} to a contract that does not exist yet. Its code decides who gets it.`,
    );
  if (data === '0x')
    findings.warn('This creates a contract without any code. The recipient was probably left out by mistake.');
  findings.effects.move(view.signer, { from: view.signer, to: undefined }, { kind: 'native' }, value);
  return { title: `Create a contract${value > 0n ? ` and send it ${nativeAmount(value, scene)}` : ''}`, sections: [] };
}

/** The call that a transaction makes. Without data, only its sentence is needed. */
function decoded(action: Action, scene: Scene): Decoded {
  const { to, value, data } = action;
  if (to === null) return creation(action, scene);
  const { findings, view } = scene;
  checkSpelling(to, 'The recipient address', findings);
  const section = readCall({ to, value, from: view.signer, data: data.slice(2).toLowerCase() }, scene);
  return { title: section.summary ?? section.title, sections: data === '0x' ? [] : [section] };
}

/** What can be said of an action's fee and funds. */
type Payment = { readonly fee?: string; readonly shortage?: string; readonly lines?: readonly Line[] };

function explain(action: Action, view: Viewpoint, paymentOf: (scene: Scene) => Payment): Explanation {
  const { to, value, data, chainId } = action;
  const scene = { view, chainId, findings: new Findings(), budget: freshBudget() };
  const { title, sections } = decoded(action, scene);
  const { fee, shortage, lines = [] } = paymentOf(scene);
  const simulation = { chainId, account: view.signer, calls: [{ from: view.signer, to, value, data }] };
  const body = data === '0x' ? undefined : dataBody('Data', data, scene.findings);
  const whole = conclude(scene, {
    simulation,
    shortage,
    again: (found) => explain(action, { ...view, ...found }, paymentOf),
  });
  return {
    ...whole,
    title,
    ...(fee !== undefined && { fee }),
    lines: [
      to === null ? text('To', 'a new contract') : address('To', to),
      text('Value', nativeAmount(value, scene)),
      text('Chain ID', chainId.toString()),
      text('Data', data === '0x' ? 'none' : byteCount(data.slice(2))),
      ...lines,
    ],
    sections,
    ...(body && { body }),
  };
}

/**
 * Explains a transaction's target, value and calls.
 *
 * @example
 * ```ts
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const to = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * explainAction({ to, value: 10n ** 18n, data: '0x', chainId: 1n }, view).title; // => 'Send 1 ETH to 0xd8dA…6045'
 * const creation = explainAction({ to: null, value: 10n ** 18n, data: '0x6001', chainId: 1n }, view);
 * creation.dangers.map(({ code }) => code); // => ['value-to-creation']
 * ```
 */
export const explainAction = (action: Action, view: Viewpoint): Explanation => explain(action, view, () => ({}));

const feeLines = (tx: Transaction): Line[] =>
  tx.type === 'eip1559' ? dynamicFeeLines(tx) : [text('Gas price', gwei(tx.gasPrice))];

/** The number of addresses in the access list, and the first of them. */
function accessListLines(tx: Transaction): Line[] {
  if (tx.type === 'legacy' || tx.accessList.length === 0) return [];
  return [
    text('Access list', counted(tx.accessList.length, 'address', 'addresses')),
    ...tx.accessList
      .slice(0, MAX_ACCESS_LIST)
      .map(({ address: at, storageKeys }, index) =>
        address(`Access ${index + 1} (${counted(storageKeys.length, 'storage key')})`, at),
      ),
  ];
}

const maximumFee = (tx: Transaction): bigint => tx.gasLimit * (tx.type === 'eip1559' ? tx.maxFeePerGas : tx.gasPrice);

/**
 * @returns The most that a transaction can take from its account, in wei.
 *
 * @example
 * ```ts
 * const payment = { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x' } as const;
 * const gas = { gasLimit: 21_000n, gasPrice: 20n * 10n ** 9n };
 * mostItTakes({ type: 'legacy', chainId: 1n, nonce: 7n, ...payment, ...gas }); // => 1_000_420_000_000_000_000n
 * ```
 */
export const mostItTakes = (tx: Transaction): bigint => tx.value + maximumFee(tx);

/** The balance is negative if pending transactions use up more than there is. */
function shortageOf(tx: Transaction, scene: Scene): string | undefined {
  const { balance } = scene.view;
  if (balance === undefined || mostItTakes(tx) <= balance) return undefined;
  const has = nativeAmount(balance < 0n ? 0n : balance, scene);
  return `This can cost up to ${nativeAmount(mostItTakes(tx), scene)}, but the account has only ${has} available.`;
}

/**
 * Explains a transaction: what it does, and its maximum fee.
 *
 * @example
 * ```ts
 * const fees = { gasLimit: 21_000n, maxFeePerGas: 20n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
 * const payment = { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x' } as const;
 * const transaction = { type: 'eip1559', chainId: 1n, nonce: 7n, ...payment, ...fees, accessList: [] } as const;
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * explainTransaction(transaction, view).fee; // => 'up to 0.00042 ETH'
 * const { failure } = explainTransaction(transaction, { ...view, balance: 10n ** 18n });
 * failure?.includes('has only 1 ETH'); // => true
 * ```
 */
export const explainTransaction = (tx: Transaction, view: Viewpoint): Explanation =>
  explain(tx, view, (scene) => {
    const shortage = shortageOf(tx, scene);
    return {
      fee: `up to ${nativeAmount(maximumFee(tx), scene)}`,
      ...(shortage !== undefined && { shortage }),
      lines: [
        text('Nonce', tx.nonce.toString()),
        text('Gas limit', tx.gasLimit.toString()),
        ...feeLines(tx),
        ...accessListLines(tx),
      ],
    };
  });
