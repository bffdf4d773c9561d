import { isSameAddress, ZERO_ADDRESS } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { networkTitle } from '../../networks/network';
import { type RecipientFacts } from '../explanation';
import { entryOf } from '../metadata/contract-metadata';
import { type WordScene } from '../scene';
import { allOf, isUnlimited, rowAmount, shortAmount, tokenName, tokenOf } from '../words/amounts';
import { contractName, isPublicContract, knownContracts } from '../words/known-contracts';
import { nameOf, shortAddress, spelled, wrongNetwork } from '../words/names';
import { isNever, utcTime } from '../words/time';
import { nativeAmount, networkIn } from '../words/units';
import { assetOf, knownChanges, plus } from './changes';
import { type Allow, type Delegated, type Effect, type FoundEffect, type Move } from './effect';
import { type Allowance } from './outcome';
import { type Beneficiary, isBurnAddress, isPrecompile, looksLike, MANY_BENEFICIARIES } from './recipients';
import { Verdict } from './verdict';

/** A fee this many times what the node suggests is a warning, and a danger. */
const HIGH_FEE = 10n;
const EXCESSIVE_FEE = 100n;

/** More gas than a bundler needs for an operation of 128 KiB, and more than a block of most networks has. */
const HIGH_OVERHEAD = 10_000_000n;
const EXCESSIVE_OVERHEAD = 100_000_000n;

/** A deadline limits the use of a signature. The permission it gives may last longer. */
const ENDLESS_SIGNATURE = 'This signature can be used for more than ten years.';

/** ", now and in the future" or " until …"; empty if the end has passed. Permit2 then allows the current block only. */
function duration(end: bigint | undefined, now: bigint): string {
  if (end === undefined || isNever(end, now)) return ', now and in the future';
  return end > now ? ` until ${utcTime(end)}` : '';
}

function judgeMove(move: Move, scene: WordScene, verdict: Verdict): void {
  const { view } = scene;
  const { asset, amount, from, to, isRefund } = move;
  if (amount === 0n) return;
  // An ID may be as large as it likes, so only the largest number means everything where the token is not known.
  const isAll =
    asset.kind === 'erc20' &&
    (amount === MAX_UINT256 || (tokenOf(asset.token, asset.declared, scene) !== undefined && isUnlimited(amount)));
  if (isAll && to !== undefined)
    verdict.danger(
      'everything',
      () => `This sends ${allOf(tokenName(asset.token, scene), from, view)} to ${nameOf(to, view)}.`,
    );
  if (isRefund === true)
    verdict.danger('gas-refund', () => {
      const who = to === undefined ? 'whoever submits it' : nameOf(to, view);
      return `This pays ${rowAmount(assetOf(move, scene), scene)} or more for gas to ${who}. It could take everything that the Safe holds.`;
    });
  if (to !== undefined && asset.kind !== 'native' && isPublicContract(to))
    verdict.danger(
      'public-contract',
      () =>
        `This sends ${shortAmount(assetOf(move, scene), scene)} to ${nameOf(to, view)}. Anybody can take it from there.`,
    );
}

/** The permissions of one spender over one token, with their sum. */
type Permission = Allow & { readonly longest: bigint | undefined };

const withLongest = (allow: Allow): Permission => ({ ...allow, longest: allow.end });

/** Adds up the permissions of one spender over one token of one owner. */
function permissionsIn(effects: readonly FoundEffect[]): Permission[] {
  const all = new Map<string, Permission>();
  for (const effect of effects) {
    if (effect.kind !== 'allow' || effect.amount === 0n) continue;
    const { of, owner, spender, token, id, once, isDebt } = effect;
    const key = `${of}/${owner}/${spender}/${token}/${id}/${once}/${isDebt}`.toLowerCase();
    const before = all.get(key);
    if (before === undefined) all.set(key, withLongest(effect));
    else {
      const endless = before.longest === undefined || effect.end === undefined;
      const later = endless || before.longest > effect.end ? before.longest : effect.end;
      all.set(key, {
        ...before,
        amount: plus(before.amount, effect.amount),
        longest: endless ? undefined : later,
      });
    }
  }
  return [...all.values()];
}

function judgePermission(permission: Permission, scene: WordScene, verdict: Verdict): void {
  const { view } = scene;
  const { of, owner, spender, token, amount, longest, once, isDebt } = permission;
  const who = nameOf(spender, view);
  if (of === 'everything') {
    const place = token === undefined ? 'a contract' : `contract ${shortAddress(token)}`;
    const holder =
      owner === undefined
        ? 'the calling account holds'
        : isSameAddress(owner, view.signer)
          ? 'you hold'
          : `account ${shortAddress(owner)} holds`;
    verdict.danger(
      'approval-for-all',
      () => `This lets ${who} move everything ${holder} in ${place}, now and in the future.`,
    );
  }
  const holdings = () => allOf(tokenName(token, scene), owner, view);
  if (of !== 'everything' && isUnlimited(amount)) {
    if (isDebt === true)
      verdict.danger('unlimited-approval', () => {
        const debtor = owner === undefined ? 'the calling account' : nameOf(owner, view);
        return `This lets ${who} borrow an unlimited amount that ${debtor} has to repay, now and in the future.`;
      });
    else if (once === true) verdict.danger('everything', () => `This lets ${who} take ${holdings()}, once.`);
    else
      verdict.danger('unlimited-approval', () => `This lets ${who} spend ${holdings()}${duration(longest, view.now)}.`);
  }
  if (isPublicContract(spender))
    verdict.danger('public-contract', () => `This lets ${who} spend ${tokenName(token, scene)}. Anybody can use that.`);
}

/** How long a permission or a signature counts. One that takes a permission back may last. */
function judgeEnds({ amount, end, deadline }: Allow, { view }: WordScene, verdict: Verdict): void {
  if (amount === 0n) return;
  if (end !== undefined && isNever(end, view.now)) verdict.always('never-expires');
  if (deadline !== undefined && isNever(deadline, view.now)) verdict.danger('never-expires', () => ENDLESS_SIGNATURE);
}

function judgeDelegation(effect: Delegated, scene: WordScene, verdict: Verdict): void {
  const { view } = scene;
  const { delegate, authority, idleNonce, isOwn } = effect;
  const chainId = scene.chainId ?? effect.chainId;
  const code = contractName(delegate) ?? shortAddress(delegate);
  const takesBack = delegate === ZERO_ADDRESS;
  if (isOwn === true) {
    const network = chainId === undefined ? 'this network' : networkTitle(chainId, view.networks?.[chainId.toString()]);
    const isSigner = authority === undefined || isSameAddress(authority, view.signer);
    const whose = isSigner ? 'your account' : nameOf(authority, view);
    verdict.warn(
      takesBack
        ? `This takes back the upgrade (EIP-7702) of ${whose} on ${network}. The account is then an ordinary one again.`
        : `This upgrades your account on ${network} only: it runs the code of ${code} from now on, which makes several calls at once and lets others pay the fee. Address, key and assets stay the same. You can take it back on Keystead's home page.`,
    );
    return;
  }
  if (authority === undefined) {
    if (takesBack) verdict.warn('This takes back the upgrade (EIP-7702) of an account.');
    else
      verdict.danger(
        'account-delegation',
        () => `This makes an account run the code of ${code}, which decides over everything that the account holds.`,
      );
    return;
  }
  const network = chainId === undefined ? 'this network' : networkIn(scene, chainId).name;
  const who = nameOf(authority, view);
  if (idleNonce !== undefined)
    verdict.warn(`The authorization of ${who} with nonce ${idleNonce} has no effect here. It may take effect later.`);
  if (takesBack)
    verdict.warn(
      `This takes back the upgrade (EIP-7702) of ${who} on ${network}. The account is then an ordinary one again.`,
    );
  else
    verdict.danger(
      'account-delegation',
      () =>
        `This makes ${who} run the code of ${code} on ${network}. That code decides over everything that the account holds there, until the delegation is taken back.`,
    );
}

function judgeUnknownPermission(
  { what, to }: Extract<Effect, { kind: 'permission' }>,
  scene: WordScene,
  verdict: Verdict,
): void {
  const who = to === undefined ? 'somebody' : nameOf(to, scene.view);
  switch (what) {
    case 'all':
      verdict.danger('approval-for-all', () => `This may let ${who} move everything you hold in a contract.`);
      break;
    case 'unlimited':
      verdict.danger(
        'unlimited-approval',
        () => `This may let ${who} spend an unlimited amount of your tokens, now and in the future.`,
      );
      break;
    case 'agent':
      verdict.danger('account-administration', () => `This may let ${who} act for your account.`);
      break;
    case 'amount':
      verdict.danger(
        'unknown-permission',
        () => `This may give ${who} permission to spend your tokens or act for your account.`,
      );
      break;
    case 'described':
      verdict.warn(`This may give ${who} permission to spend your tokens or act for your account.`);
  }
}

/** The sentences of dangers and warnings that need nothing but the effect itself. */
function judgeFact(effect: FoundEffect, scene: WordScene, verdict: Verdict): void {
  const { view } = scene;
  const name = (address: Hex): string => nameOf(address, view);
  switch (effect.kind) {
    case 'control':
      verdict.danger('account-administration', () => `This ${effect.does(name)}.`);
      break;
    case 'withdrawal':
      verdict.danger(
        'account-administration',
        () =>
          `This withdraws a deposit of ${nativeAmount(effect.wei, scene)} from ${name(effect.contract)} and sends it to ${name(effect.to)}.`,
      );
      break;
    case 'limits-unread': {
      const limits =
        effect.count === 0
          ? 'without limits'
          : `within ${effect.count === 1 ? 'a limit' : 'limits'} that Keystead cannot read`;
      verdict.danger(
        'account-administration',
        () => `This lets ${shortAddress(effect.by)} do anything with ${name(effect.of)}, ${limits}.`,
      );
      break;
    }
    case 'order':
      if (!isSameAddress(effect.offerer, view.signer))
        verdict.warn('An order is offered by another account, not by the one you are signing with.');
      if (effect.gives && !effect.gets)
        verdict.danger('nothing-in-return', () =>
          isSameAddress(effect.offerer, view.signer)
            ? 'This order gives your items away. You receive nothing in return.'
            : `This order gives items of ${shortAddress(effect.offerer)} away. That account receives nothing in return.`,
        );
      break;
    case 'foreign-code': {
      const { code } = effect;
      if (code === undefined) verdict.always('delegatecall');
      else
        verdict.danger(
          'delegatecall',
          () =>
            `This runs the code at ${shortAddress(code)} as the account itself. That code can take everything the account holds.`,
        );
      break;
    }
    case 'malformed':
      if (effect.what === 'call') verdict.always('malformed-call');
      else if (effect.what === 'paymaster')
        verdict.danger(
          'malformed-call',
          () => 'The paymaster field of this operation is invalid. Keystead cannot tell who pays for it.',
        );
      else
        verdict.danger(
          'malformed-call',
          () => 'This Safe transaction has an unknown operation type. Keystead cannot tell what it will do.',
        );
      break;
    case 'unread':
      verdict.always('not-fully-read');
      break;
    case 'network':
      verdict.danger('chain-mismatch', () => wrongNetwork(effect.named, effect.ofRequest, view));
      break;
    case 'opaque':
      if (effect.what === 'typed-data') verdict.always('typed-data-message');
      else if (effect.what === 'transaction') verdict.always('transaction-message');
      else if (effect.what === 'root')
        verdict.danger(
          'hash-message',
          () => 'This signs a hash that stands for something else. You cannot see what: it could give away everything.',
        );
      else verdict.always('hash-message');
      break;
    case 'own-contract':
      verdict.always('own-contract');
      break;
    case 'operation':
      judgeOperation(effect.sender, scene, verdict);
      break;
    case 'sign-in':
      judgeSignIn(effect, verdict);
      break;
    case 'paymaster':
      verdict.danger(
        'unknown-paymaster',
        () => `The fee is to be paid by ${shortAddress(effect.paymaster)}, a paymaster that Keystead did not choose.`,
      );
      break;
    case 'creation':
      if (effect.value > 0n)
        verdict.danger(
          'value-to-creation',
          () =>
            `This sends ${nativeAmount(effect.value, scene)} to a contract that does not exist yet. Its code decides who gets it.`,
        );
      if (effect.isEmpty)
        verdict.warn('This creates a contract without any code. The recipient was probably left out by mistake.');
      break;
    case 'fee': {
      const times = effect.suggested === 0n ? 0n : effect.price / effect.suggested;
      const words = `The price per gas is ${times.toLocaleString('en-US')} times what the network's node suggests.`;
      if (times >= EXCESSIVE_FEE) verdict.danger('excessive-fee', () => words);
      else if (times >= HIGH_FEE) verdict.warn(words);
      break;
    }
    case 'overhead': {
      const words = `The fee includes ${effect.gas.toLocaleString('en-US')} units of gas for the bundler's own work, paid whatever the calls use.`;
      if (effect.gas >= EXCESSIVE_OVERHEAD) verdict.danger('excessive-fee', () => words);
      else if (effect.gas >= HIGH_OVERHEAD) verdict.warn(words);
      break;
    }
    case 'failure':
      verdict.danger('cannot-succeed', () => effect.why);
      break;
    case 'self-call':
      verdict.warn(
        'One of the calls is to the account itself. It can change who owns the account, or replace its code.',
      );
      break;
    case 'signature':
      if (isNever(effect.end, view.now)) verdict.danger('never-expires', () => ENDLESS_SIGNATURE);
      break;
    case 'note':
      verdict.warn(effect.text);
      break;
  }
}

function judgeOperation(sender: Hex, { view }: WordScene, verdict: Verdict): void {
  const own = entryOf(view.names ?? {}, sender.toLowerCase());
  if (isSameAddress(sender, view.signer)) verdict.always('own-operation');
  else if (own !== undefined)
    verdict.danger(
      'own-operation',
      () =>
        `This makes calls from your ${own}, another account of yours. Anyone who gets the signature can have them made.`,
    );
  else
    verdict.danger(
      'foreign-operation',
      () =>
        `This is an operation of ${shortAddress(sender)}. Anyone who gets the signature can have it carried out if your key controls that account.`,
    );
}

function judgeSignIn(effect: Extract<Effect, { kind: 'sign-in' }>, verdict: Verdict): void {
  switch (effect.is) {
    case 'other-site':
      verdict.danger(
        'siwe-domain',
        () =>
          `The site ${effect.asking} wants you to sign in to ${effect.claimed}. It could use your signature to act as you there.`,
      );
      break;
    case 'other-account':
      verdict.always('siwe-address');
      break;
    case 'expired':
      verdict.warn('This sign-in has already expired.');
      break;
    case 'early':
      verdict.warn('This sign-in is not valid yet.');
      break;
    case 'malformed':
      verdict.warn('This looks like a sign-in, but it is not well-formed (ERC-4361). Sites should reject it.');
  }
}

/** Where a request sends something, or what it calls. */
export type Recipient = {
  readonly address: Hex;
  /** Whether the call to it carries data. A contract creation has no recipient. */
  readonly carriesData: boolean;
  /** What it receives, as screens write it: "1.5 ETH". Absent if it receives nothing. */
  readonly asset?: string;
  /** Whether it is the contract of the very token that it receives. */
  readonly isToken?: boolean;
};

/** The same values under addresses in lower case. */
const byAddress = <T>(values: Readonly<Record<Hex, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries<T>(values).map(([address, value]) => [address.toLowerCase(), value]));

/**
 * Judges where a request sends something. An address that the account has sent to before, or an own one, never counts as an
 * imitation.
 *
 * @param recipients - In the order of the request. Several may have the same address.
 */
export function judgeRecipients(
  recipients: readonly Recipient[],
  { used, own, hasCode }: RecipientFacts,
  verdict: Verdict,
): void {
  const names = byAddress(own);
  const code = byAddress(hasCode);
  const before = new Set(used.map((address) => address.toLowerCase()));
  for (const { address, carriesData, asset, isToken } of recipients) {
    const key = address.toLowerCase();
    const isOwn = names.has(key);
    const isFamiliar = isOwn || before.has(key) || contractName(address) !== undefined;
    const original = isFamiliar
      ? undefined
      : [...names.keys(), ...before, ...knownContracts()].find((familiar) => looksLike(key, familiar));
    if (original !== undefined)
      verdict.danger('address-poisoning', () => {
        const known = contractName(original as Hex);
        const whose = names.has(original)
          ? 'is your own account'
          : before.has(original) || known === undefined
            ? 'you have sent to before'
            : `is ${known}`;
        return `${spelled(address)} imitates ${spelled(original as Hex)}, which ${whose}.`;
      });
    if (asset !== undefined && isBurnAddress(address))
      verdict.danger(
        'burn-address',
        () => `This sends ${asset} to ${spelled(address)}, an address that nobody controls. Nobody can get it back.`,
      );
    if (isToken === true)
      verdict.danger(
        'sent-to-token-contract',
        () =>
          `This sends ${asset ?? 'tokens'} to ${spelled(address)}, the contract of the token itself. Most tokens cannot be recovered from there.`,
      );
    // An own smart account may be deployed by the very operation that calls it. Precompiled contracts have no code.
    if (carriesData && code.get(key) === false && !isOwn && !isPrecompile(address))
      verdict.danger('call-without-code', () => {
        const fate =
          asset === undefined
            ? '.'
            : `, and ${asset} will belong to whoever holds the key of that address, if anyone does.`;
        return `There is no contract at ${spelled(address)} on this network. The data does nothing${fate}`;
      });
  }
}

/** Everybody whom a request names, and what each is sent or called with. */
function recipientsIn(effects: readonly FoundEffect[], scene: WordScene): Recipient[] {
  const { signer } = scene.view;
  return effects.flatMap((effect): Recipient[] => {
    switch (effect.kind) {
      case 'move': {
        const { to, from, amount, asset } = effect;
        if (to === undefined || amount === 0n || isSameAddress(to, signer)) return [];
        if (from !== undefined && isSameAddress(from, to)) return [];
        const isToken = asset.kind !== 'native' && isSameAddress(asset.token, to);
        return [{ address: to, carriesData: false, asset: rowAmount(assetOf(effect, scene), scene), isToken }];
      }
      case 'call':
        return effect.from !== undefined && isSameAddress(effect.from, signer)
          ? [{ address: effect.to, carriesData: true }]
          : [];
      case 'allow':
        return effect.amount === 0n ? [] : [{ address: effect.spender, carriesData: false }];
      case 'named':
        return [{ address: effect.address, carriesData: false, ...(effect.isRecipient && { asset: 'something' }) }];
      case 'control':
        return effect.by === undefined ? [] : [{ address: effect.by, carriesData: false }];
      case 'withdrawal':
        return [{ address: effect.to, carriesData: false, asset: nativeAmount(effect.wei, scene) }];
      default:
        return [];
    }
  });
}

/** What a simulation finds that decoding did not: permissions, and everything of a token leaving for nothing. */
function judgeSimulation(permissions: readonly Permission[], scene: WordScene, verdict: Verdict): void {
  const { outcome } = scene.view;
  if (outcome?.kind !== 'changes') return;
  const { sends, receives } = knownChanges(scene);
  if (receives.length === 0)
    for (const { asset, isAll } of sends)
      if (isAll === true && asset.kind === 'erc20')
        verdict.danger('everything', () => `This takes all of your ${tokenName(asset.token, scene, asset.declared)}.`);
  const isDecoded = ({ token, spender }: Allowance): boolean =>
    permissions.some(
      (one) => one.token !== undefined && isSameAddress(one.token, token) && isSameAddress(one.spender, spender),
    );
  for (const found of outcome.changes.allows) {
    if (isDecoded(found)) continue;
    const { kind: of, spender, token } = found;
    const amount = found.kind === 'amount' && isUnlimited(found.amount, found.declared?.supply) ? MAX_UINT256 : 1n;
    const effect: Allow = { kind: 'allow', of, owner: scene.view.signer, spender, token, amount };
    judgePermission(withLongest(effect), scene, verdict);
  }
}

/** Coins that stay in a contract through which anybody can make any call. */
function judgeLeftCoins(effects: readonly FoundEffect[], scene: WordScene, verdict: Verdict): void {
  const left = new Map<string, bigint>();
  for (const effect of effects) {
    if (effect.kind !== 'move' || effect.asset.kind !== 'native') continue;
    for (const [party, amount] of [
      [effect.to, effect.amount],
      [effect.from, -effect.amount],
    ] as const)
      if (party !== undefined && isPublicContract(party))
        left.set(party.toLowerCase(), (left.get(party.toLowerCase()) ?? 0n) + amount);
  }
  for (const [contract, wei] of left)
    if (wei > 0n)
      verdict.danger(
        'public-contract',
        () =>
          `This leaves ${nativeAmount(wei, scene)} in ${nameOf(contract as Hex, scene.view)}. Anybody can take it from there.`,
      );
}

const NOTHING_KNOWN: RecipientFacts = { used: [], own: {}, hasCode: {} };

/**
 * The one place where dangers and warnings come from: what was decoded and simulated goes in, the verdict comes out.
 *
 * @param beneficiaries - Who gets something.
 */
export function judge(beneficiaries: readonly Beneficiary[], scene: WordScene): Verdict {
  const { findings, view } = scene;
  const { effects } = findings;
  const verdict = new Verdict();
  for (const effect of effects) {
    if (effect.kind === 'move') judgeMove(effect, scene, verdict);
    else if (effect.kind === 'allow') judgeEnds(effect, scene, verdict);
    else if (effect.kind === 'delegation') judgeDelegation(effect, scene, verdict);
    else if (effect.kind === 'permission') judgeUnknownPermission(effect, scene, verdict);
    else judgeFact(effect, scene, verdict);
  }
  const permissions = permissionsIn(effects);
  for (const permission of permissions) judgePermission(permission, scene, verdict);
  judgeSimulation(permissions, scene, verdict);
  judgeLeftCoins(effects, scene, verdict);
  judgeRecipients(recipientsIn(effects, scene), view.recipients ?? NOTHING_KNOWN, verdict);
  if (beneficiaries.length > MANY_BENEFICIARIES)
    verdict.danger(
      'not-fully-read',
      () => `This gives something to ${beneficiaries.length} addresses, more than anybody compares one by one.`,
    );
  return verdict;
}
