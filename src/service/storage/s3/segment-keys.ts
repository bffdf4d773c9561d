/** Prefix of segment objects in a bucket. */
export const SEGMENTS = 'segments/';

/** The key of a segment's blocks. */
export const carKey = (segment: string): string => `${SEGMENTS}${segment}.car`;

/** The key of a segment's index. */
export const indexKey = (segment: string): string => `${SEGMENTS}${segment}.index`;
