import { matching } from './struct';

/** A CID in text form: base58 (`Qm…`, `z…`) or base32 (`b…`), without a path. */
export const CidStruct = matching(
  'must be a CID in base58 or base32, such as "bafy…" or "Qm…"',
  /^(?:Qm[1-9A-Za-z]{44}|z[1-9A-Za-z]{40,100}|b[a-z2-7]{50,120})$/u,
);
