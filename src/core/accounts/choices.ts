import { type KindName } from '../kinds';

/** A kind of account that a person can choose. */
export type AccountChoice = {
  readonly kind: 'eoa' | KindName;
  readonly title: string;
  /** What it is for. */
  readonly hint: string;
  /** What it cannot do, which people should know before they choose it. */
  readonly limits: string;
};

const SAFE: AccountChoice = {
  kind: 'safe-0.7',
  title: 'Safe',
  hint: 'A smart account: one approval for several transfers, others can pay its fees, and guardians can recover it. It is created on one network.',
  limits:
    'Sites that connect to MetaMask itself cannot send from it: MetaMask has no way to. Sites that use Keystead, and the Keystead page, can.',
};

const STANDARD: AccountChoice = {
  kind: 'eoa',
  title: 'Standard account',
  hint: 'The kind of account that every wallet has. It works on all networks and with every site, and pays its own fees.',
  limits:
    'It has no guardians. MetaMask does not upgrade it for several transfers at once or for fees that others pay (EIP-7702). Sites that use Keystead, and the Keystead page, can.',
};

const simpleAccount = (version: '0.6' | '0.7' | '0.8' | '0.9', more = ''): AccountChoice => ({
  kind: `simple-account-${version}`,
  title: `SimpleAccount ${version}`,
  hint: `A plain smart account for developers.${more}`,
  limits: 'It cannot sign in to sites, sign messages or have guardians.',
});

/** The kinds that fit nearly everybody. */
export const COMMON_CHOICES: readonly AccountChoice[] = [SAFE, STANDARD];

export const OTHER_CHOICES: readonly AccountChoice[] = [
  simpleAccount('0.7', ' Most bundlers support this version.'),
  simpleAccount('0.8'),
  simpleAccount('0.9'),
  simpleAccount('0.6'),
];

/** How MetaMask fails if a site that is connected to it, and not to Keystead, sends from a smart account. */
export const METAMASK_FAILS =
  'If such a site tries, MetaMask fails by itself, even after you approved: “… is not a valid hexadecimal string. got: (0x)”, or an error without a reason (seen in MetaMask 13.36). Nothing is sent.';

/** @returns The choice of a kind. */
export const choiceOf = (kind: AccountChoice['kind']): AccountChoice =>
  [...COMMON_CHOICES, ...OTHER_CHOICES].find((choice) => choice.kind === kind) ?? STANDARD;

/**
 * The one recommendation for a new account, wherever a person makes one.
 *
 * @param network - The network that it would be created on; undefined if there is none.
 */
export const recommendedKind = (
  network: { readonly bundlerUrl?: string | undefined } | undefined,
): 'eoa' | 'safe-0.7' => (network?.bundlerUrl === undefined ? 'eoa' : 'safe-0.7');

/** An account, as far as it matters to sites. */
type Account = { readonly type: string; readonly scopes: readonly string[]; readonly methods: readonly string[] };

/** @returns Whether sites can have an account sign messages, with which people sign in. */
export const signsMessages = ({ methods }: Pick<Account, 'methods'>): boolean => methods.includes('personal_sign');

/**
 * The account that fits a site best: one that can sign in there, on the network of the site.
 *
 * @param accounts - In the order in which the person sees them.
 * @param chainId - The network of the site (CAIP-2); undefined if it has none yet.
 * @returns Undefined without accounts.
 */
export function recommendedFor<One extends Account>(
  accounts: readonly One[],
  chainId: string | undefined,
): One | undefined {
  const isThere = ({ type, scopes }: One): boolean =>
    chainId === undefined || type === 'eip155:eoa' || scopes.includes(chainId);
  const signing = accounts.filter(signsMessages);
  return signing.find(isThere) ?? signing[0] ?? accounts.find(isThere) ?? accounts[0];
}
