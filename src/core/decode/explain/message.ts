import { fromHex, type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { Findings } from '../effects/findings';
import { gives } from '../effects/gives';
import { judgeMessage } from '../effects/judge';
import { type Explanation, type Viewpoint } from '../explanation';
import { noteTruncation, text } from '../words/lines';
import { readMessage } from '../words/message';
import { bodyText, isTruncated, MESSAGE_LINES } from '../words/text';

/** Explains a `personal_sign` message of any bytes. */
export function explainMessage(message: Hex, view: Viewpoint): Explanation {
  const bytes = fromHex(message);
  const findings = new Findings();
  const { title = 'Sign a message', lines, content, effects } = readMessage(bytes, view);
  findings.add(effects);
  const whole = content ?? message;
  if (isTruncated(whole)) noteTruncation('This message', findings);
  else if (whole.split('\n').length > MESSAGE_LINES)
    findings.note(`The message has more than ${MESSAGE_LINES} lines. In the rest, you see spaces for line breaks.`);
  const { dangers, warnings } = judgeMessage({ view, chainId: undefined, findings });
  return {
    title,
    changes: [],
    main: lines,
    lines: [text('Length', counted(bytes.length, 'byte'))],
    sections: [],
    body: { label: content === undefined ? 'Message (hex)' : 'Message', text: bodyText(whole), isMessage: true },
    warnings,
    dangers,
    // Bytes that are no text may be whatever a contract takes.
    ...((effects.some(gives) || (content === undefined && bytes.length > 0)) && { usable: { until: undefined } }),
  };
}
