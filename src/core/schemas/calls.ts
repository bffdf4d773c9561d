import { type Hex } from '../eth/bytes';
import { AddressStruct } from './address';
import { HexChainStruct } from './chain';
import { BytesStruct, Uint256Struct } from '../structs/hex';
import { ServiceContextStruct } from './service-context';
import {
  array,
  boolean,
  type Infer,
  membersOf,
  nonempty,
  object,
  optional,
  rule,
  startingWith,
  tuple,
  type,
  unknown,
} from '../structs/struct';
import { ServiceUrlStruct } from './url';

/** The version of `wallet_sendCalls` and `wallet_getCallsStatus` (EIP-5792). */
export const CALLS_VERSION = '2.0.0';

/** The length of 4096 bytes in hex, with 0x (EIP-5792). */
const MAX_ID = 8194;
const CallsIdStruct = rule<string>(
  `must be text of 1 to ${MAX_ID} characters`,
  (value) => typeof value === 'string' && value.length > 0 && value.length <= MAX_ID,
);

/** A capability that a dapp requests. If it is `optional`, the calls may be sent without it. */
const CapabilitiesStruct = membersOf(type({ optional: optional(boolean()) }));

/** The parameters of `wallet_sendCalls` (EIP-5792). */
export const SendCallsStruct = tuple([
  object({
    version: rule<string>(`must be "${CALLS_VERSION}"`, (value) => value === CALLS_VERSION),
    id: optional(CallsIdStruct),
    from: optional(AddressStruct),
    chainId: HexChainStruct,
    atomicRequired: boolean(),
    calls: nonempty(
      object({
        to: optional(AddressStruct),
        data: optional(BytesStruct),
        value: optional(Uint256Struct),
        /** As in the first version of EIP-5792. It must be the chain of the batch. */
        chainId: optional(HexChainStruct),
        capabilities: optional(CapabilitiesStruct),
      }),
    ),
    capabilities: optional(CapabilitiesStruct),
  }),
]);

/** The capability `paymasterService` of `wallet_sendCalls` (ERC-7677). */
export const PaymasterServiceStruct = object({
  url: ServiceUrlStruct,
  context: optional(ServiceContextStruct),
  optional: optional(boolean()),
});

/** The parameters of `wallet_getCapabilities` (EIP-5792). */
export const GetCapabilitiesStruct = rule<readonly [`0x${string}`, (readonly `0x${string}`[])?]>(
  'must be an address and, optionally, a list of hex chain ids',
  (value) =>
    Array.isArray(value) &&
    AddressStruct.is(value[0]) &&
    (value[1] === undefined ||
      value[1] === null ||
      (Array.isArray(value[1]) && value[1].length <= 1000 && value[1].every((chain) => HexChainStruct.is(chain)))),
);

/** `[id]` of `wallet_getCallsStatus` and `wallet_showCallsStatus`. */
export const CallsIdParamsStruct = startingWith([CallsIdStruct]);

/** `[{ chainId }]` of `wallet_switchEthereumChain` (EIP-3326). */
export const SwitchChainStruct = startingWith([object({ chainId: HexChainStruct })]);

/** `[{ eth_accounts: … }]` of `wallet_requestPermissions` and `wallet_revokePermissions` (EIP-2255). */
export const PermissionsStruct = startingWith([object({ eth_accounts: membersOf(unknown()) })]);

const AddressesStruct = array(AddressStruct);

/** The accounts of a request, in the form of `wallet_getPermissions`, whatever the type of the caveat is called. */
const CaveatsStruct = type({ caveats: tuple([type({ value: AddressesStruct })]) });

/**
 * The accounts that a site names in a request of `wallet_requestPermissions`: as
 * `{ restrictReturnedAccounts: [addresses] }` (EIP-2255), or in the form that `wallet_getPermissions` returns.
 *
 * @returns No addresses if the request names none, or something else.
 */
export function wantedAccounts([{ eth_accounts: request }]: Infer<typeof PermissionsStruct>): readonly Hex[] {
  const { restrictReturnedAccounts: named } = request;
  if (AddressesStruct.is(named)) return named;
  return CaveatsStruct.is(request) ? request.caveats[0].value : [];
}
