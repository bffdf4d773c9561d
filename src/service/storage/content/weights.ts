/** What a remembered block takes in memory, about, in bytes: its key and the set that holds it. */
export const KEY_BYTES = 100;
/** What a CID takes that was decoded, with what is known of it. */
export const CID_BYTES = 500;
/**
 * What a link takes that is still to be followed: 620 bytes, and what decoding leaves behind, which the engine lets
 * grow to several times of what is kept before it collects it.
 */
export const LINK_BYTES = 1800;
