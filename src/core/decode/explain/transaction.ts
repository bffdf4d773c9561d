import { isSameAddress, ZERO_ADDRESS } from '../../eth/address';
import { authorityOf } from '../../eth/authorization';
import { type Hex } from '../../eth/bytes';
import { type Transaction } from '../../eth/transaction';
import { counted } from '../../eth/units';
import { Findings } from '../effects/findings';
import { type CallGas, type SimulatedCall, type Simulation } from '../effects/outcome';
import { titleOf } from '../effects/title';
import { type Explanation, type Line, type Section, type Viewpoint } from '../explanation';
import { freshBudget, readCall } from '../rules/calls';
import { comparedPrice, feeText } from '../rules/payment';
import { type Scene } from '../scene';
import { address, byteCount, checkSpelling, dataBody, dynamicFeeLines, text } from '../words/lines';
import { gwei, nativeAmount } from '../words/units';
import { conclude } from './conclude';
import { type Delegation, delegationLines, effectiveDelegations, unsignedLines, upgradeLines } from './delegations';

/** A screen shows no more addresses. */
const MAX_ACCESS_LIST = 20;

/** The action of a transaction, regardless of its fee. */
export type Action = Pick<Transaction, 'to' | 'value' | 'data' | 'chainId'>;

type Decoded = { readonly title: string; readonly sections: readonly Section[] };

function creation({ value, data }: Action, scene: Scene): Decoded {
  const { findings, view } = scene;
  // The arguments of a constructor are the last words.
  const args = data.slice(2 + ((data.length - 2) % 64)).toLowerCase();
  findings.signed.addWords('Argument', args);
  if (value > 0n) findings.signed.add([{ kind: 'amount', label: 'Value', amount: value, isNative: true }]);
  findings.add([
    { kind: 'creation', value, isEmpty: data === '0x' },
    { kind: 'move', from: view.signer, to: undefined, asset: { kind: 'native' }, amount: value },
  ]);
  return { title: `Create a contract${value > 0n ? ` and send it ${nativeAmount(value, scene)}` : ''}`, sections: [] };
}

/** An account that runs the code of a contract (EIP-7702) acts on data that it sends itself. */
function noteSelfCall({ to, data }: Action, { findings, view: { signer, recipients } }: Scene): void {
  if (to === null || data === '0x' || !isSameAddress(to, signer)) return;
  const code = Object.entries(recipients?.hasCode ?? {}).find(([address]) => isSameAddress(address as Hex, signer));
  if (code?.[1] !== false) findings.add([{ kind: 'self-call' }]);
}

/** The call that a transaction makes. Without data, only its sentence is needed. */
function decoded(action: Action, scene: Scene): Decoded {
  const { to, value, data } = action;
  if (to === null) return creation(action, scene);
  const { findings, view } = scene;
  checkSpelling(to, 'The recipient address', findings);
  const call = { to, value, from: view.signer, data: data.slice(2).toLowerCase() };
  const { section, headline, isExplained, isVouched } = readCall(call, scene);
  if (!isExplained) noteSelfCall(action, scene);
  return { title: titleOf(headline, isExplained, isVouched, scene), sections: data === '0x' ? [] : [section] };
}

/** The known facts about an action's fee and funds. */
type Payment = { readonly fee?: string; readonly shortage?: string; readonly lines?: readonly Line[] };

/** What a request says about its call besides target, value and data. */
export type CallTerms = Pick<SimulatedCall, 'gas' | 'nonce' | 'accessList' | 'authorizationList'>;

/** An action, the accounts whose code its transaction changes, and a title that says more than that of its call. */
type TitledAction = Action & Pick<Simulation, 'delegations'> & { readonly title?: string; readonly terms: CallTerms };

function explain(action: TitledAction, view: Viewpoint, paymentOf: (scene: Scene) => Payment): Explanation {
  const { to, value, data, chainId, delegations = [], terms } = action;
  const scene = { view, chainId, findings: new Findings(), budget: freshBudget() };
  const { title, sections } = decoded(action, scene);
  const { fee, shortage, lines = [] } = paymentOf(scene);
  const calls = [{ from: view.signer, to, value, data, ...terms }];
  const simulation = { chainId, account: view.signer, calls, delegations };
  const body = data === '0x' ? undefined : dataBody('Data', data, scene.findings);
  const { expected, ...whole } = conclude(scene, {
    sections,
    simulation,
    shortage,
    explainWith: (found) => explain(action, { ...view, ...found }, paymentOf),
  });
  return {
    ...whole,
    title: action.title ?? title,
    ...(fee !== undefined && { fee }),
    lines: [
      ...expected,
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

/** The parts of a transaction that is not complete yet, as far as they are known. */
type OpenTerms = {
  readonly terms?: CallTerms;
  /** The contracts that its unsigned authorizations name (EIP-7702). The wallet signs them for the sender. */
  readonly delegates?: readonly Hex[];
};

/** Explains a transaction's target, value and calls. */
export const explainAction = (
  action: Action,
  view: Viewpoint,
  { terms = {}, delegates = [] }: OpenTerms = {},
): Explanation => {
  const delegations = delegates.slice(-1).map((address) => ({ authority: view.signer, address }));
  return explain({ ...action, terms, delegations }, view, (scene) => {
    judgeFee(terms.gas ?? {}, scene);
    return { lines: unsignedLines(delegates, scene) };
  });
};

/** The authorizations of a transaction; its rules have checked their signatures. */
const delegationsOf = (tx: Transaction): Delegation[] =>
  tx.type !== 'eip7702'
    ? []
    : tx.authorizationList.flatMap((authorization) => {
        const authority = authorityOf(authorization);
        return authority === undefined ? [] : [{ ...authorization, authority }];
      });

const feeLines = (tx: Transaction): Line[] =>
  'maxFeePerGas' in tx ? dynamicFeeLines(tx) : [text('Gas price', gwei(tx.gasPrice))];

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

const maximumFee = (tx: Transaction): bigint => tx.gasLimit * ('maxFeePerGas' in tx ? tx.maxFeePerGas : tx.gasPrice);

/** @returns The most that a transaction can take from its account, in wei. */
export const mostItTakes = (tx: Transaction): bigint => tx.value + maximumFee(tx);

/** The balance is negative if pending transactions use up more than there is. */
function shortageOf(tx: Transaction, scene: Scene): string | undefined {
  const { balance } = scene.view;
  if (balance === undefined || mostItTakes(tx) <= balance) return undefined;
  const has = nativeAmount(balance < 0n ? 0n : balance, scene);
  return `This can cost up to ${nativeAmount(mostItTakes(tx), scene)}, but the account has only ${has} available.`;
}

const gasOf = (tx: Transaction): CallGas => ({
  limit: tx.gasLimit,
  ...('maxFeePerGas' in tx
    ? { maxFeePerGas: tx.maxFeePerGas, maxPriorityFeePerGas: tx.maxPriorityFeePerGas }
    : { gasPrice: tx.gasPrice }),
});

/** All that a transaction says about its call, so that it is simulated as it is signed. */
const termsOf = (tx: Transaction): CallTerms => ({
  gas: gasOf(tx),
  nonce: tx.nonce,
  ...('accessList' in tx && { accessList: tx.accessList }),
  ...('authorizationList' in tx && { authorizationList: tx.authorizationList }),
});

/** A fee below the network's is not lowered for the preview: it is said, since the transaction may not be included. */
function judgeFee({ maxFeePerGas, gasPrice }: CallGas, { findings, view: { baseFee } }: Scene): void {
  const most = maxFeePerGas ?? gasPrice;
  if (most !== undefined && baseFee !== undefined && most < baseFee)
    findings.note(
      `This pays at most ${gwei(most)} per gas, but the network takes ${gwei(baseFee)} now. It is not included until that falls.`,
    );
}

const paymentLines =
  (tx: Transaction, more: (scene: Scene) => readonly Line[]) =>
  (scene: Scene): Payment => {
    const shortage = shortageOf(tx, scene);
    judgeFee(gasOf(tx), scene);
    scene.findings.add(comparedPrice('maxFeePerGas' in tx ? tx.maxFeePerGas : tx.gasPrice, scene));
    return {
      fee: feeText(maximumFee(tx), scene),
      ...(shortage !== undefined && { shortage }),
      lines: [
        text('Nonce', tx.nonce.toString()),
        text('Gas limit', tx.gasLimit.toString()),
        ...feeLines(tx),
        text('Maximum network fee', nativeAmount(maximumFee(tx), scene)),
        ...accessListLines(tx),
        ...more(scene),
      ],
    };
  };

/** Explains a transaction: what it does, and its maximum fee. */
export const explainTransaction = (tx: Transaction, view: Viewpoint): Explanation => {
  const delegations = delegationsOf(tx);
  const effective = effectiveDelegations(delegations, tx.nonce, view.signer);
  const payment = paymentLines(tx, (scene) => delegationLines(delegations, tx.nonce, scene));
  return explain({ ...tx, terms: termsOf(tx), delegations: effective }, view, payment);
};

/**
 * Explains a transaction of Keystead's own with which a delegated account makes calls, or is delegated first
 * (EIP-7702).
 *
 * @param upgrade - The contract whose code the account runs from this transaction on, if it does not run it yet; the
 * zero address if it runs none any more.
 * @param of - The account that is upgraded, and the nonce of its authorization, if another account pays for it.
 */
export const explainOwnCalls = (
  tx: Transaction,
  upgrade: Hex | undefined,
  view: Viewpoint,
  of: { readonly authority: Hex; readonly nonce: bigint } = { authority: view.signer, nonce: tx.nonce + 1n },
): Explanation => {
  const delegations = upgrade === undefined ? [] : [{ authority: of.authority, address: upgrade }];
  const lines = (scene: Scene) => (upgrade === undefined ? [] : upgradeLines({ ...of, address: upgrade }, scene));
  const title = upgrade === ZERO_ADDRESS && { title: 'Take back the upgrade of your account' };
  return explain({ ...tx, terms: termsOf(tx), delegations, ...title }, view, paymentLines(tx, lines));
};
