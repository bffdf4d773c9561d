/** Where the objects of segments lie in a bucket. */
export const SEGMENTS = 'segments/';

/** The key of a segment's blocks. */
export const carKey = (segment: string): string => `${SEGMENTS}${segment}.car`;

/** The key of its index. */
export const indexKey = (segment: string): string => `${SEGMENTS}${segment}.index`;
