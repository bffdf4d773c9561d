/** The icon of `images/icon.svg`. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64" role="img" aria-label="Keystead">
  <rect width="64" height="64" rx="14" fill="#14342b"/>
  <path d="M10 33 32 13l22 20v19a3 3 0 0 1-3 3H13a3 3 0 0 1-3-3z" fill="#f4efe2"/>
  <circle cx="32" cy="35" r="7" fill="#14342b"/>
  <path d="M29 38h6v12h4v4H29z" fill="#14342b"/>
  <circle cx="32" cy="35" r="3" fill="#f4efe2"/>
</svg>
`;

/** The icon as a data URL (RFC 2397). */
export const ICON = `data:image/svg+xml,${encodeURIComponent(SVG)}`;
