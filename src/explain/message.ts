import { fromHex, type Hex } from '../eth/bytes';
import { visible } from './text';
import { type Explanation } from './types';

/** The message as text if it is UTF-8, or undefined. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Explains a `personal_sign` message of any bytes. */
export function explainMessage(message: Hex): Explanation {
  const bytes = fromHex(message);
  const text = textOf(bytes);
  const shown = text === undefined ? message : visible(text, { keepLines: true });
  const warnings: string[] = [];
  if (text === undefined) warnings.push('This message is not text. It is shown in hex.');
  else if (shown !== text) warnings.push('This message holds invisible characters. They are shown as \\u{…}.');
  if (bytes.length === 0) warnings.push('This message is empty.');
  return {
    title: 'Sign a message',
    lines: [{ kind: 'text', label: 'Length', value: `${bytes.length} bytes` }],
    body: { label: text === undefined ? 'Message (hex)' : 'Message', text: shown },
    warnings,
  };
}
