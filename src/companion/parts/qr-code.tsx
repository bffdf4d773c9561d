import { type VNode } from 'preact';
import { encode } from 'uqr';

/** A QR code of medium error correction holds 2,331 bytes. */
const MAX_LENGTH = 2331;

type Props = {
  readonly text: string;
  /** What the code says if the text does not fit. */
  readonly short?: string;
  readonly label: string;
};

/** A QR code of an ASCII text, if it fits; dark on white in every theme, because scanners need it so. */
export function QrCode({ text, short = '', label }: Props): VNode | null {
  const fitting = [text, short].find(({ length }) => length <= MAX_LENGTH);
  if (!fitting) return null;
  const { data, size } = encode(fitting, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
