import { concatBytes } from '../../eth/bytes';
import { keccak256 } from '../../eth/keccak';

/**
 * What hashing leaves of the creation code of the ERC-1967 proxy that each SimpleAccountFactory deploys, as it
 * stands in the factory's own bytecode (`type(ERC1967Proxy).creationCode`; @account-abstraction/contracts
 * 0.6.0, 0.7.0, 0.8.0), in base64: the state of Keccak-f[1600] after the whole blocks of the code, 200 bytes, and
 * what comes behind them, less than 136. The code itself, from which this is told again by the tests, is four times
 * as large.
 */
export type ProxyCode = string;

const STATE_BYTES = 200;

/** keccak256 of the creation code and its constructor's arguments: what CREATE2 hashes, without asking a node. */
export function initCodeHashOf(code: ProxyCode, constructorArguments: Uint8Array): Uint8Array {
  const left = Uint8Array.from(atob(code), (character) => character.charCodeAt(0));
  const words = new DataView(left.buffer);
  const start = Int32Array.from({ length: STATE_BYTES / 4 }, (_word, index) => words.getInt32(4 * index, true));
  return keccak256(concatBytes(left.subarray(STATE_BYTES), constructorArguments), start);
}

export const PROXY_06: ProxyCode =
  'e+8DYNSIkfuBHOJG4BqDgcPb6r1kjobZo7cjZ27EetdjM/M6XLE/8qG0RrmqsT6cLThI+SRdXbNgIC6iw9rxjJzpzw5lffc3m0M2aNguO9rxyRfW9QYg4noq1EYG+D8nvaJ4cl7SfCa67LCrRFvKiytmdgvjdqkUCJLq4KerTpcV6XqDD6/xtpjy3oOSwbf8nH9MLWTDN4mOuU7s/qvttVxg2CneXkzv07HGfaAQybCo83dwJASr+V3nNQgYRa4QJAtpcVSpqinXirajEhOYlmHP8tfQX8m5w4sahI6CSeLjmGWanrfjZHNvbGNDAAgPADNBZGRyZXNzOiBsb3ctbGV2ZWwgZGVsZWdhdGUgY2FsbCBmYWlsZWQ=';

export const PROXY_07: ProxyCode =
  'w4iDIJSGyKL0ANI7D35JTPNlW2yelhOvy9SyW5fiop8q3CuKZJ2yYswYjfH+6xxEPSHKNPzDK37M/HklOtr5i4Fdp29S+SBDHzFKMJhsqDv7cEXFVoqvJy6K/S22I5kFpPnDsrVKaQrXjSCzAb/c/eVdaXR5bRJkr4taA4XAURAH43OEz67Cd6HyFWieqCHjw9YyZrH389xg/JbEn5WuHFSTWAPmE4I23gcjCkHkh/LEQFaaI4KFFt03HaHGxTnycSZ6XhPl9cVWW5BQkFZbNmAAgDdgAIA2YACEWvQ9YACAPoCAFWB8Vz1gAPNbPWAA/f6iZGlwZnNYIhIg1/I6gNrrtVMcnkoY2H6BL8oRLl335WQzIY7cwSu+QV1kc29sY0MACBcAMw==';

export const PROXY_08: ProxyCode =
  'tjDg2fZjFF58vlQeOsFc2UMjiE42DTqfeTZESBneklvHAfKBpRJDVS7jCscyPrZZDHVikAdRQQrOMkPacv1Q2qc3VRitY95FXa5zsIzZ2EA0reFS1HdtIzF0NrpquJzsT1j/vK8ki6tPF/BJE3Sq2EVLfCB8ga1AyAH6nN7Rbe9jTHz7oHsuL4Ri08sYXBV8a7sSV+hTrmJxU4drRvYkzvkxrWskj1PJLj3XcAMHIgGWAU/ifksGTH4ekKZQG/i9NGiwSJrh3ZI=';
