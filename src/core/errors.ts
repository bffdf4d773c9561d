/**
 * The base class of every error that Keystead reports. `code` is stable, so programs may rely on it. `rpcCode` is the
 * number sent in the JSON-RPC response (JSON-RPC 2.0, EIP-1193, EIP-1474).
 *
 * @example
 * ```ts
 * const error: KeysteadError = new ServiceFailedError('The node did not answer.');
 * error.code; // => 'service-failed'
 * error.data; // => { code: 'service-failed' }
 * ```
 */
export abstract class KeysteadError extends Error {
  abstract readonly code: string;
  abstract readonly rpcCode: number;

  /** Details for programs. Never contains a secret or the rejected value itself. */
  get data(): Record<string, string> {
    return { code: this.code };
  }
}

/** Quotes a name from a request for use in a message: printable ASCII, at most 40 characters. */
export const quoted = (name: string): string => `"${name.replace(/[^\x20-\x7e]/gu, '?').slice(0, 40)}"`;

/**
 * @returns Whether a name from a request may be repeated in a message as it is. Any other text might contain a secret.
 */
export const mayBeRepeated = (name: string): boolean => /^[A-Za-z_$][A-Za-z0-9_$:]{0,39}$/u.test(name);

/** @returns The path of a value in a request: `root.member[2]`. */
export const pathText = (root: string, steps: readonly (string | number)[]): string =>
  root +
  steps
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return mayBeRepeated(step) ? `.${step}` : '[…]';
    })
    .join('');

/**
 * A parameter breaks a rule of the specification. The message names the field and the rule, never the value.
 *
 * @example
 * ```ts
 * const error = new InvalidParamsError('transaction.gasLimit', 'must be a hex quantity');
 * error.message; // => 'transaction.gasLimit: must be a hex quantity'
 * error.data; // => { code: 'invalid-params', field: 'transaction.gasLimit', rule: 'must be a hex quantity' }
 * error.rpcCode; // => -32602
 * ```
 */
export class InvalidParamsError extends KeysteadError {
  readonly code = 'invalid-params';
  readonly rpcCode = -32602;
  readonly field: string;
  readonly rule: string;

  /**
   * @param field - The path of the field, such as `transaction.gasLimit`.
   * @param rule - The rule it breaks, as the rest of a sentence: "must be …".
   */
  constructor(field: string, rule: string) {
    super(`${field}: ${rule}`);
    this.field = field;
    this.rule = rule;
  }

  override get data() {
    return { code: this.code, field: this.field, rule: this.rule };
  }
}

/** The method does not exist, or this account does not support it. */
export class MethodNotSupportedError extends KeysteadError {
  readonly code = 'method-not-supported';
  readonly rpcCode = -32601;
}

/** The caller is not allowed to do this. */
export class UnauthorizedError extends KeysteadError {
  readonly code = 'unauthorized';
  readonly rpcCode = 4100;
}

/** The user rejected the request, or closed the dialog. */
export class UserRejectedError extends KeysteadError {
  readonly code = 'user-rejected';
  readonly rpcCode = 4001;

  constructor() {
    super('You rejected the request.');
  }
}

/** No account or pending request has this id. */
export class NotFoundError extends KeysteadError {
  readonly code = 'not-found';
  readonly rpcCode = -32001;
}

/**
 * MetaMask refused the request or failed. Its reason is passed on, because it concerns the account and not a secret.
 */
export class WalletRefusedError extends KeysteadError {
  readonly code = 'wallet-refused';
  readonly rpcCode = -32003;
}

/**
 * A node, bundler or paymaster service did not respond, or its response was malformed. Nothing was changed or signed.
 *
 * @example
 * ```ts
 * const error = new ServiceFailedError('The bundler answered with something that is no JSON.');
 * [error.code, error.rpcCode]; // => ['service-failed', -32002]
 * ```
 */
export class ServiceFailedError extends KeysteadError {
  readonly code = 'service-failed';
  readonly rpcCode = -32002;
}

/** A service did not respond at all, so the outcome of the request is unknown. */
export class ServiceSilentError extends ServiceFailedError {}

/**
 * The error object of a JSON-RPC service that rejected a request. `message` is untrusted text.
 *
 * @example
 * ```ts
 * const error: ServiceError = { code: -32500, message: "AA21 didn't pay prefund" };
 * ```
 */
export type ServiceError = { readonly code: number; readonly message: string; readonly data?: unknown };

/**
 * A node, bundler or paymaster service responded with an error.
 *
 * @example
 * ```ts
 * const said = { code: -32500, message: "AA21 didn't pay prefund" };
 * const error = new ServiceRefusedError('The bundler refused the operation.', said);
 * error.data; // => { code: 'service-refused', serviceCode: '-32500' }
 * error.error === said; // => true
 * error.rpcCode; // => -32003
 * ```
 */
export class ServiceRefusedError extends KeysteadError {
  readonly code = 'service-refused';
  readonly rpcCode = -32003;
  readonly error: ServiceError;

  constructor(message: string, error: ServiceError) {
    super(message);
    this.error = error;
  }

  override get data() {
    return { code: this.code, serviceCode: String(this.error.code) };
  }
}

/** The reasons why a file cannot be restored as a backup. */
export type BackupFault = 'not-a-backup' | 'version' | 'truncated' | 'phrase' | 'changed';

/** The file is not a backup of this wallet, or it was modified. Nothing was changed. */
export class BackupUnreadableError extends KeysteadError {
  readonly code = 'backup-unreadable';
  readonly rpcCode = -32003;
  readonly fault: BackupFault;

  constructor(fault: BackupFault, message: string) {
    super(message);
    this.fault = fault;
  }

  override get data() {
    return { code: this.code, fault: this.fault };
  }
}

/** The stored state is damaged, or was written by a newer version. Nothing was changed. */
export class StateError extends KeysteadError {
  readonly code = 'state-damaged';
  readonly rpcCode = -32603;
}

/** The stored data of one account cannot be read. Other accounts are not affected. */
export class DamagedAccountError extends StateError {}

/** A bug in Keystead: an internal check failed. Nothing was signed. */
export class InternalError extends KeysteadError {
  readonly code = 'internal';
  readonly rpcCode = -32603;
}

/** The error codes of a dapp's provider (EIP-1193, EIP-3326, EIP-1474, EIP-5792), by stable name. */
const PROVIDER_CODES = {
  'method-unsupported': 4200, // Keystead does not have the method, or refuses it, such as `eth_sign`.
  disconnected: 4900, // No network is set up.
  'chain-disconnected': 4901, // The site's network is no longer set up, has no bundler, or the account is not on it.
  'chain-unknown': 4902, // The network to switch to is not set up.
  'no-account': -32010, // The person approved a connection without an account.
  'too-many-requests': -32002, // Too many requests are waiting.
  'signatures-missing': -32002, // Other owners of the account must sign, too. The same request is answered then.
  'capability-unsupported': 5700, // A capability is neither supported nor optional.
  'calls-chain-unsupported': 5710, // The network of the calls is not set up, or the account is not on it.
  'calls-id-duplicate': 5720, // The site has used the ID before.
  'calls-id-unknown': 5730, // The site has not used the ID.
  'calls-too-large': 5740, // There are too many calls, or too much data.
  'upgrade-rejected': 5750, // The person rejected calls that upgrade the account (EIP-7702).
  'atomicity-unsupported': 5760, // The account cannot make several calls atomic on that network.
} as const;

/** An error whose number is defined by a dapp-facing standard. */
export class ProviderError extends KeysteadError {
  readonly code: keyof typeof PROVIDER_CODES;

  constructor(code: keyof typeof PROVIDER_CODES, message: string) {
    super(message);
    this.code = code;
  }

  get rpcCode(): number {
    return PROVIDER_CODES[this.code];
  }
}

/** A node's error response to a dapp's request, with the node's code and data. Libraries decode a revert from them. */
export class NodeAnswerError extends KeysteadError {
  readonly code = 'node-refused';
  readonly rpcCode: number;
  readonly #revert: string | undefined;

  /** @param revert - The revert data that the node returned, in hex. */
  constructor(message: string, rpcCode: number, revert: string | undefined) {
    super(message);
    this.rpcCode = rpcCode;
    this.#revert = revert;
  }

  override get data() {
    // Some libraries read the revert data only if a message beside it mentions a revert.
    return { code: this.code, ...(this.#revert !== undefined && { message: this.message, data: this.#revert }) };
  }
}
