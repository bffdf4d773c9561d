import { ME, OTHER } from './people';

export type Tx = Readonly<Record<string, unknown>>;

/** A valid transaction of each type. */
export const LEGACY: Tx = {
  type: '0x0',
  nonce: '0x9',
  gasPrice: '0x4a817c800',
  gasLimit: '0x5208',
  to: OTHER,
  value: '0xde0b6b3a7640000',
  data: '0x',
  chainId: '0x1',
  from: ME,
};
export const EIP2930: Tx = { ...LEGACY, type: '0x1', accessList: [] };

/** A transaction without one of its members. */
export const without = (tx: Tx, name: string): Tx =>
  Object.fromEntries(Object.entries(tx).filter(([key]) => key !== name));

export const EIP1559: Tx = {
  ...without(LEGACY, 'gasPrice'),
  type: '0x2',
  maxFeePerGas: '0x59682f00',
  maxPriorityFeePerGas: '0x59682f00',
  accessList: [],
};
