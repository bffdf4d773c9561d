import { type Hex } from 'viem';

import { PROXY_FACTORY } from '../../src/core/safe/contracts';
import { preparedContracts } from '../../src/devnet/chain/state';

/** @returns The code of a contract that the development chain has from the start. */
export const preparedCode = (address: Hex): Hex => preparedContracts().contracts[address.toLowerCase() as Hex]!.code;

/** The code of a Safe's proxy, which is a part of its factory's. */
export const PROXY_CODE: Hex = `0x${/608060405273f{40}600054.*?64736f6c63430007060033/u.exec(preparedCode(PROXY_FACTORY))![0]}`;
