import { type VNode } from 'preact';
import { encode } from 'uqr';

/** A QR code of a text, dark on white in every theme, because scanners need it so. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): VNode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
