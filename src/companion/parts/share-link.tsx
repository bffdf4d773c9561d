import { type VNode } from 'preact';

import { linkTo, wholeLink } from '../model/route';
import { Copyable } from './copyable';
import { QrCode } from './qr-code';

/** A link to copy, to scan or to open here. */
export const ShareLink = ({ label, parts }: { readonly label: string; readonly parts: readonly string[] }): VNode => (
  <>
    <Copyable label={label} value={wholeLink(...parts)} />
    <QrCode text={wholeLink(...parts)} label={`QR code: ${label}`} />
    <p>
      <a href={linkTo(...parts)}>Open it here</a>
    </p>
  </>
);
