import { dayWords } from '../../core/decode/words/time';
import { type Passkey } from './passkeys';

/**
 * @returns What the page calls a passkey everywhere: its name or the end of its signer's address, and its day. Without
 * commas, because sentences list owners.
 */
export function passkeyTitle({ title, made, signer }: Pick<Passkey, 'title' | 'made' | 'signer'>): string {
  const name = title === undefined ? `…${signer.slice(-4)}` : `“${title.replaceAll(/,\s*/gu, ' ')}”`;
  return `Passkey ${name}${made === undefined ? '' : ` of ${dayWords(BigInt(made))}`}`;
}
