/**
 * Every refusal and failure of Keystead is one of these. `code` is stable: programs may rely on it.
 * `rpcCode` is the JSON-RPC / EIP-1193 / EIP-1474 number sent on the wire.
 */
export abstract class KeysteadError extends Error {
  abstract readonly code: string;
  abstract readonly rpcCode: number;

  /** Details for programs; never a secret, never the refused value itself. */
  get data(): Record<string, string> {
    return { code: this.code };
  }
}

/** A name out of a request, fit to stand in a sentence: printable ASCII, short. */
export const quoted = (name: string): string => `"${name.replace(/[^\x20-\x7e]/gu, '?').slice(0, 40)}"`;

/** Whether a name out of a request may stand in a sentence as it is. Others could be anything, a secret among it. */
export const mayBeRepeated = (name: string): boolean => /^[A-Za-z_$][A-Za-z0-9_$:]{0,39}$/u.test(name);

/** @returns Where something stands in a request: `root.member[2]`. */
export const pathText = (root: string, steps: readonly (string | number)[]): string =>
  root +
  steps
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return mayBeRepeated(step) ? `.${step}` : '[…]';
    })
    .join('');

/** A parameter is not what the specification says. Names the field and the rule, never the value. */
export class InvalidParamsError extends KeysteadError {
  readonly code = 'invalid-params';
  readonly rpcCode = -32602;
  readonly field: string;
  readonly rule: string;

  /**
   * @param field - Where: a path such as `transaction.gasLimit`.
   * @param rule - What must hold, as the rest of a sentence: "must be …".
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

/** The method exists nowhere, or not for this account. */
export class MethodNotSupportedError extends KeysteadError {
  readonly code = 'method-not-supported';
  readonly rpcCode = -32601;
}

/** The caller may not do this. */
export class UnauthorizedError extends KeysteadError {
  readonly code = 'unauthorized';
  readonly rpcCode = 4100;
}

/** The person at the wallet said no, or closed the dialog. */
export class UserRejectedError extends KeysteadError {
  readonly code = 'user-rejected';
  readonly rpcCode = 4001;

  constructor() {
    super('The request was refused in the wallet.');
  }
}

/** No account, or no request, has this id. */
export class NotFoundError extends KeysteadError {
  readonly code = 'not-found';
  readonly rpcCode = -32001;
}

/** The wallet around us refused or failed: its words are passed on, since they are about the account, not about a secret. */
export class WalletRefusedError extends KeysteadError {
  readonly code = 'wallet-refused';
  readonly rpcCode = -32003;
}

/** A node, a bundler or a paymaster service did not answer, or not as it must. Nothing was changed and nothing was signed. */
export class ServiceFailedError extends KeysteadError {
  readonly code = 'service-failed';
  readonly rpcCode = -32002;
}

/** A service did not answer at all. What it would have said is open. */
export class ServiceSilentError extends ServiceFailedError {}

/** What a JSON-RPC service said when it refused a request. Its text comes from outside. */
export type ServiceError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** A node, a bundler or a paymaster service answered with an error. */
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

/** Why a file is no backup that can be restored here. */
export type BackupFault = 'not-a-backup' | 'version' | 'truncated' | 'phrase' | 'changed';

/** A file that was to be restored is no backup of this wallet, or not as it was made. Nothing was changed. */
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

/** What is stored is not what we stored, or comes from a newer version. Nothing was changed. */
export class StateError extends KeysteadError {
  readonly code = 'state-damaged';
  readonly rpcCode = -32603;
}

/** What is stored of one account cannot be read. The others can. */
export class DamagedAccountError extends StateError {}

/** Our own fault: a check that must always hold did not. Nothing was signed. */
export class InternalError extends KeysteadError {
  readonly code = 'internal';
  readonly rpcCode = -32603;
}

/** What a dapp's provider may answer (EIP-1193, EIP-3326, EIP-1474, EIP-5792), by stable name. */
const PROVIDER_CODES = {
  'method-unsupported': 4200,
  disconnected: 4900,
  'chain-disconnected': 4901,
  'chain-unknown': 4902,
  'too-many-requests': -32002,
  'capability-unsupported': 5700,
  'calls-chain-unsupported': 5710,
  'calls-id-duplicate': 5720,
  'calls-id-unknown': 5730,
  'calls-too-large': 5740,
  'atomicity-unsupported': 5760,
} as const;

/** A refusal whose number the standards of dapps define. */
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

/** A node's own refusal of what a dapp asked it, with the node's number and data: a revert is read from them. */
export class NodeAnswerError extends KeysteadError {
  readonly code = 'node-refused';
  readonly rpcCode: number;
  readonly #revert: string | undefined;

  /** @param revert - What the node gave as data: hex. */
  constructor(message: string, rpcCode: number, revert: string | undefined) {
    super(message);
    this.rpcCode = rpcCode;
    this.#revert = revert;
  }

  override get data() {
    // Some libraries take the bytes of a revert only from beside a message that speaks of one.
    return { code: this.code, ...(this.#revert !== undefined && { message: this.message, data: this.#revert }) };
  }
}
